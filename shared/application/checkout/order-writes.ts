import { type Shortage, shortageOf } from "#shared/domain/cart/cart-view.ts";
import type { CheckoutInput } from "#shared/domain/checkout/checkout.ts";
import { type Coupon, type CouponReason, refused } from "#shared/domain/pricing/coupon.ts";
import type { StoredOrder, TimelineEntry } from "#shared/domain/order/order.ts";
import type { PricedLine } from "#shared/domain/pricing/priced-line.ts";
import { stockIdOf, reserve, unitsByStock } from "#shared/domain/catalog/stock.ts";
import { AppError, tooMany } from "#shared/domain/request/app-error.ts";
import {
  type BuyerKey,
  buyerKeys,
  countOrder,
  countedBuyers,
  limitedBuyers,
  limitingKeys,
} from "#shared/storage/order/buyers.ts";
import { type CouponUser, countUse, markUsed, shiftUses } from "#shared/storage/pricing/coupons.ts";
import { countsAs } from "#shared/storage/order/order-changes.ts";
import { bookHeld } from "#shared/storage/delivery/delivery-places.ts";
import { newOrder } from "#shared/storage/order/orders.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { changeStock } from "#shared/storage/catalog/stock-writes.ts";
import type { Refused, TransactionWrite, Write } from "#shared/storage/writes.ts";
import { couponRefused, insufficientStock } from "#shared/domain/checkout/final-pricing.ts";
import {
  isOpenOrder,
  openingsWindowMs,
  recentOpenings,
} from "#shared/domain/checkout/open-order.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { callerOf } from "#shared/auth/rate-limit.ts";
import {
  type OrderOpenings,
  callerHash,
  countOpening,
} from "#shared/storage/order/order-openings.ts";

/** A new order, with everything that is stored with it. */
export interface NewOrder {
  readonly order: StoredOrder;
  readonly timeline: readonly TimelineEntry[];
  /** What the order uses up: its cart, its quotes. */
  readonly conversions: readonly Write[];
  readonly lines: readonly PricedLine[];
  /** The coupon that reduces the price; null if there is none. */
  readonly coupon: Coupon | null;
  /** Whether a quote was sent with the coupon, which is then honoured beyond its limits. */
  readonly isPromised: boolean;
  readonly request: Pick<CheckoutInput, "coupon">;
  /** Binds the caller's idempotency key. */
  readonly binding: readonly Write[];
  /** Holds the place of the order's slot; null if the order has no slot. */
  readonly holder: string | null;
  /** 0 means no limit. */
  readonly maxOpenOrders: number;
  /** Counts the order against the caller's IP address; null if it is not counted. */
  readonly opening: Write | null;
  readonly now: Date;
}

/**
 * Builds the writes that place an order. A refused write becomes AppError `insufficient_stock`, `validation_failed` or
 * `too_many_requests` or `slot_expired` if the order's own requirements failed, and `cart_changed` otherwise. If only the write of
 * `opening` is refused, because another order from the same IP address was stored meanwhile, the transaction throws
 * Refused. The checkout must then be validated again.
 */
export function orderWrites(placing: NewOrder): TransactionWrite[] {
  const { order, timeline, conversions, binding, opening, now } = placing;
  const { id: orderId } = order;
  const changed = [
    ...conversions,
    ...newOrder(order, timeline),
    ...binding,
    publishEvent({ type: "order_placed", order_id: orderId }, now),
  ];
  return [
    ...stockWrites(placing),
    ...couponWrites(placing),
    ...buyerWrites(placing),
    ...changed.map((write) => ({
      write,
      refused: (cause: Refused) => new AppError("cart_changed", { cause }),
    })),
    // After the cart, because a cart that has moved its hold is not one whose hold has ended.
    ...slotWrites(placing),
    ...(opening ? [opening] : []),
  ];
}

/** Reserves the stock. If it is insufficient, the error lists all lines concerned, not only the first. */
function stockWrites({ lines, now }: NewOrder): TransactionWrite[] {
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

/** Books the place that the cart holds. */
const slotWrites = ({ order: { slot }, holder, now }: NewOrder): TransactionWrite[] =>
  slot && holder !== null
    ? [
        {
          write: bookHeld(slot, holder, now),
          refused: (cause: Refused) => new AppError("slot_expired", { cause }),
        },
      ]
    : [];

interface CouponCounter {
  readonly by: CouponUser;
  readonly limit: number;
  readonly reason: CouponReason;
}

/** Only limited coupons are counted. A coupon without limits costs no write. */
function couponCounters(coupon: Coupon | null, buyers: readonly BuyerKey[]): CouponCounter[] {
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
  coupon: Coupon | null,
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

function couponWrites({ coupon, isPromised, order, request }: NewOrder): TransactionWrite[] {
  if (!coupon) return [];
  if (isPromised) {
    const uses = couponCounters(coupon, countedBuyers(order));
    return [
      ...uses.map(({ by }) => shiftUses(coupon.code, by, 1)),
      ...(coupon.used ? [] : [markUsed(coupon)]),
    ];
  }
  const counters = couponCounters(coupon, countedBuyers(order)).map(({ by, limit, reason }) => ({
    write: countUse(coupon.code, by, limit),
    refused: () => couponRefused(request, refused(reason).message),
  }));
  // Staff may delete or rename a coupon that no order has used, even during this checkout. This write is then refused.
  const first = {
    write: markUsed(coupon),
    refused: () => couponRefused(request, refused("not_found").message),
  };
  return coupon.used ? counters : [...counters, first];
}

function buyerWrites(placing: NewOrder): TransactionWrite[] {
  const { order, maxOpenOrders } = placing;
  const count = countsAs(order);
  const limited = new Set(limitedBuyers(order));
  const orders = isForFirstOrder(placing) ? 1 : null;
  return countedBuyers(order).map((buyer) => {
    const open = limited.has(buyer) ? count.open : 0;
    const isBounded = open > 0 && maxOpenOrders > 0;
    const write = countOrder(
      buyer,
      { ...count, open },
      { open: isBounded ? maxOpenOrders : null, orders },
    );
    return { write, refused: (refusal: Refused) => buyerRefused(placing, refusal) };
  });
}

const isForFirstOrder = ({ coupon, isPromised }: NewOrder): boolean =>
  coupon !== null && coupon.first_order_only && !isPromised;

/** `Retry-After` in seconds. After this time, one of the open orders may have been paid, shipped or expired. */
const laterSeconds = 3_600;

function buyerRefused(placing: NewOrder, { first }: Refused): AppError {
  const { request, maxOpenOrders, now } = placing;
  if (isForFirstOrder(placing) && Number(first.conflictingItem?.["orders"] ?? 0) > 0) {
    return couponRefused(request, refused("first_order_only").message);
  }
  return tooMany("You have too many open orders. Please pay one of them or wait for a delivery.", {
    limit: maxOpenOrders,
    seconds: laterSeconds,
    now,
  });
}

/** The members of a checkout that the limit per IP address needs. */
interface OpeningCall {
  readonly ip: string;
  readonly now: Date;
  readonly openings: OrderOpenings | undefined;
  readonly checkout: Pick<Settings["checkout"], "max_open_orders_per_ip">;
}

export const tooManyOrders = "Too many unpaid orders were placed from your network.";

/**
 * Counts an open order against the IP address from which it is placed.
 *
 * @returns null if the order is not open or the limit is off
 * @throws AppError `too_many_requests`
 */
export function openingOf(
  order: StoredOrder,
  { ip, now, openings, checkout: { max_open_orders_per_ip: limit } }: OpeningCall,
): Write | null {
  if (limit === 0 || !isOpenOrder(order)) return null;
  const recent = recentOpenings(openings?.opened ?? [], now);
  const blocking = recent.at(-limit);
  if (blocking !== undefined) {
    const seconds = Math.ceil((blocking * 1000 + openingsWindowMs - now.getTime()) / 1000);
    throw tooMany(`${tooManyOrders} Please try again later.`, { limit, seconds, now });
  }
  return countOpening(callerHash(callerOf(ip)), openings, now);
}
