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

/** The session of a request; only for routes that require a customer or staff user. */
export function sessionOf(actor: Actor): SessionId {
  if (actor.kind === "guest") throw new TypeError("Expected a signed-in caller");
  return { guard: actor.kind, subject: actor.id, session: actor.session };
}

/**
 * Returns the id of the signed-in customer. Only routes with `access: customer` may call it: it throws TypeError for
 * other callers.
 */
export function customerId(actor: Actor): string {
  if (actor.kind !== "customer") throw new TypeError("Expected a customer");
  return actor.id;
}
