import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { refundOrder } from "#shared/application/order/refund-order.ts";
import { recordRefund } from "#shared/application/order/staff-steps.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { Transaction } from "#shared/domain/payment/payment.ts";
import { RefundInput } from "#shared/domain/payment/refund/plan-refund.ts";
import { Reference } from "#shared/domain/payment/record-payment.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/view/admin-order.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";

const RefundAnswer = z.object({
  order: AdminOrder,
  refunds: z
    .array(Transaction)
    .meta({ description: "One refund for each charge that is refunded" }),
});
const example: z.input<typeof RefundInput> = {
  items: [{ id: "line_01JD0000000000000000000001", quantity: 1 }],
  restock: true,
  reason: "Scratched on arrival",
};

const answerOf = (
  record: OrderRecord,
  refunds: Transaction[],
  { permissions }: Pick<Call, "permissions">,
): Answer<z.input<typeof RefundAnswer>> => ({
  data: { order: adminOrder(record, permissions), refunds },
  version: record.order.version,
});

export const addRefund = route({
  method: "POST",
  path: "/admin/orders/{id}/refunds",
  summary: "Refund an order",
  description:
    "Takes units off that were not sent, lowers the price by units that were, and pays what was received beyond " +
    "the order's value. An `amount` beyond both lowers the price too. While money is due it needs `pay_again`, " +
    "which lowers nothing. If nothing would be left of an order of which nothing was sent, 409 " +
    "`invalid_transition` points to `cancelled`. Gateway " +
    "payments are refunded through the gateway before the response; if the gateway is slow or " +
    "unreachable, the refund is `pending` and completes automatically. If the gateway " +
    "would refuse it, 409 `payment_refused` has its reason: " +
    "refund in another way, with `method`. A refund that fails later gets the attention flag `refund_failed`. " +
    "While the gateway is processing the refund, a repeat returns 409 `in_progress`.",
  access: staff("orders.refund"),
  idempotent: "required",
  request: { params: byId, body: RefundInput.meta({ example }), headers: ifMatch },
  response: { status: 201, data: RefundAnswer, headers: ["ETag"] },
  errors: ["in_progress", "invalid_transition", "payment_refused", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "gateways" | "log">) =>
    openOrders(table).find(params.id),
  async handle(call, shop) {
    const booked = await refundOrder(call, shop);
    const answer = answerOf(booked.record, booked.refunds, call);
    return { ...answer, headers: booked.headers };
  },
});

export const completeRefund = route({
  method: "PATCH",
  path: "/admin/orders/{id}/refunds/{transaction}",
  summary: "Complete a refund in cash or by transfer",
  description: "Repeating the call with the same reference changes nothing.",
  access: staff("orders.refund"),
  request: {
    params: byId.extend({ transaction: z.string().max(60) }),
    body: z
      .strictObject({ reference: Reference })
      .meta({ example: { reference: "AXISN25112100077" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: RefundAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => openOrders(table).find(params.id),
  async handle(call, shop) {
    const { record, transaction } = await recordRefund(call, call.first, shop);
    return answerOf(record, [transaction], call);
  },
});

export const routes = [addRefund, completeRefund];
