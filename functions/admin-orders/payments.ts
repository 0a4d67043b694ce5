import * as z from "zod";
import { newId } from "#shared/domain/base/ids.ts";
import { Transaction } from "#shared/domain/payment/payment.ts";
import { PaymentInput, recordPayment } from "#shared/domain/payment/record-payment.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/admin-order.ts";
import { AppError, invalidField, orNotFound } from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";
import type { OrderStep } from "#shared/application/payment/step-order.ts";
import type { Deps } from "./deps.ts";
import { bookOnce } from "./step-once.ts";

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
    const id = newId("txn", call.now);
    const { store } = await deps.settings.current();
    const today = dayIn(store.timezone, call.now);
    const step = bookingStep(call.body, { id, today });
    return bookOnce(call, deps, { what: "payment", id, step }, (record) => ({
      data: {
        order: adminOrder(record, call.permissions),
        payment: orNotFound(record.rows.transactions.find((row) => row.id === id)),
      },
      version: record.order.version,
    }));
  },
});

function bookingStep(body: PaymentInput, facts: { id: string; today: string }): OrderStep {
  return (record, context) => {
    const outcome = recordPayment(record, body, facts, context);
    switch (outcome.kind) {
      case "refused":
        throw invalidField(outcome.path, outcome.message);
      case "repeated": {
        const { id, provider_ref: reference } = outcome.earlier;
        throw new AppError("already_exists", {
          message: "The order already has a payment with this reference.",
          details: { path: "reference", id, reference },
        });
      }
      case "recorded":
        return outcome.change;
    }
  };
}

export const routes = [addPayment];
