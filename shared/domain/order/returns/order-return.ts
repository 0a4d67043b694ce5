import * as z from "zod";
import { Id } from "../../base/ids.ts";
import { MoneySum } from "../../base/money.ts";
import { NullableTimestamp, Timestamp } from "../../base/text.ts";
import { BookedSlot } from "../../delivery/delivery-slot.ts";
import { Fault } from "../../settings/return-settings.ts";
import { OrderNumber } from "../order-number.ts";
import type { Machine } from "../status/order-states.ts";

export const ReturnKind = z.enum(["return", "warranty"]);
export type ReturnKind = z.output<typeof ReturnKind>;

/** What the buyer would like to have. */
export const ReturnWish = z.enum(["refund", "exchange", "repair"]);

export const ReturnStatus = z.enum([
  "requested",
  "approved",
  "declined",
  "pickup_scheduled",
  "received",
  "inspected",
  "refunded",
  "exchanged",
  "repaired",
  "closed",
  "cancelled",
]);
export type ReturnStatus = z.output<typeof ReturnStatus>;

export const returnMachine: Machine<ReturnStatus> = {
  requested: ["approved", "declined", "cancelled"],
  // Buyers may bring goods themselves, and a part may be sent to them without anything coming back.
  approved: ["pickup_scheduled", "received", "repaired", "cancelled"],
  pickup_scheduled: ["received", "cancelled"],
  received: ["inspected"],
  inspected: ["refunded", "exchanged", "repaired", "closed"],
  declined: [],
  refunded: [],
  exchanged: [],
  repaired: [],
  closed: [],
  cancelled: [],
};

/** Whether a return with this status still needs somebody. */
export const isOpenReturn = (status: ReturnStatus): boolean => returnMachine[status].length > 0;

/** The statuses of a return whose goods may have been inspected. */
export const afterInspection: ReadonlySet<ReturnStatus> = new Set([
  "inspected",
  ...returnMachine.inspected,
]);

/** What happens to a return: a status, or the way of its goods back to their buyer. */
export type ReturnEvent = ReturnStatus | "send_back_planned" | "sent_back";

/** What becomes of units that the shop accepts: on hand again, thrown away, or repaired and sent back to their buyer. */
export const AcceptedGoods = z.enum(["restock", "scrap", "repair"]);

/** What an inspection found. The three numbers add up to the item's quantity. */
export const Inspection = z.object({
  accepted: z.int().min(0).max(99).meta({ description: "Units that the shop accepts" }),
  goods: AcceptedGoods.meta({
    description: "What becomes of the accepted units. Those to `repair` stay the buyer's",
  }),
  refused: z.int().min(0).max(99).meta({ description: "Units that go back to the buyer" }),
  missing: z.int().min(0).max(99).meta({ description: "Units that did not arrive" }),
});
export type Inspection = z.output<typeof Inspection>;

/** Units of a line in a return. */
export const ReturnItem = z
  .object({
    id: z.string().meta({ description: "Id of the order's line" }),
    quantity: z.int().min(1),
    reason: z.string().meta({ description: "Code of the reason" }),
    reason_label: z.string(),
    fault: Fault,
    component: z.string().nullable().meta({
      description: "The component whose warranty is claimed; null for the whole item",
    }),
    note: z.string().nullable(),
    upload_ids: z.array(z.string()),
    inspection: Inspection.nullable(),
  })
  .meta({ id: "ReturnItem" });
export type ReturnItem = z.output<typeof ReturnItem>;

/** A return in which goods come back, or a warranty is claimed. It is a row of its order. */
export const OrderReturn = z.object({
  id: Id("ret"),
  order_id: Id("ord"),
  order_number: OrderNumber,
  status: ReturnStatus,
  kind: ReturnKind,
  wish: ReturnWish,
  items: z.array(ReturnItem).min(1),
  /** Id of the staff user who opened it; null for the buyer. */
  opened_by: z.string().nullable(),
  answer: z.string().nullable().meta({ description: "What the shop wrote to the buyer last" }),
  pickup: BookedSlot.nullable().meta({ description: "When the shop collects the goods" }),
  send_back: BookedSlot.nullable().meta({
    description: "When the van brings back what was refused or repaired",
  }),
  sent_back_at: NullableTimestamp,
  fee: MoneySum.meta({ description: "What the shop keeps of the goods' value" }),
  credited: MoneySum.meta({ description: "What the order is worth less, after the fee" }),
  refunded: MoneySum.meta({ description: "What was refunded of it" }),
  /** The first change of the order that a step of the return has made; null if none has. */
  change_id: Id("chg").nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  closed_at: NullableTimestamp,
});
export type OrderReturn = z.output<typeof OrderReturn>;

/** Units of a line that are in an open return, or still with the shop after it, so that no unit is in two returns. */
export const heldUnits = (returns: readonly OrderReturn[], line: string): number =>
  returns
    .flatMap(heldBy)
    .filter(({ id }) => id === line)
    .reduce((sum, { quantity }) => sum + quantity, 0);

/** Units that came back are held no more. */
function heldBy(found: OrderReturn): readonly { readonly id: string; readonly quantity: number }[] {
  if (isOpenReturn(found.status)) {
    return found.items.map(({ id, quantity, inspection }) => ({
      id,
      quantity: quantity - cameBack(inspection),
    }));
  }
  return awaitsSendBack(found) ? buyersUnits(found.items) : [];
}

/** The accepted units that leave the buyer's hands for good. */
export const cameBack = (inspection: Inspection | null): number =>
  inspection && inspection.goods !== "repair" ? inspection.accepted : 0;

/** The inspected units that stay the buyer's, because they were not accepted or were repaired, so that they are sent back. */
export const buyersUnits = (
  items: readonly ReturnItem[],
): { readonly id: string; readonly quantity: number }[] =>
  items.flatMap(({ id, inspection }) => {
    const quantity = inspection
      ? inspection.refused + inspection.accepted - cameBack(inspection)
      : 0;
    return quantity > 0 ? [{ id, quantity }] : [];
  });

/** Whether the shop has units of the return that it still has to send back. */
export const awaitsSendBack = ({ items, sent_back_at }: OrderReturn): boolean =>
  sent_back_at === null && buyersUnits(items).length > 0;

/** What open returns have credited, and have not refunded yet. */
export const awaitedRefunds = (returns: readonly OrderReturn[]): number =>
  returns
    .filter(({ status }) => isOpenReturn(status))
    .reduce((sum, { credited, refunded }) => sum + credited - refunded, 0);
