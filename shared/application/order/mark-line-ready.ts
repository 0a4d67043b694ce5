import {
  type ExpectedVersion,
  AppError,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { type LinePatch, readyLine } from "#shared/domain/order/ready-line.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { targetOf } from "./patch-order.ts";
import { type OrderDeps, type OrderStep, stepOrder } from "./step-order.ts";

/**
 * Marks an added line that is made to order as ready to be packed.
 *
 * @param found the order, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export async function markReady(
  call: EditCall<LinePatch, "id" | "line">,
  found: OrderRecord | undefined,
  deps: OrderDeps,
): Promise<OrderRecord> {
  const { params, body, now } = call;
  const first = orNotFound(found);
  const step = readyStep(params.line, call.headers["if-match"]);
  const furtherWrites = () => [
    recordActivity(auditContextOf(call), "order.line_ready", targetOf(first.order), {
      after: { line: params.line, ...body },
    }),
  ];
  return orNotFound(await stepOrder(deps, { id: params.id, now, first, furtherWrites }, step));
}

const readyStep =
  (line: string, expected: ExpectedVersion): OrderStep =>
  (record, { now }) => {
    const outcome = readyLine(record, line, now);
    if (outcome.kind === "unknown") throw new AppError("not_found");
    if (outcome.kind === "already") return undefined;
    requireVersion(expected, record.order.version);
    if (outcome.kind === "ready") return outcome.change;
    const { status } = record.order;
    throw new AppError("invalid_transition", {
      message: outcome.message,
      details: { from: status, to: status, allowed: [] },
    });
  };
