/** Who a token can be for. Each guard has its own keys and audience, so that neither opens the other's doors. */
export type Guard = "customer" | "staff";

/** Names a session; it stands in its subject's partition. */
export interface SessionId {
  readonly guard: Guard;
  /** Id of the customer or staff user. */
  readonly subject: string;
  readonly session: string;
}

/** Who is calling, as far as the guard could prove it. */
export type Actor =
  | { readonly kind: "guest" }
  | { readonly kind: "customer" | "staff"; readonly id: string; readonly session: string };
