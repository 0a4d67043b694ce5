import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import { proofHeaders } from "#shared/auth/order-proof.ts";
import type { RouteAccess } from "#shared/http/route.ts";
import * as z from "zod";
import type { ActionContext } from "#shared/domain/order/view/buyer-order.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { orderForBuyer } from "#shared/domain/order/view/order-view.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";

/** A signed-in customer, or a guest who sends a token that may prove access to the order. */
export const orderBuyer: RouteAccess = { guard: "optional", guestSends: proofHeaders };

export const OwnOrderParams = z.object({
  id: z.string().max(60).meta({ description: "`id` of the order, not its `number`" }),
});

/** Reads the order in the path and the settings in one step. */
export const openOwnOrder = (
  { params }: { params: z.output<typeof OwnOrderParams> },
  { table, settings }: Shop<"table" | "settings", CommerceGroup>,
): Promise<[OrderRecord | undefined, Settings]> =>
  Promise.all([openOrders(table).find(params.id), settings.current()]);

/** The response with an order. */
export const orderAnswer = (record: OrderRecord, context: ActionContext) => ({
  data: orderForBuyer(record, context),
  version: record.order.version,
});
