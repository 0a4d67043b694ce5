/** What is gone by of an error of Stripe's SDK; the SDK itself is loaded elsewhere. */
export interface StripeError extends Error {
  /** The kind of error in the answer's body; undefined: there was no answer. */
  readonly rawType: string | undefined;
  readonly statusCode?: number;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
  readonly detail?: unknown;
}

export const isStripeError = (error: unknown): error is StripeError =>
  error instanceof Error && "rawType" in error;

/** Stripe has no record of what it is asked about. */
export const isUnknown = (error: unknown): boolean =>
  isStripeError(error) && error.statusCode === 404 && error.code === "resource_missing";

/** Stripe understood the call and will not do it, now or later. */
export const isRefused = (error: unknown): error is StripeError =>
  isStripeError(error) &&
  (error.rawType === "invalid_request_error" || error.rawType === "card_error") &&
  [400, 402, 404].includes(error.statusCode ?? 0) &&
  error.code !== "rate_limit";

/** No connection, too many calls, the same call under way, or a fault of Stripe's own. */
export const isPassing = ({ statusCode = 500, code }: StripeError): boolean =>
  statusCode >= 500 || statusCode === 429 || statusCode === 409 || code === "rate_limit";

/** The error in a line for the log. What is said of a wrong key holds part of it, and is left out. */
export function inShort(error: StripeError): string {
  const { rawType, statusCode, code, param, requestId, detail } = error;
  const cause = detail instanceof Error && "code" in detail ? detail.code : undefined;
  const words = isRefused(error) ? error.message : undefined;
  const parts = [rawType ?? "no answer", statusCode, code, param, cause, requestId, words];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}
