import * as z from "zod";
import { bookPayment } from "#shared/application/order/book-payment.ts";
import { Transaction } from "#shared/domain/payment/payment.ts";
import { PaymentInput } from "#shared/domain/payment/record-payment.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/admin-order.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";

const example: z.input<typeof PaymentInput> = {
  amount: 4599000,
  method: "bank_transfer",
  reference: "AXISN25111200034",
  received_on: "2026-11-20",
};

export const addPayment = route({
  method: "POST",
  path: "/admin/orders/{id}/payments",
  summary: "Record a payment received for an order",
  description:
    "Records cash or a bank transfer. The full amount confirms an order that awaits " +
    "payment; a part of it prevents expiry. A partial payment and an overpayment set an " +
    "attention flag. A payment for an expired order confirms it if its stock is " +
    "available again; otherwise, and for a cancelled order, staff must refund it. A " +
    "second payment with the same reference returns 409 `already_exists`.",
  access: staff("orders.update"),
  idempotent: "required",
  request: { params: byId, body: PaymentInput.meta({ example }), headers: ifMatch },
  response: {
    status: 201,
    data: z.object({ order: AdminOrder, payment: Transaction }),
    headers: ["ETag"],
  },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call, deps) {
    return bookPayment(call, deps, (record, payment) => ({
      data: { order: adminOrder(record, call.permissions), payment },
      version: record.order.version,
    }));
  },
});

export const routes = [addPayment];
