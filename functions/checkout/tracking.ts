import * as z from "zod";
import { TrackedOrder } from "#shared/domain/order/order.ts";
import { parseOrderNumber } from "#shared/domain/order/order-number.ts";
import { orderForTracking } from "#shared/domain/order/order-view.ts";
import { Email } from "#shared/domain/base/text.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import type { Deps } from "./deps.ts";

export const trackOrder = route({
  method: "GET",
  path: "/orders/track/{number}",
  summary: "Track an order",
  description:
    "With the order's `email`, also returns its totals, payment status and the timeline " +
    "entries about payment.",
  access: anyone,
  limit: "tracking",
  request: {
    params: z.object({
      number: z.string().max(60).meta({
        description: "In upper or lower case, dashes optional",
        example: "FS-7K3M-92QX-4HT8",
      }),
    }),
    query: z.strictObject({ email: Email.optional() }),
  },
  response: { status: 200, data: TrackedOrder },
  async first({ params }, { table }: Deps) {
    const number = parseOrderNumber(params.number);
    return number ? openOrders(table).findByNumber(number) : undefined;
  },
  async handle({ query, first: found }) {
    if (!found) throw new AppError("not_found", { message: "There is no order with this number." });
    return { data: orderForTracking(found.order, found.rows, query.email ?? null) };
  },
});

export const routes = [trackOrder];
