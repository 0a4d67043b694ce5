import type { Shop } from "#shared/application/shop.ts";
import { AppError, orNotFound, requireVersion } from "#shared/domain/request/app-error.ts";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { StaffStep } from "#shared/domain/order/order-step.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Write } from "#shared/storage/writes.ts";
import { targetOf } from "./patch-order.ts";
import { type StepTry, stepOrder } from "./step-order.ts";

interface StaffAction {
  /** The action and what it is about, for the activity log. */
  readonly action: string;
  readonly about: Readonly<Record<string, unknown>>;
  /** The state that the step leads to. */
  readonly to: string;
  judge(record: OrderRecord, context: StepTry): StaffStep;
  /** Further writes for the same transaction. */
  writes?(before: OrderRecord): readonly Write[];
}

/**
 * Applies staff's step in a part of an order, with its activity. A repeat changes nothing.
 *
 * @param found the order, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export async function stepByStaff(
  call: EditCall<unknown>,
  found: OrderRecord | undefined,
  shop: Shop<"table">,
  { action, about, to, judge, writes = () => [] }: StaffAction,
): Promise<OrderRecord> {
  const { params, now } = call;
  const first = orNotFound(found);
  const furtherWrites = () => [
    ...writes(first),
    recordActivity(auditContextOf(call), action, targetOf(first.order), { after: about }),
  ];
  const after = await stepOrder(
    shop,
    { id: params.id, now, first, furtherWrites },
    (record, context) => {
      const outcome = judge(record, context);
      if (outcome.kind === "unknown") throw new AppError("not_found");
      if (outcome.kind === "already") return undefined;
      requireVersion(call.headers["if-match"], record.order.version);
      if (outcome.kind === "changed") return outcome.change;
      const { message, from } = outcome;
      throw new AppError("invalid_transition", { message, details: { from, to, allowed: [] } });
    },
  );
  return orNotFound(after);
}
