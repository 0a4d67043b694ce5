import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { GatewayRefusal } from "#shared/domain/payment/gateway/gateway-payment.ts";
import type { LedgerRow } from "#shared/domain/payment/payment.ts";
import { openGatewayRefunds } from "#shared/domain/payment/refund/refunds.ts";
import { makeRefunds } from "#shared/application/payment/reconcile-order.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  RefundClaims,
  claimRefund,
  endRefundClaim,
} from "#shared/storage/payment/refund-claims.ts";
import { refundRefused, requireRefundable } from "../payment/require-refundable.ts";
import type { Approve, FurtherWrites } from "./step-order.ts";
import {
  type Booked,
  type Booking,
  type BookingCall,
  freeBooking,
  stepOnce,
} from "./step-order-once.ts";

/** A step that may refund money, and which refunds are its own. */
interface RefundingBooking extends Omit<Booking, "furtherWrites" | "approve"> {
  /** @param id of the record that the request, or an earlier one with its key, has created */
  selects(row: LedgerRow, id: string): boolean;
}

/**
 * Applies a step once per idempotency key, and sends its gateway refunds before it returns, unless the gateway is
 * unreachable. A step whose refunds the gateway would refuse for good is refused before anything is stored. If the
 * gateway refuses all the same, what the step changed besides stands, and its refunds are `failed`.
 *
 * @returns the order after the refunds, and the refunds of this request
 * @throws AppError as `stepOnce`, `in_progress` while another request makes the same refunds, `payment_refused` if the
 * gateway refuses the refunds for good and the step changes nothing besides
 */
export async function stepWithRefunds(
  call: BookingCall,
  shop: Shop<"table" | "gateways" | "log">,
  { selects, ...booking }: RefundingBooking,
): Promise<Booked & { readonly refunds: LedgerRow[] }> {
  const { now } = call;
  const { id } = booking;
  const furtherWrites: FurtherWrites = ({ transactions }) =>
    openGatewayRefunds(transactions).length > 0 ? [claimRefund(id, now)] : [];
  const approve: Approve = (before, change) => requireRefundable(shop, before, change);
  const booked = await stepOnce(call, shop, { ...booking, furtherWrites, approve });
  const batch: Batch = { id: booked.id, selects: (row) => selects(row, booked.id) };
  const refundsOf = ({ rows }: OrderRecord) => rows.transactions.filter(batch.selects);
  let { record } = booked;
  if (openGatewayRefunds(refundsOf(record)).length > 0) {
    if (booked.replayed) await claim(shop, batch, now);
    record = await finish(shop, record, batch, now);
  }
  // Also of an earlier request with this key, which ended before it could free the key.
  const refusal = refusalOf(refundsOf(record));
  if (refusal) {
    const refused = () => refundRefused(refusal);
    for (const write of freeBooking(call, { ...booking, id: booked.id })) {
      await shop.table.write({ write, refused });
    }
    throw refused();
  }
  return { ...booked, record, refunds: refundsOf(record) };
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

/** The refunds of one request. */
interface Batch {
  readonly id: string;
  selects(row: LedgerRow): boolean;
}

/**
 * Claims a batch of refunds that an earlier request did not finish.
 *
 * @throws AppError `in_progress` while another request holds the claim
 */
async function claim({ table }: Shop<"table">, { id }: Batch, now: Date): Promise<void> {
  await table.write({
    write: claimRefund(id, now),
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
 * Sends a claimed batch of refunds to the gateway, then releases the claim. Refunds that got no answer from the gateway
 * stay pending and are retried by the order's scheduled check.
 */
async function finish(
  shop: Shop<"table" | "gateways" | "log">,
  record: OrderRecord,
  { id, selects }: Batch,
  now: Date,
): Promise<OrderRecord> {
  try {
    const gateway = await shop.gateways.configured();
    if (!gateway) return record;
    return await makeRefunds(shop, record, gateway, { now, selects });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    shop.log.warn("Refund not completed: the order's scheduled check retries it", {
      order_id: record.order.id,
      batch_id: id,
      cause: error.message,
    });
    return (await openOrders(shop.table).find(record.order.id)) ?? record;
  } finally {
    // A claim that is not released expires.
    await shop.table.write(endRefundClaim(id)).catch(() => undefined);
  }
}
