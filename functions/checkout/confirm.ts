import * as z from "zod";
import { CartToken } from "#shared/auth/opaque-tokens.ts";
import { ConfirmAnswer } from "#shared/domain/checkout.ts";
import type { StoredOrder } from "#shared/domain/order.ts";
import { orderForBuyer, paymentOf } from "#shared/domain/order-view.ts";
import { AppError } from "#shared/http/errors.ts";
import { type Actor, optionalCustomer, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";
import { matchesHash, orderAccessToken } from "./tokens.ts";

const ProofHeaders = z.object({
  "x-cart-token": CartToken.optional(),
  "x-order-token": z
    .string()
    .max(255)
    .optional()
    .meta({ description: "The `order_access_token` of the checkout" }),
});

export const confirmPayment = route({
  method: "POST",
  path: "/checkout/{order}/confirm",
  summary: "Confirm an order's payment",
  description:
    "Repeatable. Cash on delivery and bank transfer answer their present state. " +
    "A guest proves the order with the cart's token or the order's own.",
  access: optionalCustomer,
  request: {
    params: z.object({ order: z.string().max(60).meta({ description: "The order's id" }) }),
    headers: ProofHeaders,
  },
  response: { status: 200, data: ConfirmAnswer },
  first: async ({ params }, { orders, settings }: Deps) =>
    Promise.all([orders.find(params.order), settings.current()]),
  async handle({ actor, headers, first: [found, settings] }) {
    if (!found || !isBuyer(found.order, actor, headers))
      throw new AppError("not_found", { message: "There is no such order." });
    const { order, rows } = found;
    return {
      data: { order: orderForBuyer(order, rows), payment: paymentOf(order, settings.payments) },
    };
  },
});

function isBuyer(
  { id, customer, access_token_hash }: StoredOrder,
  actor: Actor,
  headers: z.output<typeof ProofHeaders>,
): boolean {
  if (customer.id !== null) return actor.kind === "customer" && actor.id === customer.id;
  if (access_token_hash === null) return false;
  const { "x-cart-token": cartToken, "x-order-token": orderToken } = headers;
  const proofs = [orderToken, cartToken && orderAccessToken(cartToken, id)];
  return proofs.some((proof) => proof !== undefined && matchesHash(proof, access_token_hash));
}
