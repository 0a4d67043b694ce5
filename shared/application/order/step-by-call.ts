import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import {
  type Answered,
  type CreatingCall,
  type Once,
  once,
  unbound,
} from "#shared/application/once.ts";
import { makeRefunds } from "#shared/application/payment/reconcile-order.ts";
import type { Shop } from "#shared/application/shop.ts";
import { changed } from "#shared/domain/order/order-step.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import type { GatewayRefusal } from "#shared/domain/payment/gateway/gateway-payment.ts";
import type { LedgerRow } from "#shared/domain/payment/payment.ts";
import { openGatewayRefunds } from "#shared/domain/payment/refund/refunds.ts";
import {
  type ExpectedVersion,
  AppError,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import {
  RefundClaims,
  claimRefund,
  endRefundClaim,
} from "#shared/storage/payment/refund-claims.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Write } from "#shared/storage/writes.ts";
import { refundRefused, requireRefundable } from "../payment/require-refundable.ts";
import { type OrderStep, tryStep } from "./step-order.ts";

/** A request of staff that changes an order, with the order as first read. */
export interface StepCall extends AuditedCall {
  readonly params: { readonly id: string };
  readonly first: OrderRecord | undefined;
}

/** A request that creates a payment, refund, shipment or change of an order. */
export interface BookingCall extends CreatingCall, StepCall {
  readonly body: unknown;
  readonly headers: { readonly "if-match"?: ExpectedVersion };
}

/** The refunds of a record, which a step sends through the gateway before it returns, unless it is unreachable. */
interface Refunding {
  readonly shop: Shop<"table" | "gateways" | "log">;
  /** Id of the record. */
  readonly of: string;
  selects(row: LedgerRow, of: string): boolean;
}

interface StepOptions {
  /** The action, and what the activity log says about it. */
  audit(
    before: OrderRecord,
    change: OrderChange,
  ): { readonly action: string; readonly before?: unknown; readonly after: unknown };
  readonly refunds?: Refunding;
}

/** What a request creates, once per idempotency key. */
export interface Booking {
  /** The kind of record, for the idempotency key and the activity log. */
  readonly what: "change" | "payment" | "refund" | "shipment";
  /** Id of the new record. */
  readonly id: string;
}

/** The order after a step, and the refunds of what the request has created. */
export type Booked = Once<{ readonly record: OrderRecord; readonly refunds: LedgerRow[] }>;

export const targetOf = ({ id, number }: StoredOrder) => ({ kind: "order", id, label: number });

/**
 * Applies a step of staff to an order, in one transaction with its activity, and sends its refunds. A repeat, for which
 * the step finds nothing to do, changes nothing, but sends the refunds that are still open.
 *
 * @throws AppError `not_found`, what the step throws, `payment_refused` before anything is stored if the gateway would
 *   refuse its refunds for good, `in_progress` while another request sends them
 */
export async function stepByCall(
  call: StepCall,
  shop: Shop<"table">,
  step: OrderStep,
  options: StepOptions,
): Promise<OrderRecord> {
  const { refunds } = options;
  const recorded = recordedStep(call, step, options);
  const again = readerOf(call, shop);
  const { found, record } = await retryOnConflict(call.first, again, async (read) => {
    const found = orNotFound(read);
    return { found, record: await tryStep(shop, found, call.now, recorded) };
  });
  if (!refunds) return record;
  const replayed = record === found;
  // A step that refunds nothing leaves open refunds of an earlier one to its repeat and to the order's scheduled check.
  const sends = replayed || openOf(record, refunds).length > openOf(found, refunds).length;
  return sends ? sendRefunds({ record, replayed }, refunds, call.now) : record;
}

/**
 * Applies a step that may refund money to an order once per idempotency key, in one transaction with the key and the
 * activity row. A repeated request gets the current order.
 *
 * A step whose refunds the gateway would refuse for good is refused before anything is stored. If the gateway refuses
 * all the same, what the step changed besides stands, and its refunds are `failed`.
 *
 * @throws AppError `not_found`, `version_mismatch`, `idempotency_key_reused`, the errors that the step throws,
 *   `in_progress` while another request makes the same refunds, `payment_refused` if the gateway refuses the refunds for
 *   good and the step changes nothing besides
 */
export async function stepOnce(
  call: BookingCall,
  shop: Shop<"table" | "gateways" | "log">,
  step: OrderStep,
  { selects, ...booking }: Booking & Pick<Refunding, "selects">,
): Promise<Booked> {
  const creation = creationOf(call, shop, booking);
  const replay = async () => ({ record: orNotFound(await creation.known.again()) });
  const booked = await once({ ...creation, replay }, call, shop.table, async (bind, found) => {
    const refunds = { shop, of: booking.id, selects };
    const options = { ...booking, found, refunds, bind: () => bind() };
    return { record: await attemptOnce(call, shop, step, options) };
  });
  const { id } = booked;
  const record = await sendRefunds(booked, { shop, of: id, selects }, call.now);
  const refunds = record.rows.transactions.filter((row) => selects(row, id));
  // Also of an earlier request with this key, which ended before it could free the key.
  const refusal = refusalOf(refunds);
  if (refusal) {
    const refused = () => refundRefused(refusal);
    for (const write of unbound(creation.route, call, id)) {
      await shop.table.write({ write, refused });
    }
    throw refused();
  }
  return { ...booked, record, refunds };
}

/**
 * Like `stepOnce`, but for a step without refunds, and a repeated request gets the first response.
 *
 * @param booking.answerOf returns the response for the order after the step
 */
export function bookOnce<Data>(
  call: BookingCall,
  shop: Shop<"table">,
  step: OrderStep,
  { answerOf, ...booking }: Booking & { answerOf(after: OrderRecord): Answered<Data> },
): Promise<Once<Answered<Data>>> {
  type Found = OrderRecord | undefined;
  const creation = { ...creationOf(call, shop, booking), replay: "answer" } as const;
  return once<Answered<Data>, Found>(creation, call, shop.table, async (bindTo, found) => {
    const bind = (after: OrderRecord) => bindTo(answerOf(after));
    return answerOf(await attemptOnce(call, shop, step, { ...booking, found, bind }));
  });
}

const readerOf =
  ({ params }: StepCall, { table }: Shop<"table">) =>
  () =>
    openOrders(table).find(params.id);

function creationOf(call: BookingCall, shop: Shop<"table">, { what, id }: Booking) {
  const path = `/admin/orders/${call.params.id}`;
  const known = { first: call.first, again: readerOf(call, shop) };
  return { route: `POST ${path}/${what}s`, id, at: () => path, known };
}

interface Attempt extends Omit<RecordedOptions, "audit"> {
  readonly found: OrderRecord | undefined;
}

/** Makes one attempt at a step that creates a record. */
function attemptOnce(
  call: BookingCall,
  shop: Shop<"table">,
  step: OrderStep,
  { what, found, ...options }: Booking & Attempt,
): Promise<OrderRecord> {
  const record = orNotFound(found);
  requireVersion(call.headers["if-match"], record.order.version);
  const audit = () => ({ action: `order.${what}`, after: call.body });
  return tryStep(shop, record, call.now, recordedStep(call, step, { ...options, audit }));
}

interface RecordedOptions extends StepOptions {
  /** The writes that bind the idempotency key. */
  bind?(after: OrderRecord): readonly Write[];
}

/** A step with its activity, its idempotency key, and the claim on its refunds, which the gateway must not refuse. */
const recordedStep =
  (
    call: AuditedCall,
    step: OrderStep,
    { audit, refunds, bind = () => [] }: RecordedOptions,
  ): OrderStep =>
  async (record, context) => {
    const change = await step(record, context);
    if (!change) return undefined;
    if (refunds) await requireRefundable(refunds.shop, record, change);
    const { action, ...details } = audit(record, change);
    const writes = [
      ...(change.writes ?? []),
      ...bind(changed(record, change)),
      recordActivity(auditContextOf(call), action, targetOf(record.order), details),
      ...(refunds && openGatewayRefunds(change.transactions).length > 0
        ? [claimRefund(refunds.of, call.now)]
        : []),
    ];
    return { ...change, writes };
  };

/**
 * Sends the open gateway refunds of a record, which the step has claimed, or an earlier one that did not finish them.
 *
 * @param stepped.replayed whether an earlier request has made the step
 * @throws AppError `in_progress` while another request holds the claim
 */
async function sendRefunds(
  { record, replayed }: { readonly record: OrderRecord; readonly replayed: boolean },
  refunds: Refunding,
  now: Date,
): Promise<OrderRecord> {
  const { shop, of } = refunds;
  if (openOf(record, refunds).length === 0) return record;
  if (replayed) await claim(shop, of, now);
  const selects = (row: LedgerRow) => refunds.selects(row, of);
  try {
    const gateway = await shop.gateways.configured();
    return gateway ? await makeRefunds(shop, record, gateway, { now, selects }) : record;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    shop.log.warn("Refund not completed: the order's scheduled check retries it", {
      order_id: record.order.id,
      batch_id: of,
      cause: error.message,
    });
    return (await openOrders(shop.table).find(record.order.id)) ?? record;
  } finally {
    // A claim that is not released expires.
    await shop.table.write(endRefundClaim(of)).catch(() => undefined);
  }
}

const openOf = ({ rows }: OrderRecord, { of, selects }: Refunding): LedgerRow[] =>
  openGatewayRefunds(rows.transactions).filter((row) => selects(row, of));

/** Claims the refunds of a record that an earlier request did not finish. */
async function claim({ table }: Shop<"table">, of: string, now: Date): Promise<void> {
  await table.write({
    write: claimRefund(of, now),
    refused({ first }) {
      const until = RefundClaims.schema.safeParse(first.conflictingItem).data?.until;
      const seconds = until ? Math.ceil((Date.parse(until) - now.getTime()) / 1000) : 1;
      return new AppError("in_progress", {
        message: "This refund is being processed by the gateway. Please try again shortly.",
        headers: { "Retry-After": String(Math.max(1, seconds)) },
      });
    },
  });
}

/**
 * Why nothing came of refunds that change nothing of their order's value; undefined if something did, or if the gateway
 * had taken them before they failed.
 */
const refusalOf = (refunds: readonly LedgerRow[]): GatewayRefusal | undefined =>
  refunds.every(
    ({ state, change_id, provider_ref }) =>
      state === "failed" && change_id === undefined && provider_ref === null,
  )
    ? refunds[0]?.refusal
    : undefined;
