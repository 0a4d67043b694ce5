import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import * as z from "zod";
import { TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import { parseOrderNumber } from "#shared/domain/order/order-number.ts";
import { orderForTracking } from "#shared/domain/order/view/order-view.ts";
import { MachineText } from "#shared/domain/base/machine-text.ts";
import { Email } from "#shared/domain/base/text.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";

export const trackOrder = route({
  method: "GET",
  path: "/orders/track/{number}",
  summary: "Track an order",
  description:
    "With the order's `email`, also returns its totals, payment status, the timeline entries " +
    "about payment, and what the buyer may do. To act, the buyer proves access to the order.",
  access: anyone,
  limit: "tracking",
  request: {
    params: z.object({
      number: MachineText(60).meta({
        description: "`number` of the order, in upper or lower case, dashes optional",
        example: "FS-7K3M-92QX-4HT8",
      }),
    }),
    query: z.strictObject({ email: Email.optional() }),
  },
  response: { status: 200, data: TrackedOrder },
  first(
    { params, query: { email } },
    { table, settings }: Shop<"table" | "settings", CommerceGroup>,
  ) {
    const number = parseOrderNumber(params.number);
    return Promise.all([
      number ? openOrders(table).findByNumber(number) : undefined,
      email === undefined ? undefined : settings.current(),
    ]);
  },
  async handle({ query: { email }, first: [found, settings], now }) {
    if (!found) throw new AppError("not_found", { message: "There is no order with this number." });
    const tracker = email !== undefined && settings ? { email, settings, now } : null;
    return { data: orderForTracking(found, tracker) };
  },
});

export const routes = [trackOrder];
