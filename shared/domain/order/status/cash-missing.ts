import { lacksCash } from "../../payment/owing.ts";
import { changeOf } from "../order-change.ts";
import type { OrderChange } from "../order-step.ts";
import type { OrderRecord } from "../order.ts";

const dayMs = 86_400_000;

/** When staff are told that the cash of an order is missing; null if it is not, or they were told. */
export function cashMissingAt({ order, rows }: OrderRecord): string | null {
  const { delivered_at } = order;
  if (!lacksCash(order) || delivered_at === null) return null;
  const since = new Date(Date.parse(delivered_at) + dayMs).toISOString();
  return rows.timeline.some(({ type, at }) => type === "cash_missing" && at >= since)
    ? null
    : since;
}

/** Flags an order whose cash is missing a day after its delivery; undefined if it is not. */
export function missCash(record: OrderRecord, now: Date): OrderChange | undefined {
  const since = cashMissingAt(record);
  if (since === null || Date.parse(since) > now.getTime()) return undefined;
  const message = "The order was delivered, but its cash was not recorded.";
  return changeOf(
    record,
    {
      entries: [{ type: "cash_missing", message, public: false }],
      attention: [{ code: "cash_missing", message }],
    },
    now,
  );
}
