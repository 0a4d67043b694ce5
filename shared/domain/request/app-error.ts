import { namesOf } from "../base/members.ts";
import type { Problem } from "../base/names.ts";

/** code → HTTP status and default message. */
const table = {
  malformed_json: [400, "The request body is not valid JSON."],
  malformed_form: [400, "The request body is not a valid form."],
  bad_signature: [400, "The signature does not match."],
  unsupported_event: [400, "Send snapshot events, not thin ones."],
  unauthenticated: [401, "Sign in to use this."],
  second_factor_required: [401, "Also enter the code of your authenticator app."],
  forbidden: [403, "You do not have permission to do this."],
  second_factor_enrolment_required: [
    403,
    "Your role requires a second factor. Set up an authenticator app first.",
  ],
  not_found: [404, "The requested resource does not exist."],
  method_not_allowed: [405, "This address does not support this method."],
  insufficient_stock: [409, "There is not enough stock for this order."],
  price_changed: [409, "A price has changed since you last saw it."],
  cart_changed: [409, "The cart has changed. Review it, then try again."],
  cart_empty: [409, "The cart is empty."],
  slot_expired: [409, "The chosen delivery time is no longer held for you. Please choose again."],
  slot_taken: [409, "This delivery time is not available. Please choose another."],
  invalid_transition: [409, "This is not possible in the current state."],
  session_window_closed: [
    409,
    "The customer's last message is more than 24 hours old. Send a template instead.",
  ],
  order_locked: [409, "The order can no longer be changed in this way."],
  balance_due: [409, "The order's balance must be paid first."],
  payment_mismatch: [
    409,
    "The payment differs from what was agreed for this order. We are looking into it.",
  ],
  payment_refused: [409, "The payment gateway refuses this. Please use another payment method."],
  in_progress: [409, "The same request is still in progress. Please try again shortly."],
  in_use: [409, "This is still in use. Remove the references to it first."],
  already_exists: [409, "This already exists."],
  last_owner: [409, "The shop needs an owner. Make another user an owner first."],
  role_fixed: [409, "This role cannot be changed."],
  version_mismatch: [412, "This was changed since you read it. Read it again, then retry."],
  payload_too_large: [413, "The request is too large."],
  unsupported_media_type: [415, "Send the body as application/json."],
  validation_failed: [422, "The request is invalid."],
  idempotency_key_reused: [422, "This Idempotency-Key was used for a different request."],
  too_many_requests: [429, "Too many requests. Please wait a moment."],
  server_error: [500, "Something went wrong on our side."],
  unavailable: [503, "The service is busy. Please try again shortly."],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof table;
export const errorCodes = namesOf(table);
export const statusOf = (code: ErrorCode): number => table[code][0];
export const titleOf = (code: ErrorCode): string => table[code][1];

/** Dotted path → messages. */
export type FieldErrors = Record<string, string[]>;

interface Refusal {
  message?: string;
  /** Set only in 422 errors. */
  errors?: FieldErrors;
  /** Machine-readable facts for the caller. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that is reported to the caller. Any other error becomes a 500 without details. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly refusal: Refusal;

  constructor(code: ErrorCode, refusal: Refusal = {}) {
    const within = bounded(refusal);
    super(within.message ?? titleOf(code), { cause: refusal.cause });
    this.code = code;
    this.refusal = within;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** A 422 for one field. */
export function invalidField(path: string, sentence: string): AppError {
  return invalidFields([{ path, message: sentence }]);
}

/** A 422 for a request whose effect must not happen twice. */
export const keyRequired = (): AppError =>
  invalidField("Idempotency-Key", "The Idempotency-Key header is required.");

/** A 422 for all problems of a record, at their paths. `details.allowed` has the right values of the first that knows them. */
export function invalidFields(problems: readonly Readonly<Problem>[]): AppError {
  const errors = new Map<string, string[]>();
  for (const { path, message } of problems) {
    errors.set(path, [...(errors.get(path) ?? []), message]);
  }
  return invalid(errors, problems.find(({ allowed }) => allowed)?.allowed);
}

/**
 * A 422 for these paths. The first one provides the message.
 *
 * @param allowed the values that would be right
 */
export function invalid(
  errors: ReadonlyMap<string, string[]>,
  allowed?: readonly string[],
): AppError {
  const message = errors.values().next().value?.[0];
  return new AppError("validation_failed", {
    // A path may come from the caller and be "__proto__". `Object.fromEntries` defines it like any other member.
    errors: Object.fromEntries(errors),
    ...(message !== undefined && { message }),
    ...(allowed && { details: { allowed } }),
  });
}

/** The maximum number of paths in a 422. */
export const mostPaths = 100;
const mostSentences = 10;
const longestPath = 120;
const longestSentence = 300;

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** Bounds the size of an error: `details.truncated` says that paths were left out. */
function bounded({ message, errors, details, ...rest }: Refusal): Refusal {
  const entries = Object.entries(errors ?? {});
  const named = entries.slice(0, mostPaths).map(([path, sentences]): [string, string[]] => [
    cut(path, longestPath),
    // Several records, such as those of a circle, may have the same problem.
    [...new Set(sentences)]
      .slice(0, mostSentences)
      .map((sentence) => cut(sentence, longestSentence)),
  ]);
  const truncated = entries.length > mostPaths;
  return {
    ...rest,
    ...(message !== undefined && { message: cut(message, longestSentence) }),
    ...(errors && { errors: Object.fromEntries(named) }),
    ...((details || truncated) && { details: { ...details, ...(truncated && { truncated }) } }),
  };
}

/** The version that a caller expects, or several of which one must hold; undefined accepts any. */
export type ExpectedVersion = number | readonly number[] | undefined;

/**
 * Refuses a write with an outdated version.
 *
 * @param expected undefined if the caller sent no version
 * @throws AppError `version_mismatch`
 */
export function requireVersion(expected: ExpectedVersion, current: number): void {
  if (expected === undefined || [expected].flat().includes(current)) return;
  throw new AppError("version_mismatch", { details: { current_version: current } });
}

/** Returns the record. Throws AppError `not_found` if there is none. */
export function orNotFound<Record>(record: Record | undefined): Record {
  if (record === undefined) throw new AppError("not_found");
  return record;
}

/**
 * The error for a caller who may not have more of something now.
 *
 * @param options.seconds the time after which a retry may succeed
 */
export function tooMany(
  message: string,
  options: { readonly limit: number; readonly seconds: number; readonly now: Date },
): AppError {
  const { limit, seconds, now } = options;
  return new AppError("too_many_requests", {
    message,
    headers: {
      "Retry-After": String(seconds),
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(Math.floor(now.getTime() / 1000) + seconds),
    },
  });
}
