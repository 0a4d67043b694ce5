import * as z from "zod";
import { DeliverySlot, shownSlot } from "../../delivery/delivery-slot.ts";
import { ReturnReason } from "../../settings/return-settings.ts";
import { type OrderRecord, StoredOrder } from "../order.ts";
import { OrderReturn, ReturnStatus, returnMachine } from "./order-return.ts";
import { type ReturnContext, ReturnableLine, returnableLines } from "./return-policy.ts";

/** A case for the buyer of its order. */
export const Return = OrderReturn.omit({
  order_id: true,
  order_number: true,
  opened_by: true,
  change_id: true,
}).extend({
  pickup: DeliverySlot.nullable().meta({ description: "When we collect the goods" }),
  give_back: DeliverySlot.nullable().meta({
    description: "When we bring back what we refused or mended",
  }),
  allowed_actions: z.array(z.literal("cancel")).meta({ description: "What the buyer may do now" }),
});
/** A case before its response. */
export type Return = z.input<typeof Return>;

export function returnForBuyer(found: OrderReturn): Return {
  const {
    order_id: _order,
    order_number: _number,
    opened_by: _by,
    change_id: _change,
    pickup,
    give_back,
    ...rest
  } = found;
  return {
    ...rest,
    pickup: shownSlot(pickup),
    give_back: shownSlot(give_back),
    allowed_actions: mayCancelReturn(found) ? ["cancel"] : [],
  };
}

export const mayCancelReturn = ({ status }: OrderReturn): boolean =>
  returnMachine[status].includes("cancelled");

/** The cases of an order, and what its buyer can still open one for. */
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

/** A case in the list of staff. */
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

/** A case for staff. */
export const AdminReturn = OrderReturn.omit({ order_id: true, order_number: true })
  .extend({
    pickup: DeliverySlot.nullable(),
    give_back: DeliverySlot.nullable(),
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

export function adminReturn(
  { order: { id, number, status, customer, currency, version } }: OrderRecord,
  { order_id: _order, order_number: _number, ...found }: OrderReturn,
): z.input<typeof AdminReturn> {
  return {
    ...found,
    pickup: shownSlot(found.pickup),
    give_back: shownSlot(found.give_back),
    order: { id, number, status, customer, currency },
    allowed_transitions: [...returnMachine[found.status]],
    version,
  };
}
