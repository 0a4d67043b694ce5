import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import * as z from "zod";
import { bookPayment } from "#shared/application/order/book-payment.ts";
import { recordCheque, undoPayment } from "#shared/application/order/staff-steps.ts";
import { ChequePatch, VoidInput } from "#shared/domain/payment/correct-payment.ts";
import { Transaction } from "#shared/domain/payment/payment.ts";
import { PaymentInput } from "#shared/domain/payment/record-payment.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Call, route, staff } from "#shared/http/route.ts";

const example: z.input<typeof PaymentInput> = {
  amount: 4599000,
  tender: "bank_transfer",
  reference: "AXISN25111200034",
  received_on: "2026-11-20",
};

const PaymentAnswer = z.object({ order: AdminOrder, payment: Transaction });
const answerOf = (
  { record, transaction }: { record: OrderRecord; transaction: Transaction },
  { permissions }: Pick<Call, "permissions">,
) => ({
  data: { order: adminOrder(record, permissions), payment: transaction },
  version: record.order.version,
});
const ofPayment = byId.extend({ transaction: z.string().max(60) });

export const addPayment = route({
  method: "POST",
  path: "/admin/orders/{id}/payments",
  summary: "Record a payment received for an order",
  description:
    "The full amount confirms an order that awaits payment; a part of it, and a cheque that is not cleared yet, " +
    "prevent expiry. A partial payment and an overpayment set an attention flag. A payment for an expired order " +
    "confirms it if its stock is available again; otherwise, and for a cancelled order, staff must refund it. A " +
    "second payment with the same reference returns 409 `already_exists`; that of another order is accepted with " +
    "`again`.",
  access: staff("orders.update"),
  idempotent: "required",
  request: { params: byId, body: PaymentInput.meta({ example }), headers: ifMatch },
  response: {
    status: 201,
    data: PaymentAnswer,
    headers: ["ETag"],
  },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "settings", CommerceGroup>) =>
    openOrders(table).find(params.id),
  async handle(call, shop) {
    return bookPayment(call, shop, (record, transaction) =>
      answerOf({ record, transaction }, call),
    );
  },
});

export const changePayment = route({
  method: "PATCH",
  path: "/admin/orders/{id}/payments/{transaction}",
  summary: "Record that a cheque is cleared or has bounced",
  description: "A cleared cheque counts as received today. Repeating the call changes nothing.",
  access: staff("orders.update"),
  request: {
    params: ofPayment,
    body: ChequePatch.meta({ example: { state: "cleared" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: PaymentAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "settings", "payments" | "store">) =>
    openOrders(table).find(params.id),
  async handle(call, shop) {
    return answerOf(await recordCheque(call, call.first, shop), call);
  },
});

export const voidPayment = route({
  method: "POST",
  path: "/admin/orders/{id}/payments/{transaction}/void",
  summary: "Void a payment that was entered by mistake",
  description:
    "The payment stays in the ledger and counts nowhere; the order's status stays. A payment at the gateway, and one " +
    "that was refunded, cannot be voided. Repeating the call changes nothing.",
  access: staff("orders.refund"),
  request: {
    params: ofPayment,
    body: VoidInput.meta({ example: { reason: "Belongs to another order" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: PaymentAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "settings", "payments" | "store">) =>
    openOrders(table).find(params.id),
  async handle(call, shop) {
    return answerOf(await undoPayment(call, call.first, shop), call);
  },
});

export const routes = [addPayment, changePayment, voidPayment];
