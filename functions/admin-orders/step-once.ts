import { changed } from "#shared/domain/order/order-change.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { type Binding, answerOnce, createOnce } from "#shared/application/create-once.ts";
import { locationHeaders } from "#shared/application/location.ts";
import { found } from "#shared/application/edit.ts";
import { requireVersion } from "#shared/application/edit.ts";
import type { Call } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type Beside, type OrderStep, tryStep } from "#shared/application/payment/step-order.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Deps } from "./deps.ts";

/** A call that books money on an order, with the order as it was first read. */
export type BookingCall = Pick<
  Call,
  "actor" | "ip" | "now" | "requestId" | "idempotencyKey" | "bodyHash" | "body"
> & {
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: number | undefined };
  readonly first: OrderRecord | undefined;
};

export interface Booking {
  /** Names what the call makes among what is made of an order, for its key and the activity log. */
  readonly what: "payment" | "refund" | "shipment";
  /** Id of what is to be made. */
  readonly id: string;
  readonly step: OrderStep;
  /** More writes of the same transaction. */
  readonly beside?: Beside;
}

export interface Booked {
  /** Of what was made, now or by the same key before. */
  readonly id: string;
  readonly replayed: boolean;
  /** The order after it. */
  readonly record: OrderRecord;
}

/**
 * Books something on an order once for each key of a caller, in one transaction with the key and the activity row.
 * A repetition gets the order as it stands.
 *
 * @throws AppError `not_found`, `version_mismatch`, `idempotency_key_reused`, and what the step throws
 */
export async function stepOnce(
  call: BookingCall,
  desk: Pick<Deps, "table" | "orders">,
  booking: Booking,
): Promise<Booked> {
  let after: OrderRecord | undefined;
  const attempt = attemptsOf(call, desk, booking);
  const made = await createOnce(
    scopeOf(call, booking),
    call,
    desk.table,
    booking.id,
    async (bound) => {
      after = await attempt(() => bound);
    },
  );
  return { ...made, record: found(after ?? (await desk.orders.find(call.params.id))) };
}

/**
 * The same, answering a repetition with the first answer.
 *
 * @param answerOf what is answered of the order after it
 */
export function bookOnce<Data>(
  call: BookingCall,
  desk: Pick<Deps, "table" | "orders">,
  booking: Booking,
  answerOf: (after: OrderRecord) => { data: Data; version: number },
): ReturnType<typeof answerOnce<Data>> {
  const attempt = attemptsOf(call, desk, booking);
  const at = () => orderPath(call);
  const creation = { route: scopeOf(call, booking), id: booking.id, at };
  return answerOnce(creation, call, desk.table, async (bind) =>
    answerOf(await attempt((after) => bind(answerOf(after)))),
  );
}

const orderPath = ({ params }: Pick<BookingCall, "params">) => `/admin/orders/${params.id}`;
const scopeOf = (call: BookingCall, { what }: Booking) => `POST ${orderPath(call)}/${what}s`;

/** Each attempt goes by the order as it is then; the first by what the call has read. */
function attemptsOf(
  call: BookingCall,
  { table, orders }: Pick<Deps, "table" | "orders">,
  { what, step, beside = () => [] }: Booking,
) {
  let read = call.first;
  return async (binding: (after: OrderRecord) => Binding): Promise<OrderRecord> => {
    const record = found(read ?? (await orders.find(call.params.id)));
    read = undefined;
    requireVersion(call.headers["if-match"], record.order.version);
    const target = { kind: "order", id: record.order.id, label: record.order.number };
    return tryStep({ table }, record, call.now, step, (change) => [
      ...binding(changed(record, change)).map(({ write }) => write),
      ...beside(change),
      recordActivity(auditContextOf(call), `order.${what}`, target, { after: call.body }),
    ]);
  };
}

/** Headers of the answer to a booking: the order shows it. */
export const bookingHeaders = (
  call: Pick<BookingCall, "params">,
  { replayed }: Pick<Booked, "replayed">,
): Record<string, string> => locationHeaders(orderPath(call), replayed);
