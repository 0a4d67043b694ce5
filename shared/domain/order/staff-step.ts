import type { OrderChange } from "./order-step.ts";

/** What staff's step in a part of an order does. */
export type StaffStep =
  /** The order has no such part. */
  | { readonly kind: "unknown" }
  /** The part already is as asked for: a repeat changes nothing. */
  | { readonly kind: "already" }
  /** @see `from` is the part's present state */
  | { readonly kind: "refused"; readonly from: string; readonly message: string }
  | { readonly kind: "changed"; readonly change: OrderChange };
