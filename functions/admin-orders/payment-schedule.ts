import * as z from "zod";
import { AdminOrder, adminOrder } from "#shared/domain/order/admin-order.ts";
import { PartPatch, waivePart } from "#shared/domain/order/balance.ts";
import {
  type ExpectedVersion,
  AppError,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type OrderStep, stepOrder } from "#shared/application/payment/step-order.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { targetOf } from "./change-order.ts";
import type { Deps } from "./deps.ts";

export const waiveBalance = route({
  method: "PATCH",
  path: "/admin/orders/{id}/payment-schedule/{code}",
  summary: "Waive the balance of an order",
  description:
    "Lets the order leave before its balance is paid. The money is still owed: to forgive it, " +
    "refund it once it is paid. Waiving a waived balance changes nothing.",
  access: staff("orders.refund"),
  request: {
    params: byId.extend({ code: z.string().max(60) }),
    body: PartPatch.meta({ example: { state: "waived", reason: "Pays by cheque on delivery" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminOrder, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call, deps) {
    const { params, body, now, permissions } = call;
    const first = orNotFound(call.first);
    const step = waivingStep(params.code, body.reason, call.headers["if-match"]);
    const target = targetOf(first.order);
    const furtherWrites = () => [
      recordActivity(auditContextOf(call), "order.waive_balance", target, {
        after: { code: params.code, ...body },
      }),
    ];
    const record = orNotFound(
      await stepOrder(deps, { id: params.id, now, first, furtherWrites }, step),
    );
    return { data: adminOrder(record, permissions), version: record.order.version };
  },
});

const waivingStep =
  (code: string, reason: string, expected: ExpectedVersion): OrderStep =>
  (record, { now }) => {
    const outcome = waivePart(record, code, reason, now);
    if (outcome.kind === "unknown") throw new AppError("not_found");
    if (outcome.kind === "already") return undefined;
    requireVersion(expected, record.order.version);
    if (outcome.kind === "waived") return outcome.change;
    throw new AppError("invalid_transition", {
      message: outcome.message,
      details: { from: outcome.from, to: "waived", allowed: [] },
    });
  };

export const routes = [waiveBalance];
