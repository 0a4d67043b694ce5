import {
  isOpenOrder,
  openingsWindowMs,
  recentOpenings,
} from "#shared/domain/checkout/open-order.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { tooMany } from "#shared/application/too-many.ts";
import { callerOf } from "#shared/auth/rate-limit.ts";
import {
  type OrderOpenings,
  callerHash,
  countOpening,
} from "#shared/storage/order/order-openings.ts";
import type { Write } from "#shared/storage/writes.ts";

/** The members of a checkout that the limit per IP address needs. */
interface OpeningCall {
  readonly ip: string;
  readonly now: Date;
  readonly openings: OrderOpenings | undefined;
  readonly checkout: Pick<Settings["checkout"], "max_open_orders_per_ip">;
}

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
    const message = "Too many unpaid orders were placed from your network. Please try again later.";
    throw tooMany(message, { limit, seconds, now });
  }
  return countOpening(callerHash(callerOf(ip)), openings, now);
}
