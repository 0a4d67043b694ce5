import type { Shop } from "#shared/application/shop.ts";
import type { EditCall } from "#shared/application/audit-context.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { type PartPatch, waivePart } from "#shared/domain/order/status/balance.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { type LinePatch, readyLine } from "#shared/domain/order/shipment/prepare-shipment.ts";
import type { StaffStep } from "#shared/domain/order/order-step.ts";
import { completeRefund } from "#shared/domain/payment/refund/complete-refund.ts";
import {
  type ChequePatch,
  type VoidInput,
  settleCheque,
  voidPayment,
} from "#shared/domain/payment/correct-payment.ts";
import { expiryFor } from "#shared/domain/payment/payment-window.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import { AppError, orNotFound, requireVersion } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { freeReference } from "#shared/storage/payment/payment-references.ts";
import type { Write } from "#shared/storage/writes.ts";
import { stepByCall } from "./step-by-call.ts";
import type { OrderStep, StepTry } from "./step-order.ts";

type Found = OrderRecord | undefined;

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
 * Applies staff's step in a part of an order. A repeat changes nothing, whatever version it expects.
 *
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
function stepByStaff(
  call: EditCall<unknown>,
  first: Found,
  shop: Shop<"table">,
  { action, about, to, judge, writes = () => [] }: StaffAction,
): Promise<OrderRecord> {
  const step: OrderStep = (record, context) => {
    const outcome = judge(record, context);
    if (outcome.kind === "unknown") throw new AppError("not_found");
    if (outcome.kind === "already") return undefined;
    requireVersion(call.headers["if-match"], record.order.version);
    if (outcome.kind === "changed") return { ...outcome.change, writes: writes(record) };
    const { message, from } = outcome;
    throw new AppError("invalid_transition", { message, details: { from, to, allowed: [] } });
  };
  return stepByCall({ ...call, first }, shop, step, { audit: () => ({ action, after: about }) });
}

/** Lets an order leave before its balance is paid. */
export const waiveBalance = (
  call: EditCall<PartPatch, "id" | "code">,
  found: Found,
  shop: Shop<"table">,
): Promise<OrderRecord> =>
  stepByStaff(call, found, shop, {
    action: "order.waive_balance",
    about: { code: call.params.code, ...call.body },
    to: "waived",
    judge: (record, { now }) => waivePart(record, call.params.code, call.body.reason, now),
  });

/** Marks an added line that is made to order as ready to be packed. */
export const markReady = (
  call: EditCall<LinePatch, "id" | "line">,
  found: Found,
  shop: Shop<"table">,
): Promise<OrderRecord> =>
  stepByStaff(call, found, shop, {
    action: "order.line_ready",
    about: { line: call.params.line, ...call.body },
    to: "ready",
    judge: (record, { now }) => readyLine(record, call.params.line, now),
  });

type TransactionCall<Body> = EditCall<Body, "id" | "transaction">;

/** An order after a step, and the row of its ledger that has changed. */
interface Stepped {
  readonly record: OrderRecord;
  readonly transaction: Transaction;
}

const withRow = (record: OrderRecord, { params }: TransactionCall<unknown>): Stepped => ({
  record,
  transaction: orNotFound(record.rows.transactions.find(({ id }) => id === params.transaction)),
});

/** Records that staff have made a refund in cash or by transfer. */
export async function recordRefund(
  call: TransactionCall<{ readonly reference: string }>,
  found: Found,
  shop: Shop<"table">,
): Promise<Stepped> {
  const { transaction } = call.params;
  const record = await stepByStaff(call, found, shop, {
    action: "order.refund_made",
    about: { transaction, ...call.body },
    to: "succeeded",
    judge: (latest, { now }) => completeRefund(latest, transaction, call.body.reference, now),
  });
  return withRow(record, call);
}

/** When an unpaid order expires whose payment window begins now. */
const expiryOf = (
  { order }: OrderRecord,
  { payments }: Pick<Settings, "payments">,
  now: Date,
): string | null =>
  expiryFor(order.payment_method, { payments, isGuest: order.customer.id === null }, now);

/** Records that a cheque is cleared or has bounced. */
export async function recordCheque(
  call: TransactionCall<ChequePatch>,
  found: Found,
  shop: Shop<"table" | "settings", "payments" | "store">,
): Promise<Stepped> {
  const { transaction } = call.params;
  const settings = await shop.settings.current();
  const today = dayIn(settings.store.timezone, call.now);
  const record = await stepByStaff(call, found, shop, {
    action: `order.cheque_${call.body.state}`,
    about: { transaction },
    to: call.body.state,
    judge: (latest, context) =>
      settleCheque(latest, transaction, call.body, {
        ...context,
        today,
        expiry: expiryOf(latest, settings, context.now),
      }),
  });
  return withRow(record, call);
}

/** Undoes a payment that staff entered by mistake. */
export async function undoPayment(
  call: TransactionCall<VoidInput>,
  found: Found,
  shop: Shop<"table" | "settings", "payments" | "store">,
): Promise<Stepped> {
  const { transaction } = call.params;
  const settings = await shop.settings.current();
  const record = await stepByStaff(call, found, shop, {
    action: "order.void_payment",
    about: { transaction, ...call.body },
    to: "voided",
    judge: (latest, { now }) =>
      voidPayment(latest, transaction, call.body, { now, expiry: expiryOf(latest, settings, now) }),
    writes: ({ rows }) =>
      rows.transactions.filter(({ id }) => id === transaction).flatMap(freeReference),
  });
  return withRow(record, call);
}
