import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";

export const OrderParams = z.object({
  order: z.string().max(60).meta({ description: "`id` of the order, not its `number`" }),
});

/** Reads the order in the path and the settings in one step. */
export const openOrder = (
  { params }: { params: z.output<typeof OrderParams> },
  { table, settings }: Shop<"table" | "settings", CommerceGroup>,
): Promise<[OrderRecord | undefined, Settings]> =>
  Promise.all([openOrders(table).find(params.order), settings.latest()]);
