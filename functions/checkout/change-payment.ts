import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import { type CommerceGroup, PaymentMethod } from "#shared/domain/settings/settings.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { OrderParams, openOrder } from "./own-order.ts";
import { payBy } from "#shared/application/checkout/pay-order.ts";

export const changePayment = route({
  method: "POST",
  path: "/checkout/{order}/payment",
  summary: "Retry a payment or change the payment method",
  description:
    "Pays what is due next: allowed while the order is `pending_payment`, or while the balance of " +
    "its `payment_schedule` is not paid. `cod` for a balance makes it `on_delivery`. An open gateway payment is cancelled before " +
    "the method changes; if it has already succeeded, it is recorded and returned instead. " +
    "Returns 409 `invalid_transition` with the reason if the order can no longer be paid. The new " +
    "method's payment period starts now. It ends no later than the longest period of an offered " +
    "method, counted from the order's placement. Authorized like `POST /checkout/{order}/confirm`.",
  access: optionalCustomer,
  limit: "payment",
  request: {
    params: OrderParams,
    headers: OrderProof,
    body: z
      .strictObject({ payment_method: PaymentMethod })
      .meta({ example: { payment_method: "bank_transfer" } }),
  },
  response: { status: 200, data: ConfirmAnswer },
  errors: ["invalid_transition", "in_progress", "payment_mismatch", "payment_refused"],
  open: (call, shop: Shop<"table" | "gateways" | "linkKeys" | "settings", CommerceGroup>) =>
    openOrder(call, shop),
  async handle(call, shop) {
    const [found, settings] = call.opened;
    const record = await provenOrder(found, call, shop);
    const request = { record, settings, now: call.now };
    return { data: await payBy(request, call.body.payment_method, shop) };
  },
});

export const routes = [changePayment];
