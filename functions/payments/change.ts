import * as z from "zod";
import { OrderProof } from "#shared/auth/order-proof.ts";
import { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { provenOrder } from "#shared/http/proven-order.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";
import { OrderParams, openOrder } from "./own-order.ts";
import { payByGateway, payOtherwise } from "./pay-by.ts";

export const changePayment = route({
  method: "POST",
  path: "/checkout/{order}/payment",
  summary: "Pay an order once more, or in another way",
  description:
    "While the order is `pending_payment`. What was open at the gateway is ended before another way is taken; if it " +
    "has succeeded meanwhile, that counts and is what is answered. An order for which nothing can be paid any more is " +
    "a 409 `invalid_transition` that says why. The order waits as long as the new way takes, but " +
    "no longer after it was placed than the slowest way that is offered. Proven as for confirm.",
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
  errors: ["invalid_transition", "in_progress", "payment_mismatch"],
  first: (call, deps: Deps) => openOrder(call, deps),
  async handle(call, deps) {
    const [found, settings] = call.first;
    const record = provenOrder(found, call);
    const { payment_method: method } = call.body;
    const wish = { record, settings, now: call.now };
    return {
      data: await (method === "gateway"
        ? payByGateway(wish, deps)
        : payOtherwise(wish, method, deps)),
    };
  },
});

export const routes = [changePayment];
