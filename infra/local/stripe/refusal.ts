interface ErrorBody {
  type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  payment_intent?: unknown;
}

/** An error response of Stripe. */
export class StripeRefusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly error: ErrorBody;

  constructor(status: number, error: ErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export const invalidRequest = (
  message: string,
  more: { code?: string; param?: string } = {},
): StripeRefusal => new StripeRefusal(400, { type: "invalid_request_error", message, ...more });

export const missing = (what: string, id: string, param: string): StripeRefusal =>
  new StripeRefusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${what}: '${id}'`,
    param,
  });

/**
 * Whether Stripe repeats this error when a call is repeated with its idempotency key. It does not repeat errors that
 * name an invalid parameter.
 */
export const isRemembered = (refusal: StripeRefusal): boolean =>
  refusal.status === 402 ||
  (refusal.status === 400 &&
    refusal.error.type === "invalid_request_error" &&
    refusal.error.param === undefined);
