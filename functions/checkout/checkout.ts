import type { Shop } from "#shared/application/shop.ts";
import { CheckoutAnswer, CheckoutInput } from "#shared/domain/checkout/checkout.ts";
import { orderForBuyer } from "#shared/domain/order/view/order-view.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { count } from "#shared/runtime/count.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { WriteHeaders } from "#shared/http/cart-headers.ts";
import { beginFirstPayment } from "#shared/application/checkout/begin-first-payment.ts";
import { openCheckout, placeOnce } from "#shared/application/checkout/place-cart.ts";

export const placeOrder = route({
  method: "POST",
  path: "/checkout",
  summary: "Place an order",
  description:
    "Recalculates the cart and places an order. Returns 409 `price_changed` with " +
    "`details.totals` if the total differs from `expected_total` or, without it, if a price has " +
    "changed since the cart's last write. To accept the new total, send it as " +
    "`expected_total`. Repeating the checkout of the same cart returns the same order, with " +
    "`Idempotent-Replayed: true`. For gateway payments `payment.action` tells the storefront how " +
    "to pay. It is `none` if the gateway does not answer; confirming the order then asks the " +
    "gateway again. `If-Match` accepts the cart's `ETag`. A held delivery window is booked; 409 `slot_expired` and " +
    "`slot_taken` offer others in `details.alternatives`. Where no window can be chosen, as with an item that is made " +
    "to order, `slot_taken` offers none: release the window with `PUT /cart/slot` and `{date: null}`.",
  access: optionalCustomer,
  limit: "checkout",
  idempotent: true,
  request: {
    headers: WriteHeaders,
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
    "slot_expired",
    "slot_taken",
    "version_mismatch",
  ],
  open: (call, shop: Shop<"table" | "gateways" | "linkKeys" | "log" | "randomBytes" | "rates">) =>
    openCheckout(call, shop),
  async handle(call, shop) {
    const { accessToken, ...placed } = await countRefusals(placeOnce(call, call.opened, shop));
    const { now, opened } = call;
    const { payments } = opened.settings;
    const { order, rows, payment } = await beginFirstPayment(placed, payments, now, shop);
    const shown = orderForBuyer({ order, rows }, { settings: opened.settings, now });
    const path =
      call.actor.kind === "customer" ? `/orders/${order.id}` : `/orders/track/${order.number}`;
    return {
      data: { order: shown, order_access_token: accessToken, payment },
      headers: locationHeaders(path, placed.replayed),
    };
  },
});

async function countRefusals<Result>(placing: Promise<Result>): Promise<Result> {
  try {
    return await placing;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await count("OrdersRefused", error.code);
    throw error;
  }
}

export const routes = [placeOrder];
