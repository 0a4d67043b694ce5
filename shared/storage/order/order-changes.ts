import { isOpenOrder } from "../../domain/checkout/open-order.ts";
import type { OrderChange } from "../../domain/order/order-step.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import type { OrderStatus } from "../../domain/order/status/order-states.ts";
import { type OrderCount, countedBuyers, limitedBuyers, shiftOrders } from "./buyers.ts";
import { is, isNew } from "../conditions.ts";
import { type CouponUser, countUse, shiftUses } from "../pricing/coupons.ts";
import { scheduleCheck } from "./due-orders.ts";
import { isSamePlace } from "../../domain/delivery/delivery-slot.ts";
import { putPlannedDelivery, unbook, unplanDelivery } from "../delivery/delivery-places.ts";
import { requestInvoice } from "./invoices.ts";
import {
  OrderChanges,
  StoredReturns,
  OrderShipments,
  OrderTransactions,
  Orders,
  newEntries,
} from "./orders.ts";
import { followAttention } from "./orders-needing-attention.ts";
import { publishEvent } from "../outbox.ts";
import { reclaimQuote } from "../enquiry/quote-states.ts";
import { changeStock } from "../catalog/stock-writes.ts";
import { type Write, put } from "../writes.ts";

export interface ChangeWrites {
  /** All writes. The first is refused if the order has changed since it was read. */
  readonly writes: readonly Write[];
  /**
   * The part of `writes` that is refused if the order's lines cannot be sold, because stock is insufficient or another
   * order uses the quote.
   */
  readonly stockAndQuotes: readonly Write[];
  /** The part of `writes` that is refused if the order's coupon has no use left. */
  readonly couponUses: readonly Write[];
}

/** Statuses in which an order counts neither among its buyers' orders nor as a use of its coupon. */
const uncounted: ReadonlySet<OrderStatus> = new Set(["cancelled", "expired"]);

type Counted = Pick<StoredOrder, "status" | "payment_method" | "deposit">;

/** Whether an order counts as an order of its buyers, as unpaid, and as open. */
export function countsAs(order: Counted): OrderCount {
  return {
    orders: uncounted.has(order.status) ? 0 : 1,
    pending: order.status === "pending_payment" ? 1 : 0,
    open: isOpenOrder(order) ? 1 : 0,
  };
}

/**
 * All writes that store an order change in one transaction, which is refused if the order has changed since it was
 * read.
 *
 * @param before the order as it was read
 * @param options.withinLimits whether the change is refused if it would use the coupon beyond its limit
 */
export function orderChangeWrites(
  before: StoredOrder,
  change: OrderChange,
  now: Date,
  { withinLimits = false }: { readonly withinLimits?: boolean } = {},
): ChangeWrites {
  const { id: order_id } = before;
  const slots = slotWrites(before, change.order);
  const stockAndQuotes = [
    ...Array.from(change.stock, ([id, move]) => changeStock(id, move, now)),
    ...offerWrites(before, change.order.status, now),
  ];
  const couponUses = couponWrites(before, change.order, withinLimits);
  return {
    stockAndQuotes,
    couponUses,
    writes: [
      put(Orders, change.order, is("version", before.version)),
      ...newEntries(change.order, change.entries),
      ...change.transactions.map((row) => put(OrderTransactions, { ...row, order_id })),
      ...change.shipments.map((row) => put(OrderShipments, { ...row, order_id })),
      ...change.changes.map((row) => put(OrderChanges, { ...row, order_id }, isNew)),
      ...change.returns.map((row) => put(StoredReturns, row)),
      ...stockAndQuotes,
      ...counterWrites(before, change.order),
      ...couponUses,
      ...slots,
      ...change.events.map((event) => publishEvent(event, now)),
      ...change.checksAt.map((at) => scheduleCheck(order_id, at)),
      ...(change.invoice ? [requestInvoice(order_id, change.invoice)] : []),
      ...followAttention(before, change.order),
    ],
  };
}

/** What a payment adds to an order that is stored with it for the first time: its rows, events and checks. */
export const paymentRows = (placed: StoredOrder, change: OrderChange, now: Date): Write[] => [
  ...change.transactions.map((row) => put(OrderTransactions, { ...row, order_id: placed.id })),
  ...change.events.map((event) => publishEvent(event, now)),
  ...change.checksAt.map((at) => scheduleCheck(placed.id, at)),
  ...followAttention(placed, change.order),
];

/**
 * Frees the place of an order that gives up its slot, unless a shipment has left for it. The place of a new slot is
 * booked by who chose it.
 */
function slotWrites({ id: order_id, slot: was }: StoredOrder, { slot: is }: StoredOrder): Write[] {
  if (was && is && isSamePlace(was, is)) return [];
  return [
    ...(was && !was.has_left ? [unbook(was), unplanDelivery({ ...was, order_id })] : []),
    ...(is ? [putPlannedDelivery({ ...is, order_id })] : []),
  ];
}

/** An expired order that a late payment confirms needs its quotes again. Another order may have used them meanwhile. */
function offerWrites({ id, status, quotes }: StoredOrder, to: OrderStatus, now: Date): Write[] {
  const isRevived = uncounted.has(status) && !uncounted.has(to);
  return isRevived ? quotes.map((quote) => reclaimQuote(quote, id, now)) : [];
}

/**
 * The counters are reduced when an order is cancelled or expires, and raised again when a late payment confirms an
 * expired order.
 */
function counterWrites(before: StoredOrder, after: Counted): Write[] {
  const [was, is] = [countsAs(before), countsAs(after)];
  const by = {
    orders: is.orders - was.orders,
    pending: is.pending - was.pending,
    open: is.open - was.open,
  };
  const limited = new Set(limitedBuyers(before));
  return countedBuyers(before).flatMap((buyer) => {
    const shift = limited.has(buyer) ? by : { ...by, open: 0 };
    return Object.values(shift).every((each) => each === 0) ? [] : shiftOrders(buyer, shift);
  });
}

function couponWrites(before: StoredOrder, after: Counted, withinLimits: boolean): Write[] {
  const { coupon_code, counted } = before;
  const shift = countsAs(after).orders - countsAs(before).orders;
  if (coupon_code === null || shift === 0) return [];
  return counted.coupon.map((key, index) => {
    // `countersOf` stored only keys of coupon users here.
    const user = key as CouponUser;
    const limit = counted.coupon_limits?.[index];
    return withinLimits && shift > 0 && limit !== undefined
      ? countUse(coupon_code, user, limit)
      : shiftUses(coupon_code, user, shift);
  });
}
