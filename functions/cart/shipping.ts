import type { Shop } from "#shared/application/shop.ts";
import { QueryItems } from "#shared/domain/cart/cart-input.ts";
import * as z from "zod";
import {
  DestinationQuery,
  ShippingMethod,
  ShippingQuote,
} from "#shared/domain/delivery/shipping.ts";
import { OfferedSlots, type WantedDelivery, slotsFor } from "#shared/domain/delivery/slot-zone.ts";
import { PaymentPlans, depositOf, paymentPlans } from "#shared/domain/pricing/payment-plans.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { type priceLines, openCart } from "#shared/application/cart/read-cart.ts";
import { ReadHeaders } from "#shared/http/cart-headers.ts";
import { destinationOf, linesToDeliver } from "#shared/application/cart/price-delivery.ts";

/** Each delivery method has the payment plans of the total with its price, and its delivery times. */
const QuoteWithPlans = ShippingQuote.extend({
  methods: z.array(
    ShippingMethod.extend({ payment_plans: PaymentPlans, slots: OfferedSlots.nullable() }),
  ),
}).meta({ id: "ShippingQuote" });

export const quoteShipping = route({
  method: "GET",
  path: "/shipping/quote",
  summary: "List delivery methods for a destination",
  description:
    "Quotes delivery of the cart, or of `items`. A destination that the shop does not serve returns 200 with " +
    "`serviceable: false`.",
  access: optionalCustomer,
  request: {
    headers: ReadHeaders,
    query: DestinationQuery.extend({ items: QueryItems.optional() }),
  },
  response: { status: 200, data: QuoteWithPlans },
  open: (call, shop: Shop<"table" | "catalogReads" | "settings", CommerceGroup>) =>
    openCart(call, shop),
  async handle(call, shop) {
    const { opened, query, now } = call;
    const { settings } = opened;
    const delivery = { settings, destination: destinationOf(query, settings), now };
    const choices = { ...delivery, method: null };
    const priced = await linesToDeliver(call, query.items, choices, shop);
    return { data: quoteOf(priced, delivery) };
  },
});

/** The quote of priced lines, with the payment plans and delivery times of each delivery method. */
function quoteOf(
  { lines, pricing: { quote, totals } }: ReturnType<typeof priceLines>,
  delivery: Omit<WantedDelivery, "method"> & { readonly settings: Settings },
): z.input<typeof QuoteWithPlans> {
  const items = lines.map(({ line }) => line);
  const methods = quote!.methods.map((method) => {
    const total = totals.grand_total + method.amount;
    const deposit = depositOf(total, items, delivery.settings.payments);
    return {
      ...method,
      payment_plans: paymentPlans(total, deposit),
      slots: slotsFor(items, { ...delivery, method: method.code }),
    };
  });
  return { ...quote!, methods };
}

export const routes = [quoteShipping];
