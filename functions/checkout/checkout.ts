import * as z from "zod";
import { CartToken } from "#shared/auth/opaque-tokens.ts";
import { CheckoutAnswer, CheckoutInput } from "#shared/domain/checkout/checkout.ts";
import { orderForBuyer } from "#shared/domain/order/order-view.ts";
import { locationHeaders } from "#shared/application/location.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";
import { firstPayment } from "./first-payment.ts";
import { openCheckout, placeOnce } from "./place-order.ts";

export const checkOut = route({
  method: "POST",
  path: "/checkout",
  summary: "Place an order",
  description:
    "Recalculates the cart and places an order for it. If the total differs from " +
    "`expected_total`, or without it a price differs from the cart's last write, this is a " +
    "409 `price_changed` with `details.totals`; send that total as `expected_total` to " +
    "accept it. Repeating the checkout of the same cart returns the same order, with " +
    "`Idempotent-Replayed: true`. For gateway payments `payment.action` is what the " +
    "storefront pays with; it is `none` if the gateway does not answer, and confirming the " +
    "order requests it again. `If-Match` accepts the cart's `ETag`.",
  access: optionalCustomer,
  limit: "checkout",
  idempotent: true,
  request: {
    headers: z.object({ "x-cart-token": CartToken.optional(), "if-match": IfMatch }),
    body: CheckoutInput.meta({
      example: {
        email: "asha@example.com",
        phone: "+919812345678",
        name: "Asha Rao",
        shipping_address: {
          line1: "4 Church Street",
          city: "Bengaluru",
          state: "Karnataka",
          postal_code: "560001",
          country: "IN",
          access: { floor: 2, lift: true },
        },
        shipping_method: "room_of_choice",
        payment_method: "bank_transfer",
        expected_total: 9740750,
      },
    }),
  },
  response: { status: 201, data: CheckoutAnswer },
  errors: [
    "not_found",
    "cart_empty",
    "cart_changed",
    "price_changed",
    "insufficient_stock",
    "version_mismatch",
  ],
  first: (call, deps: Deps) => openCheckout(call, deps),
  async handle(call, deps) {
    const { accessToken, ...placed } = await placeOnce(call, call.first, deps);
    const { payments } = call.first.settings;
    const { order, rows, payment } = await firstPayment(placed, payments, call.now, deps);
    const path =
      call.actor.kind === "customer" ? `/orders/${order.id}` : `/orders/track/${order.number}`;
    return {
      data: { order: orderForBuyer(order, rows), order_access_token: accessToken, payment },
      headers: locationHeaders(path, placed.replayed),
    };
  },
});

export const routes = [checkOut];
