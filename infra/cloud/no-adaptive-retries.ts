/** Stands in for `@smithy/core`'s retries that slow a client down: no client here asks for them. */
export function AdaptiveRetryStrategy(): never {
  throw new Error("This bundle was made without adaptive retries.");
}
