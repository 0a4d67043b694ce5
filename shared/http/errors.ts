/** code → HTTP status and the sentence a person reads when the thrower gave none. */
const table = {
  malformed_json: [400, "The request body is not valid JSON."],
  malformed_form: [400, "The request body is not a valid form."],
  bad_request: [400, "The request cannot be understood."],
  bad_signature: [400, "The signature does not match."],
  unauthenticated: [401, "Sign in to use this."],
  forbidden: [403, "You do not have permission to do this."],
  not_found: [404, "We could not find what you asked for."],
  method_not_allowed: [405, "This address does not answer this method."],
  insufficient_stock: [409, "There is not enough stock for this order."],
  price_changed: [409, "A price has changed since you last saw it."],
  cart_changed: [409, "The cart has changed and needs another look."],
  cart_empty: [409, "The cart is empty."],
  invalid_transition: [409, "This cannot be done in the present state."],
  session_window_closed: [
    409,
    "The customer wrote more than 24 hours ago. Only a template may be sent now.",
  ],
  payment_mismatch: [
    409,
    "The payment is not what was agreed for this order. We are looking into it.",
  ],
  in_progress: [409, "The same request is still being worked on."],
  in_use: [409, "This is still in use."],
  already_exists: [409, "This exists already."],
  last_owner: [409, "The shop needs an owner: make somebody else one first."],
  role_fixed: [409, "This role cannot be changed."],
  version_mismatch: [412, "Somebody changed this since you read it."],
  payload_too_large: [413, "The request is too large."],
  unsupported_media_type: [415, "Send the body as application/json."],
  validation_failed: [422, "The given data was invalid."],
  idempotency_key_reused: [422, "This Idempotency-Key was used for a different request."],
  too_many_requests: [429, "Too many requests. Please wait a moment."],
  server_error: [500, "Something went wrong on our side."],
  unavailable: [503, "The service is busy. Please try again shortly."],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof table;
export const errorCodes = Object.keys(table) as ErrorCode[];
export const statusOf = (code: ErrorCode): number => table[code][0];
export const titleOf = (code: ErrorCode): string => table[code][1];

/** Dotted path → sentences a person can read. */
export type FieldErrors = Record<string, string[]>;

interface Refusal {
  message?: string;
  /** Only with 422. */
  errors?: FieldErrors;
  /** Machine-readable facts the caller may see. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal the caller is told about. Anything else that is thrown becomes a bare 500. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly refusal: Refusal;

  constructor(code: ErrorCode, refusal: Refusal = {}) {
    super(refusal.message ?? titleOf(code), { cause: refusal.cause });
    this.code = code;
    this.refusal = refusal;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** A 422 on one field. */
export function invalidField(path: string, sentence: string): AppError {
  return new AppError("validation_failed", { message: sentence, errors: { [path]: [sentence] } });
}

/** A 422 on everything that the rules of a record found wrong, at the paths they name. */
export function invalidFields(
  problems: readonly { readonly path: string; readonly message: string }[],
): AppError {
  const errors: FieldErrors = {};
  for (const { path, message } of problems) (errors[path] ??= []).push(message);
  const message = problems[0]?.message;
  return new AppError("validation_failed", { errors, ...(message !== undefined && { message }) });
}
