import type { OrderRecord } from "#shared/domain/order.ts";
import { createOnce } from "#shared/http/create-once.ts";
import { found } from "#shared/http/edit.ts";
import type { Call } from "#shared/http/route.ts";
import { doingOf } from "#shared/http/staff-call.ts";
import { type Beside, type OrderStep, tryStep } from "#shared/payments/step-order.ts";
import { recordActivity } from "#shared/storage/activity.ts";
import type { Deps } from "./deps.ts";

/** A call that books money on an order, with the order as it was first read. */
export type BookingCall = Pick<
  Call,
  "actor" | "ip" | "now" | "requestId" | "idempotencyKey" | "bodyHash" | "body"
> & { readonly params: { readonly id: string }; readonly first: OrderRecord | undefined };

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
 *
 * @throws AppError `not_found`, `idempotency_key_reused`, and what the step throws
 */
export async function stepOnce(
  call: BookingCall,
  { table, orders }: Pick<Deps, "table" | "orders">,
  { what, id, step, beside = () => [] }: Booking,
): Promise<Booked> {
  const { params, now } = call;
  let read = call.first;
  let after: OrderRecord | undefined;
  const scope = `POST /admin/orders/${params.id}/${what}s`;
  const made = await createOnce(scope, call, table, id, async (binding) => {
    // The first attempt goes by what the call has read, every other by what is there then.
    const record = found(read ?? (await orders.find(params.id)));
    read = undefined;
    const target = { kind: "order", id: record.order.id, label: record.order.number };
    after = await tryStep({ table }, record, now, step, (change) => [
      ...binding.map(({ write }) => write),
      ...beside(change),
      recordActivity(doingOf(call), `order.${what}`, target, { after: call.body }),
    ]);
  });
  return { ...made, record: found(after ?? (await orders.find(params.id))) };
}

/** Headers of the answer to a booking. */
export const replayHeaders = ({ replayed }: Pick<Booked, "replayed">): Record<string, string> =>
  replayed ? { "Idempotent-Replayed": "true" } : {};
