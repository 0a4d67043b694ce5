import { bookPlace, choiceFor, offeringSlots } from "#shared/application/delivery/free-slots.ts";
import { leadWrites } from "#shared/application/enquiry/save-quote.ts";
import type { Shop } from "#shared/application/shop.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type Shortage, shortageOf } from "#shared/domain/cart/cart-view.ts";
import { stockIdOf, reserve, unitsByStock } from "#shared/domain/catalog/stock.ts";
import {
  couponRefused,
  finalPricing,
  insufficientStock,
} from "#shared/domain/checkout/final-pricing.ts";
import { type OrderDraft, orderFrom } from "#shared/domain/checkout/order-draft.ts";
import type { BookedSlot } from "#shared/domain/delivery/delivery-slot.ts";
import { type WantedDelivery, confirmBy, slotZoneFor } from "#shared/domain/delivery/slot-zone.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { changed } from "#shared/domain/order/order-step.ts";
import { type OrderRecord, type StoredOrder, noRows } from "#shared/domain/order/order.ts";
import { amountToConfirm } from "#shared/domain/payment/owing.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import { cashToConfirm } from "#shared/domain/payment/rounding.ts";
import { type Coupon, type CouponReason, refused } from "#shared/domain/pricing/coupon.ts";
import type { PricedLine } from "#shared/domain/pricing/priced-line.ts";
import { AppError, invalidField, tooMany } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { count } from "#shared/runtime/count.ts";
import { changeStock } from "#shared/storage/catalog/stock-writes.ts";
import { bookHeld } from "#shared/storage/delivery/delivery-places.ts";
import {
  type BuyerKey,
  buyerKeys,
  countOrder,
  countedBuyers,
  limitedBuyers,
  limitingKeys,
} from "#shared/storage/order/buyers.ts";
import { countsAs, paymentRows } from "#shared/storage/order/order-changes.ts";
import { newOrder } from "#shared/storage/order/orders.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { useReference } from "#shared/storage/payment/payment-references.ts";
import { type CouponUser, countUse, markUsed, shiftUses } from "#shared/storage/pricing/coupons.ts";
import type { Refused, TransactionWrite, Write } from "#shared/storage/writes.ts";

/** How an order is placed. */
export interface Placing<Answer> {
  /** Id of the order. */
  readonly id: string;
  readonly settings: Settings;
  readonly gatewayReady: boolean;
  /** Null for an order that staff place. No limit holds for it, and it may be paid in cash, whatever is sold. */
  readonly limits: BuyerLimits | null;
  /** The writes that use up what becomes the order, such as its cart. */
  readonly converts: readonly Write[];
  /** The error if what becomes the order was changed meanwhile; left out if the caller reads it again. */
  readonly changedError?: (refusal: Refused) => AppError;
  /** What the caller answers for the order, and the writes that are stored with it. */
  answer(placed: OrderRecord): Promise<{ answer: Answer; writes: readonly Write[] }>;
  readonly now: Date;
}

/** What limits the orders of buyers. */
export interface BuyerLimits {
  /** Maximum number of a buyer's open orders; 0 means no limit. */
  readonly openOrders: number;
  /**
   * After how many conflicts with other orders of the same goods the caller reads again whether any are left. Buyers of
   * goods that have just been sold out so get their refusal without waiting for each other.
   */
  readonly conflicts: number;
  /**
   * The order's count against the caller's network; null if it does not count.
   *
   * @throws AppError `too_many_requests`
   */
  opening(order: StoredOrder): NetworkCount | null;
}

export interface NetworkCount {
  /** Refused if another order from the network was stored meanwhile. */
  readonly write: Write;
  /** Counts outside the transaction. Returns what undoes it. */
  count(): Promise<() => Promise<void>>;
}

/**
 * Makes an order from a draft, with everything that is stored with it, in one transaction.
 *
 * @throws AppError as `finalPricing`, `insufficient_stock`, `validation_failed`, `too_many_requests`, `slot_expired` or
 *   `slot_taken` if the order's own requirements failed, `already_exists` for a payment's reference, and the
 *   `changedError`
 * @throws Refused if something else was changed meanwhile. The draft must then be made again
 */
export async function place<Answer>(
  draft: OrderDraft,
  placing: Placing<Answer>,
  shop: Shop<"table" | "randomBytes">,
): Promise<Answer> {
  const { limits, settings, gatewayReady, now } = placing;
  const { buyer, coupon, converts } = draft;
  const { addresses, method } = draft.delivery;
  const delivery = { destination: addresses.shipping, method, settings, now };
  const pricing = await offeringSlots(draft, delivery, shop, () =>
    finalPricing(draft, draft.terms, { settings, gatewayReady, byStaff: limits === null }),
  );
  const { slot, writes: booking } = await bookedSlot(draft, delivery, shop);
  const { order: made, timeline } = orderFrom(draft, {
    ...placing,
    number: orderNumber(shop.randomBytes(12)),
    pricing,
    counted: countersOf(buyer.customer, coupon?.record, settings.store.country),
    slot,
  });
  const { record, writes: paid } = withReceivedPayments(
    { order: made, rows: { ...noRows, timeline } },
    draft,
    placing,
  );
  const { order } = record;
  const opening = limits?.opening(order) ?? null;
  const { answer, writes: further } = await placing.answer(record);
  const leads = new Set(converts.quotes.map(({ lead_id }) => lead_id));
  const won = await Promise.all(
    Array.from(leads, (lead_id) => leadWrites(shop.table, { lead_id }, "won", now)),
  );
  const writes = [
    ...orderWrites({ draft, record, placing }),
    ...booking,
    ...(opening ? [opening.write] : []),
    ...won.flat(),
    ...paid,
    ...further,
  ];
  const uncount = await opening?.count();
  try {
    await offeringSlots(draft, delivery, shop, () =>
      shop.table.transact(writes, limits ? { maxConflicts: limits.conflicts } : {}),
    );
  } catch (error) {
    await uncount?.();
    // Another order took the last units after this one had read the stock.
    if (limits && error instanceof AppError && error.code === "insufficient_stock") {
      await count("StockConflicts");
    }
    throw error;
  }
  return answer;
}

/** The slot that the order gets, with the writes that book it. Null if the cart holds none and staff wish for none. */
async function bookedSlot(
  { slot: reading, lines }: OrderDraft,
  delivery: WantedDelivery,
  { table }: Shop<"table">,
): Promise<{ slot: BookedSlot | null; writes: readonly TransactionWrite[] }> {
  if (reading.kind === "wished") {
    const items = lines.map(({ line }) => line);
    return bookPlace(table, reading.wish, { ...delivery, ...choiceFor(items, delivery, noChoice) });
  }
  const zone = slotZoneFor(delivery);
  if (reading.kind !== "held" || !zone) return { slot: null, writes: [] };
  const { method: _method, ...held } = reading.slot;
  const { settings, now } = delivery;
  const slot = { ...held, confirm_by: confirmBy(held.date, zone, settings), has_left: false };
  const write = bookHeld(slot, reading.hold.holder, now);
  const refused = (cause: Refused) => new AppError("slot_expired", { cause });
  return { slot, writes: [{ write, refused }] };
}

const noChoice = {
  no_slots: ["slot", "No delivery time can be chosen for this address and delivery method."],
  made_to_order: [
    "slot",
    "The quote has an item that is made to order. Its delivery time is chosen when the order is ready.",
  ],
} as const;

/**
 * Adds the payments that staff have received, with the writes that store them beside the order.
 *
 * @throws AppError `validation_failed`
 */
function withReceivedPayments(
  placed: OrderRecord,
  { payments }: OrderDraft,
  { settings, now }: Pick<Placing<unknown>, "settings" | "now">,
): { record: OrderRecord; writes: TransactionWrite[] } {
  const writes: TransactionWrite[] = [];
  const today = dayIn(settings.store.timezone, now);
  let record = placed;
  for (const { tender, amount, reference, again } of payments) {
    const { order } = record;
    const due = amountToConfirm(order);
    const usual = tender === "cash" ? cashToConfirm(order, due) : due;
    const outcome = recordPayment(
      record,
      { tender, amount: amount ?? usual, reference },
      { id: newId("txn", now), today, since: today },
      { now, newTransactionId: () => newId("txn", now), stockAvailable: true },
    );
    if (outcome.kind !== "recorded") {
      throw invalidField("payment.amount", "This payment cannot be recorded.");
    }
    const { change } = outcome;
    record = changed(record, change);
    writes.push(
      ...paymentRows(order, change, now),
      ...change.transactions.flatMap((row) => useReference(order.id, row, again)),
    );
  }
  return { record, writes };
}

/** A draft with the order that it becomes. */
interface NewOrder {
  readonly draft: OrderDraft;
  readonly record: OrderRecord;
  readonly placing: Pick<Placing<unknown>, "converts" | "changedError" | "limits" | "now">;
}

/** The writes of the order itself and of what it uses up, with their errors. */
function orderWrites(placed: NewOrder): TransactionWrite[] {
  const { order, rows } = placed.record;
  const { converts, changedError, now } = placed.placing;
  const own = [
    ...converts,
    ...newOrder(order, rows.timeline),
    publishEvent({ type: "order_placed", order_id: order.id }, now),
  ];
  const used = [...stockWrites(placed), ...couponWrites(placed), ...buyerWrites(placed)];
  // What is read again comes first. An error comes after a shortage, which tells the buyer more.
  return changedError
    ? [...used, ...own.map((write) => ({ write, refused: changedError }))]
    : [...own, ...used];
}

/** Reserves the stock. If it is insufficient, the error lists all lines concerned, not only the first. */
function stockWrites({ draft, placing: { now } }: NewOrder): TransactionWrite[] {
  const lines = draft.lines.map(({ line }) => line);
  const units = [...unitsByStock(lines)];
  const stock = new Map(units.map(([id, count]) => [id, changeStock(id, reserve(count), now)]));
  const refused = (refusal: Refused) => insufficientStock(shortagesIn(refusal, stock, lines));
  return Array.from(stock.values(), (write) => ({ write, refused }));
}

function shortagesIn(
  refused: Refused,
  stock: ReadonlyMap<string, Write>,
  lines: readonly PricedLine[],
): Shortage[] {
  return lines.flatMap((line) => {
    const id = stockIdOf(line);
    const write = id === null ? undefined : stock.get(id);
    const failure = refused.failures.find((each) => each.write === write);
    return failure
      ? shortageOf(line, { available: Number(failure.conflictingItem?.["available"] ?? 0) })
      : [];
  });
}

interface CouponCounter {
  readonly by: CouponUser;
  readonly limit: number;
  readonly reason: CouponReason;
}

/** Only limited coupons are counted. A coupon without limits costs no write. */
function couponCounters(coupon: Coupon | undefined, buyers: readonly BuyerKey[]): CouponCounter[] {
  const { max_uses = null, max_uses_per_customer = null } = coupon ?? {};
  const all: CouponCounter[] =
    max_uses === null ? [] : [{ by: "all", limit: max_uses, reason: "exhausted" }];
  if (max_uses_per_customer === null) return all;
  const own = buyers.map((by): CouponCounter => ({
    by,
    limit: max_uses_per_customer,
    reason: "per_customer_limit",
  }));
  return [...all, ...own];
}

/** The counters to which a new order is added. @param country of the store */
export function countersOf(
  customer: StoredOrder["customer"],
  coupon: Coupon | undefined,
  country: string,
): StoredOrder["counted"] {
  const buyers = buyerKeys(customer, country);
  const coupons = couponCounters(coupon, buyers);
  return {
    buyers,
    open: limitingKeys(buyers),
    coupon: coupons.map(({ by }) => by),
    ...(coupons.length > 0 && { coupon_limits: coupons.map(({ limit }) => limit) }),
  };
}

function couponWrites({ draft, record: { order } }: NewOrder): TransactionWrite[] {
  const { record: coupon, isPromised } = draft.coupon ?? {};
  if (!coupon) return [];
  const counters = couponCounters(coupon, countedBuyers(order));
  if (isPromised) {
    return [
      ...counters.map(({ by }) => shiftUses(coupon.code, by, 1)),
      ...(coupon.used ? [] : [markUsed(coupon)]),
    ];
  }
  const refusedAs = (reason: CouponReason) => () =>
    couponRefused(draft.terms, refused(reason).message);
  const counted = counters.map(({ by, limit, reason }) => ({
    write: countUse(coupon.code, by, limit),
    refused: refusedAs(reason),
  }));
  // Staff may delete or rename a coupon that no order has used, even during this checkout. This write is then refused.
  const first = { write: markUsed(coupon), refused: refusedAs("not_found") };
  return coupon.used ? counted : [...counted, first];
}

function buyerWrites(placed: NewOrder): TransactionWrite[] {
  const { order } = placed.record;
  const { openOrders = 0 } = placed.placing.limits ?? {};
  const count = countsAs(order);
  const limited = new Set(limitedBuyers(order));
  const orders = isForFirstOrder(placed.draft) ? 1 : null;
  return countedBuyers(order).map((buyer) => {
    const open = limited.has(buyer) ? count.open : 0;
    const isBounded = open > 0 && openOrders > 0;
    const write = countOrder(
      buyer,
      { ...count, open },
      { open: isBounded ? openOrders : null, orders },
    );
    return { write, refused: (refusal: Refused) => buyerRefused(placed, openOrders, refusal) };
  });
}

const isForFirstOrder = ({ coupon }: OrderDraft): boolean =>
  coupon?.record?.first_order_only === true && !coupon.isPromised;

/** `Retry-After` in seconds. After this time, one of the open orders may have been paid, shipped or expired. */
const laterSeconds = 3_600;

function buyerRefused(
  { draft, placing: { now } }: NewOrder,
  limit: number,
  { first }: Refused,
): AppError {
  if (isForFirstOrder(draft) && Number(first.conflictingItem?.["orders"] ?? 0) > 0) {
    return couponRefused(draft.terms, refused("first_order_only").message);
  }
  return tooMany("You have too many open orders. Please pay one of them or wait for a delivery.", {
    limit,
    seconds: laterSeconds,
    now,
  });
}
