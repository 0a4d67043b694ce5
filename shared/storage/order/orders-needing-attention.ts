import * as z from "zod";
import type { StoredOrder } from "../../domain/order/order.ts";
import { entity } from "../entity.ts";
import { type Write, put, remove } from "../writes.ts";

/** The orders that need attention, sorted by the time they were placed. */
export const OrdersNeedingAttention = entity({
  name: "order_to_see",
  notExported: "derived",
  schema: z.object({ order_id: z.string(), placed_at: z.string() }),
  key: ({ placed_at, order_id }: { placed_at: string; order_id: string }) => ({
    pk: "ORDERSTOSEE",
    sk: `${placed_at}#${order_id}`,
  }),
});

type Seen = Pick<StoredOrder, "id" | "placed_at" | "attention">;

const needsAttention = ({ attention }: Seen) => attention.length > 0;

/** Adds an order to the list or removes it, as its change requires. */
export function followAttention(before: Seen, after: Seen): Write[] {
  if (needsAttention(before) === needsAttention(after)) return [];
  const row = { order_id: before.id, placed_at: before.placed_at };
  return [
    needsAttention(after) ? put(OrdersNeedingAttention, row) : remove(OrdersNeedingAttention, row),
  ];
}
