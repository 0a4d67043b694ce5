import * as z from "zod";
import { DeliverySlot } from "../../delivery/delivery-slot.ts";
import { ReturnReason } from "../../settings/return-settings.ts";
import { type OrderRecord, StoredOrder } from "../order.ts";
import { isUnfulfilled } from "../status/order-states.ts";
import { OrderReturn, ReturnStatus, returnMachine } from "./order-return.ts";
import { type ReturnContext, ReturnableLine, returnableLines } from "./return-policy.ts";

/** A return for the buyer of its order. */
export const Return = OrderReturn.omit({
  order_id: true,
  order_number: true,
  opened_by: true,
  change_id: true,
}).extend({
  pickup: DeliverySlot.nullable().meta({ description: "When we collect the goods" }),
  send_back: DeliverySlot.nullable().meta({
    description: "When we bring back what we refused or repaired",
  }),
  allowed_actions: z.array(z.literal("cancel")).meta({ description: "What the buyer may do now" }),
});
/** A return before its response. */
export type Return = z.input<typeof Return>;

export const returnForBuyer = (found: OrderReturn): Return => ({
  ...found,
  allowed_actions: mayCancelReturn(found) ? ["cancel"] : [],
});

export const mayCancelReturn = ({ status }: OrderReturn): boolean =>
  returnMachine[status].includes("cancelled");

/** The returns of an order, and what its buyer can still open one for. */
export const OrderReturns = z.object({
  returns: z.array(Return),
  items: z.array(ReturnableLine),
  reasons: z.array(ReturnReason),
});

export const returnsForBuyer = (
  record: OrderRecord,
  context: ReturnContext,
): z.input<typeof OrderReturns> => ({
  returns: record.rows.returns.map(returnForBuyer),
  items: returnableLines(record, context),
  reasons: context.settings.returns.reasons,
});

/** A return in the list of staff. */
export const AdminReturnSummary = OrderReturn.pick({
  id: true,
  order_id: true,
  order_number: true,
  status: true,
  kind: true,
  wish: true,
  credited: true,
  created_at: true,
  updated_at: true,
}).extend({ item_count: z.int().meta({ description: "Units of all items" }) });

export const returnSummary = ({
  items,
  ...rest
}: OrderReturn): z.input<typeof AdminReturnSummary> => ({
  ...rest,
  item_count: items.reduce((sum, { quantity }) => sum + quantity, 0),
});

/** A return for staff. */
export const AdminReturn = OrderReturn.omit({ order_id: true, order_number: true })
  .extend({
    pickup: DeliverySlot.nullable(),
    send_back: DeliverySlot.nullable(),
    order: StoredOrder.pick({
      id: true,
      number: true,
      status: true,
      customer: true,
      currency: true,
    }),
    allowed_transitions: z
      .array(ReturnStatus)
      .meta({ description: "The statuses that `PATCH` can set now" }),
    version: StoredOrder.shape.version.meta({ description: "The version of the order" }),
  })
  .meta({ id: "AdminReturn" });

/** Nothing can be added to an order that has ended. */
const movesFrom = (status: ReturnStatus, { order }: OrderRecord): ReturnStatus[] =>
  returnMachine[status].filter((to) => to !== "exchanged" || !isUnfulfilled(order.status));

export function adminReturn(record: OrderRecord, found: OrderReturn): z.input<typeof AdminReturn> {
  const { id, number, status, customer, currency, version } = record.order;
  return {
    ...found,
    order: { id, number, status, customer, currency },
    allowed_transitions: movesFrom(found.status, record),
    version,
  };
}
