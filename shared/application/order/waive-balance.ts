import {
  type ExpectedVersion,
  AppError,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import { type PartPatch, waivePart } from "#shared/domain/order/balance.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { targetOf } from "./patch-order.ts";
import { type OrderDeps, type OrderStep, stepOrder } from "./step-order.ts";

/**
 * Lets an order leave before its balance is paid.
 *
 * @param found the order, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export async function waiveBalance(
  call: EditCall<PartPatch, "id" | "code">,
  found: OrderRecord | undefined,
  deps: OrderDeps,
): Promise<OrderRecord> {
  const { params, body, now } = call;
  const first = orNotFound(found);
  const step = waivingStep(params.code, body.reason, call.headers["if-match"]);
  const furtherWrites = () => [
    recordActivity(auditContextOf(call), "order.waive_balance", targetOf(first.order), {
      after: { code: params.code, ...body },
    }),
  ];
  return orNotFound(await stepOrder(deps, { id: params.id, now, first, furtherWrites }, step));
}

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
