import { OrderProof } from "#shared/auth/order-proof.ts";
import { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { provenOrder } from "#shared/http/proven-order.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { askSparingly } from "#shared/application/payment/ask-sparingly.ts";
import { openPayments } from "#shared/application/payment/begin-payment.ts";
import type { Deps } from "./deps.ts";
import { OrderParams, asAsked, asItStands, openOrder } from "./own-order.ts";

export const confirmPayment = route({
  method: "POST",
  path: "/checkout/{order}/confirm",
  summary: "Confirm an order's payment",
  description:
    "Asks the gateway itself how the payment stands, and gives the order a payment where it has none yet. Repeatable: " +
    "within 5 seconds the gateway is not asked again, and the order is answered as it stands. " +
    "Cash on delivery and bank transfer answer their present state. A payment that is not what was agreed is a 409 " +
    "`payment_mismatch`; while the gateway does not answer it is a 503. " +
    "A guest proves the order with the cart's token, the order's own, or the one of the mailed link to pay.",
  access: optionalCustomer,
  limit: "payment",
  request: { params: OrderParams, headers: OrderProof },
  response: { status: 200, data: ConfirmAnswer },
  errors: ["payment_mismatch"],
  first: (call, deps: Deps) => openOrder(call, deps),
  async handle(call, deps) {
    const [found, { payments }] = call.first;
    const record = provenOrder(found, call);
    const gateway = mayHear(record) ? await deps.gateways.configured() : null;
    if (!gateway) return { data: asItStands(record, payments) };
    const begins = payments.gateway.enabled;
    const asked = await askSparingly(deps, record, gateway, { begins, now: call.now });
    return { data: asAsked(asked, gateway, payments) };
  },
});

/** Whether the gateway may have something to say of it that it does not know. */
function mayHear(record: OrderRecord): boolean {
  const { payment_method, status } = record.order;
  if (payment_method !== "gateway") return false;
  return status === "pending_payment" || openPayments(record).length > 0;
}

export const routes = [confirmPayment];
