/**
 * The kind of account that a token is for. Each guard has its own keys and audience, so neither accepts the other's
 * tokens.
 */
export type Guard = "customer" | "staff";

/** The key of a session, in its subject's partition. */
export interface SessionId {
  readonly guard: Guard;
  /** Id of the customer or staff user. */
  readonly subject: string;
  readonly session: string;
}

/** The authenticated caller. */
export type Actor =
  | { readonly kind: "guest" }
  | { readonly kind: "customer" | "staff"; readonly id: string; readonly session: string };
