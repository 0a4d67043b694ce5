import type { StoredOrder } from "./order.ts";

/** The tag that marks an order as part of a smoke test. Only staff can tag orders. */
export const smokeTag = "smoke";

/**
 * Whether an order belongs to a smoke test, so that no metric counts it. The tag alone is not enough: the order must
 * also be cancelled and never paid, so that no sale can be hidden from the metrics.
 */
export const isSmokeOrder = ({
  tags,
  status,
  paid,
}: Pick<StoredOrder, "tags" | "status" | "paid">): boolean =>
  tags.includes(smokeTag) && status === "cancelled" && paid === 0;
