import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import {
  type ExpectedVersion,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { changed } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  type Answered,
  type CreatingCall,
  type Once,
  once,
  unbound,
} from "#shared/application/once.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { type Approve, type FurtherWrites, type OrderStep, tryStep } from "./step-order.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Write } from "#shared/storage/writes.ts";

/** A request that creates a payment, refund or shipment of an order, with the order as first read. */
export interface BookingCall extends CreatingCall, AuditedCall {
  readonly body: unknown;
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: ExpectedVersion };
  readonly first: OrderRecord | undefined;
}

export interface Booking {
  /** The kind of record, for the idempotency key and the activity log. */
  readonly what: "change" | "payment" | "refund" | "shipment";
  /** Id of the new record. */
  readonly id: string;
  readonly step: OrderStep;
  /** Further writes for the transaction that stores the step. */
  readonly furtherWrites?: FurtherWrites;
  readonly approve?: Approve;
}

/** The order after the step. */
export type Booked = Once<{ readonly record: OrderRecord }>;

/**
 * Applies a step to an order once per idempotency key, in one transaction with the key and the activity row. A repeated
 * request gets the current order.
 *
 * @throws AppError `not_found`, `version_mismatch`, `idempotency_key_reused`, and the errors that the step throws
 */
export function stepOnce(
  call: BookingCall,
  shop: Shop<"table">,
  booking: Booking,
): Promise<Booked> {
  const creation = creationOf(call, shop, booking);
  const replay = async () => ({ record: orNotFound(await creation.known.again()) });
  return once({ ...creation, replay }, call, shop.table, async (bind, found) => ({
    record: await attempt(call, shop, booking, { found, binding: () => bind() }),
  }));
}

/**
 * Like `stepOnce`, but a repeated request gets the first response.
 *
 * @param answerOf returns the response for the order after the step
 */
export function bookOnce<Data>(
  call: BookingCall,
  shop: Shop<"table">,
  booking: Booking,
  answerOf: (after: OrderRecord) => { data: Data; version: number },
): Promise<Once<Answered<Data>>> {
  const answered = { ...creationOf(call, shop, booking), replay: "answer" } as const;
  return once<Answered<Data>, OrderRecord | undefined>(
    answered,
    call,
    shop.table,
    async (bind, found) => {
      const binding = (after: OrderRecord) => bind(answerOf(after));
      return answerOf(await attempt(call, shop, booking, { found, binding }));
    },
  );
}

const orderPath = ({ params }: Pick<BookingCall, "params">) => `/admin/orders/${params.id}`;
const scopeOf = (call: BookingCall, { what }: Pick<Booking, "what">) =>
  `POST ${orderPath(call)}/${what}s`;

/** Frees the idempotency key of a request that was stored with this id and then refused. */
export const freeBooking = (call: BookingCall, booking: Pick<Booking, "what" | "id">): Write[] =>
  unbound(scopeOf(call, booking), call, booking.id);

const creationOf = (call: BookingCall, { table }: Shop<"table">, booking: Booking) => ({
  route: scopeOf(call, booking),
  id: booking.id,
  at: () => orderPath(call),
  known: { first: call.first, again: () => openOrders(table).find(call.params.id) },
});

async function attempt(
  call: BookingCall,
  shop: Shop<"table">,
  { what, step, furtherWrites = () => [], approve }: Booking,
  { found, binding }: { found: OrderRecord | undefined; binding(after: OrderRecord): Write[] },
): Promise<OrderRecord> {
  const record = orNotFound(found);
  requireVersion(call.headers["if-match"], record.order.version);
  const target = { kind: "order", id: record.order.id, label: record.order.number };
  const withBinding: FurtherWrites = (change) => [
    ...binding(changed(record, change)),
    ...furtherWrites(change),
    recordActivity(auditContextOf(call), `order.${what}`, target, { after: call.body }),
  ];
  const context = { now: call.now, furtherWrites: withBinding, ...(approve && { approve }) };
  return tryStep(shop, record, context, step);
}
