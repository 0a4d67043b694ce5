import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { StoredCart } from "#shared/domain/cart/cart.ts";
import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import { type SlotHold, nextHold, type WantedSlot } from "#shared/domain/delivery/slot-hold.ts";
import { withHold } from "#shared/domain/delivery/place-count.ts";
import { isSamePlace } from "#shared/domain/delivery/delivery-slot.ts";
import { AppError, requireVersion, tooMany } from "#shared/domain/request/app-error.ts";
import { callerOf, countAround } from "#shared/auth/rate-limit.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { readCart, readFacts, buyerOf, type OpenedCart, openCart } from "./read-cart.ts";
import {
  type SlotChoice,
  choiceFor,
  slotRefused,
  readWantedPlace,
} from "#shared/application/delivery/free-slots.ts";
import { type CartOwner, putCart } from "#shared/storage/cart/carts.ts";
import {
  CallerHolds,
  dayUnchanged,
  endsOfHolds,
  releaseWrites,
  putCallerHolds,
  putCount,
} from "#shared/storage/delivery/delivery-places.ts";
import { callerHash } from "#shared/storage/order/order-openings.ts";
import type { Write } from "#shared/storage/writes.ts";
import { destinationOf } from "./price-delivery.ts";
import type { CartWriter } from "./save-cart.ts";

type HoldSlotShop = Shop<"table" | "catalogReads" | "rates" | "settings", CommerceGroup>;

/** How many places carts from one IP address can hold at a time. */
const mostHolds = limits.slot_holds.calls;
const tooManyHolds = "Too many delivery times are held from your network.";

interface SlotCall extends CartWriter {
  readonly ip: string;
}

export interface OpenedSlot extends OpenedCart {
  /** The places that carts from the caller's IP address hold. */
  readonly holds: CallerHolds | undefined;
}

/** Reads the cart, the settings and the caller's holds in one step. */
export async function openSlot(call: SlotCall, shop: HoldSlotShop): Promise<OpenedSlot> {
  const [opened, holds] = await Promise.all([
    openCart(call, shop),
    shop.table.get(CallerHolds, { caller: callerHash(callerOf(call.ip)) }),
  ]);
  return { ...opened, holds };
}

/**
 * Holds a place for the cart, and releases the cart's earlier one. Holding the same place again changes nothing.
 *
 * @throws AppError `cart_empty`, `version_mismatch`, `validation_failed`, `slot_taken` with alternatives,
 *   `too_many_requests`
 * @throws Refused when the cart, the place or the caller's holds have changed since they were read
 */
export async function holdSlot(
  call: SlotCall,
  wanted: WantedSlot,
  opened: OpenedSlot,
  shop: HoldSlotShop,
): Promise<CartReading> {
  const { now } = call;
  const { owner, cart } = existing(opened);
  if (cart.lines.length === 0) throw new AppError("cart_empty");
  const { settings } = opened;
  const method = wanted.shipping_method;
  const choices = { settings, destination: destinationOf(wanted, settings), method, now };
  const facts = await factsOf(call, cart, shop);
  const reading = readCart(cart, facts, choices);

  const hold = grantedHold(cart, now);
  const items = reading.lines.map(({ line }) => line);
  const choice = {
    ...choices,
    ...choiceFor(items, choices, notOffered),
    holder: hold.holder,
  };
  const same = { ...wanted, zone: choice.zone.code, method };
  if (reading.slot.kind === "held" && isSame(reading.slot.slot, same)) return reading;

  requireVersion(call.headers["if-match"], cart.version);
  const { place, writes } = await placeWrites(wanted, hold, choice, shop);
  const slot = { ...place, method };
  const next = withSlot(cart, { ...hold, slot }, now);
  await shop.table.transact([
    putCart(owner, next, cart),
    ...writes,
    ...releaseWrites(cart.slot_hold, slot, now),
    await holdOfCaller(call, { ...hold, slot }, opened.holds, shop),
  ]);
  return readCart(next, facts, choices);
}

/** Releases the cart's place. A cart without one, also an empty one, stays as it is. */
export async function releaseCartSlot(
  call: SlotCall,
  opened: OpenedSlot,
  shop: HoldSlotShop,
): Promise<CartReading> {
  const { now } = call;
  const { owner, cart } = existing(opened);
  const choices = { settings: opened.settings, destination: null, method: null, now };
  const facts = await factsOf(call, cart, shop);
  const { slot_hold: hold } = cart;
  if (!hold?.slot) return readCart(cart, facts, choices);
  requireVersion(call.headers["if-match"], cart.version);
  const next = withSlot(cart, { ...hold, slot: null }, now);
  await shop.table.transact([putCart(owner, next, cart), ...releaseWrites(hold, null, now)]);
  return readCart(next, facts, choices);
}

interface OwnCart {
  readonly owner: CartOwner;
  readonly cart: StoredCart;
}

function existing({ claim, cart }: OpenedSlot): OwnCart {
  if (!claim || !cart) throw new AppError("cart_empty");
  return { owner: claim, cart };
}

const factsOf = ({ actor }: SlotCall, { lines, coupon_code }: StoredCart, shop: HoldSlotShop) =>
  readFacts(shop.catalogReads.current, lines, coupon_code, buyerOf(actor));

/** The cart's next hold, unless its holds have followed each other too closely. */
function grantedHold({ id, slot_hold }: StoredCart, now: Date) {
  const terms = nextHold(slot_hold, id, now);
  if (terms.kind === "granted") return terms.hold;
  throw tooMany("You have held delivery times repeatedly. Please try again later.", {
    limit: 1,
    seconds: secondsUntil(terms.until, now),
    now,
  });
}

const notOffered = {
  no_slots: [
    "shipping_method",
    "No delivery day can be chosen for this address and delivery method.",
  ],
  made_to_order: [
    "date",
    "The cart has an item that is made to order. Choose the delivery day when the order is ready.",
  ],
} as const;

type HeldSlot = NonNullable<SlotHold["slot"]>;

const isSame = (
  one: HeldSlot,
  other: Pick<HeldSlot, "zone" | "date" | "window" | "method">,
): boolean => isSamePlace(one, other) && one.method === other.method;

/** The wanted place with the writes that hold it, if it is free. */
async function placeWrites(
  wanted: WantedSlot,
  hold: Pick<SlotHold, "holder" | "until">,
  choice: SlotChoice,
  { table }: Shop<"table">,
) {
  const { day, place, before, ...rest } = await readWantedPlace(table, wanted, choice);
  const count = withHold({ place, before, ...rest }, hold);
  if (!count) throw await slotRefused(new AppError("slot_taken"), wanted, table, choice);
  return { place, writes: [dayUnchanged(place, day), putCount(count, before)] };
}

const withSlot = (cart: StoredCart, slot_hold: SlotHold, now: Date): StoredCart => ({
  ...cart,
  slot_hold,
  version: cart.version + 1,
  updated_at: now.toISOString(),
});

/** Counts the hold against the caller's IP address. */
async function holdOfCaller(
  { ip, now }: SlotCall,
  {
    holder,
    until,
    slot: { zone, date, window },
  }: Pick<SlotHold, "holder" | "until"> & { readonly slot: HeldSlot },
  before: CallerHolds | undefined,
  { table, rates }: Shop<"table" | "rates">,
): Promise<Write> {
  const others = Object.fromEntries(
    Object.entries(before?.holds ?? {}).filter(
      ([other, hold]) => other !== holder && Date.parse(hold.until) > now.getTime(),
    ),
  );
  if (Object.keys(others).length >= mostHolds) {
    const ends = (await endsOfHolds(table, others, now)).toSorted();
    if (ends.length >= mostHolds) {
      throw tooMany(`${tooManyHolds} Please try again later.`, {
        limit: mostHolds,
        seconds: secondsUntil(new Date(ends[ends.length - mostHolds]!), now),
        now,
      });
    }
  }
  const isNew = before?.holds[holder] === undefined;
  if (isNew) {
    const options = { limit: "slot_holds", calls: mostHolds, reason: tooManyHolds, now } as const;
    await countAround(rates, callerOf(ip), options);
  }
  const holds = { ...others, [holder]: { zone, date, window, until } };
  return putCallerHolds(callerHash(callerOf(ip)), holds, before);
}

const secondsUntil = (time: Date, now: Date): number =>
  Math.ceil((time.getTime() - now.getTime()) / 1000);
