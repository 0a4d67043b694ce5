import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { confirmPayment } from "#shared/application/checkout/pay-order.ts";
import { OrderParams, openOrder } from "./own-order.ts";

export const confirmOrder = route({
  method: "POST",
  path: "/checkout/{order}/confirm",
  summary: "Confirm an order's payment",
  description:
    "Reads the payment's state from the gateway, and creates a payment if the order has none. " +
    "Safe to repeat: within 5 seconds the gateway is not called again and the current order is " +
    "returned. For cash on delivery and bank transfer, returns the current state. Returns 409 " +
    "`payment_mismatch` if the amount or currency of the payment is not what the order requires, " +
    "and 503 if the gateway does not answer. A guest sends the token of the cart, the order or " +
    "the mailed link.",
  access: optionalCustomer,
  limit: "payment",
  request: { params: OrderParams, headers: OrderProof },
  response: { status: 200, data: ConfirmAnswer },
  errors: ["payment_mismatch", "payment_refused"],
  first: (call, shop: Shop<"table" | "gateways" | "linkKeys" | "settings", CommerceGroup>) =>
    openOrder(call, shop),
  async handle(call, shop) {
    const [found, settings] = call.first;
    const record = await provenOrder(found, call, shop);
    return { data: await confirmPayment({ record, settings, now: call.now }, shop) };
  },
});

export const routes = [confirmOrder];
