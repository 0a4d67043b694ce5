import * as z from "zod";
import { changeOf } from "../order-change.ts";
import { mayPrepare } from "./prepare-shipment.ts";
import { type OrderRecord, isInTheMaking } from "../order.ts";
import type { StaffStep } from "../staff-step.ts";

/** `PATCH /admin/orders/{id}/lines/{line}`. */
export const LinePatch = z.strictObject({ ready: z.literal(true) });
export type LinePatch = z.output<typeof LinePatch>;

/** Marks an added line that is made to order as ready to be packed. */
export function readyLine(record: OrderRecord, id: string, now: Date): StaffStep {
  const { items, status: from } = record.order;
  const line = items.find((item) => item.id === id);
  if (!line) return { kind: "unknown" };
  if (line.ready_at !== null) return { kind: "already" };
  if (!isInTheMaking(line)) {
    return {
      kind: "refused",
      from,
      message: "Only an added line that is made to order is marked as ready.",
    };
  }
  if (!mayPrepare(record)) {
    return { kind: "refused", from, message: "In its current state the order cannot be packed." };
  }
  const ready_at = now.toISOString();
  const set = { items: items.map((item) => (item === line ? { ...item, ready_at } : item)) };
  const entries = [{ type: "line_ready", message: `${line.name} is ready.`, public: true }];
  return { kind: "changed", change: changeOf(record, { set, entries }, now) };
}
