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
  type Binding,
  answerOnce,
  type CreatingCall,
  createOnce,
  unbound,
} from "#shared/application/create-once.ts";
import { locationHeaders } from "#shared/domain/request/api-path.ts";
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

export interface Booked {
  /** Id of the record, created now or by an earlier request with the same key. */
  readonly id: string;
  readonly replayed: boolean;
  /** The order after the step. */
  readonly record: OrderRecord;
}

/**
 * Applies a step to an order once per idempotency key, in one transaction with the key and the activity row. A repeated
 * request gets the current order.
 *
 * @throws AppError `not_found`, `version_mismatch`, `idempotency_key_reused`, and the errors that the step throws
 */
export async function stepOnce(
  call: BookingCall,
  shop: Shop<"table">,
  booking: Booking,
): Promise<Booked> {
  let after: OrderRecord | undefined;
  const attempt = attemptsOf(call, shop, booking);
  const creation = { route: scopeOf(call, booking), id: booking.id };
  const created = await createOnce(creation, call, shop.table, async (bound) => {
    after = await attempt(() => bound);
  });
  return {
    ...created,
    record: orNotFound(after ?? (await openOrders(shop.table).find(call.params.id))),
  };
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
): ReturnType<typeof answerOnce<Data>> {
  const attempt = attemptsOf(call, shop, booking);
  const at = () => orderPath(call);
  const creation = { route: scopeOf(call, booking), id: booking.id, at };
  return answerOnce(creation, call, shop.table, async (bind) =>
    answerOf(await attempt((after) => bind(answerOf(after)))),
  );
}

const orderPath = ({ params }: Pick<BookingCall, "params">) => `/admin/orders/${params.id}`;
const scopeOf = (call: BookingCall, { what }: Pick<Booking, "what">) =>
  `POST ${orderPath(call)}/${what}s`;

/** Frees the idempotency key of a request that was stored with this id and then refused. */
export const freeBooking = (call: BookingCall, booking: Pick<Booking, "what" | "id">): Write[] =>
  unbound(scopeOf(call, booking), call, booking.id);

/** The first attempt uses the order that the request has read; each retry reads it again. */
function attemptsOf(
  call: BookingCall,
  { table }: Shop<"table">,
  { what, step, furtherWrites = () => [], approve }: Booking,
) {
  let read = call.first;
  return async (binding: (after: OrderRecord) => Binding): Promise<OrderRecord> => {
    const record = orNotFound(read ?? (await openOrders(table).find(call.params.id)));
    read = undefined;
    requireVersion(call.headers["if-match"], record.order.version);
    const target = { kind: "order", id: record.order.id, label: record.order.number };
    const withBinding: FurtherWrites = (change) => [
      ...binding(changed(record, change)),
      ...furtherWrites(change),
      recordActivity(auditContextOf(call), `order.${what}`, target, { after: call.body }),
    ];
    const context = { now: call.now, furtherWrites: withBinding, ...(approve && { approve }) };
    return tryStep({ table }, record, context, step);
  };
}

/** The response headers; `Location` is the path of the order. */
export const bookingHeaders = (
  call: Pick<BookingCall, "params">,
  { replayed }: Pick<Booked, "replayed">,
): Record<string, string> => locationHeaders(orderPath(call), replayed);
