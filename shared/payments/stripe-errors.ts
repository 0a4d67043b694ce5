/** The members of a Stripe SDK error that are used here; the SDK itself is loaded elsewhere. */
export interface StripeError extends Error {
  /** The kind of error in the response's body; undefined if there was no response. */
  readonly rawType: string | undefined;
  readonly statusCode?: number;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
  readonly detail?: unknown;
}

export const isStripeError = (error: unknown): error is StripeError =>
  error instanceof Error && "rawType" in error;

/** Whether Stripe has no object with the requested id. */
export const isUnknown = (error: unknown): boolean =>
  isStripeError(error) && error.statusCode === 404 && error.code === "resource_missing";

/** Whether Stripe refuses the request permanently. */
export const isRefused = (error: unknown): error is StripeError =>
  isStripeError(error) &&
  (error.rawType === "invalid_request_error" || error.rawType === "card_error") &&
  [400, 402, 404].includes(error.statusCode ?? 0) &&
  error.code !== "rate_limit";

/** Codes with which Stripe refuses an amount for good. */
const amountCodes: ReadonlySet<string | undefined> = new Set([
  "amount_too_small",
  "amount_too_large",
  "charge_exceeds_transaction_limit",
]);

/** Whether Stripe refuses the amount of a payment, which is no fault of the service. */
export const isAmountRefused = (error: unknown): error is StripeError =>
  isRefused(error) && amountCodes.has(error.code);

/**
 * Whether the error is temporary: no connection, too many requests, a concurrent identical request, or an internal
 * error of Stripe.
 */
export const isPassingFailure = ({ statusCode = 500, code }: StripeError): boolean =>
  statusCode >= 500 || statusCode === 429 || statusCode === 409 || code === "rate_limit";

/**
 * The error as one line for the log. Stripe's message about a wrong key contains a part of the key, so it is left out.
 */
export function inShort(error: StripeError): string {
  const { rawType, statusCode, code, param, requestId, detail } = error;
  const cause = detail instanceof Error && "code" in detail ? detail.code : undefined;
  const words = isRefused(error) ? error.message : undefined;
  const parts = [rawType ?? "no answer", statusCode, code, param, cause, requestId, words];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}
