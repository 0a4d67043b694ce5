import type { StoredOrder } from "./order.ts";

/** The tag by which staff declare an order a smoke test's. Only staff can tag orders. */
export const smokeTag = "smoke";

/**
 * Whether an order is a smoke test's, and so no part of any metric. The tag alone hides nothing: the order must also be
 * cancelled without ever having been paid, so that no sale can be hidden.
 */
export const isSmokeOrder = ({
  tags,
  status,
  paid,
}: Pick<StoredOrder, "tags" | "status" | "paid">): boolean =>
  tags.includes(smokeTag) && status === "cancelled" && paid === 0;
