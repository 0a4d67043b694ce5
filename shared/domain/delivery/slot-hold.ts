import { ShippingMethodCode } from "../settings/zone-settings.ts";
import * as z from "zod";
import { Timestamp, Day } from "../base/text.ts";
import { type Destination, Country, PostalCode, readPostalCode } from "../contact/postal-code.ts";
import type { Settings } from "../settings/settings.ts";
import { type ChosenSlot, DeliverySlot } from "./delivery-slot.ts";
import { type ReadyLine, earliestDay, slotZoneFor, slotZoneNamed, slotsFor } from "./slot-zone.ts";
import { Code } from "../base/names.ts";

/** How a cart holds a place. It also remembers the hold before, so that holds cannot follow one another without end. */
export const SlotHold = z.object({
  /** Names the hold in the row that counts the place. */
  holder: z.string(),
  until: Timestamp,
  /** How many holds the cart has begun. */
  begun: z.int().min(1),
  /** Null once the place was released. */
  slot: DeliverySlot.extend({ method: ShippingMethodCode }).nullable(),
});
export type SlotHold = z.output<typeof SlotHold>;

/** Whether the hold keeps a place. */
export const isLive = (
  hold: SlotHold,
  now: Date,
): hold is SlotHold & { readonly slot: NonNullable<SlotHold["slot"]> } =>
  hold.slot !== null && Date.parse(hold.until) > now.getTime();

/** How long a place is held for a cart. */
const holdMs = 15 * 60_000;

type HoldTerms =
  | { readonly kind: "granted"; readonly hold: Pick<SlotHold, "holder" | "until" | "begun"> }
  | { readonly kind: "wait"; readonly until: Date };

/**
 * The terms of a cart's next hold. A move keeps the hold's end. After the first hold has expired, a second may begin at
 * once; each later one must wait as long as a hold lasts.
 */
export function nextHold(before: SlotHold | null, cartId: string, now: Date): HoldTerms {
  const until = new Date(now.getTime() + holdMs).toISOString();
  if (!before) return { kind: "granted", hold: { holder: cartId, until, begun: 1 } };
  const { holder, begun } = before;
  const end = Date.parse(before.until);
  if (end > now.getTime()) {
    return { kind: "granted", hold: { holder, until: before.until, begun } };
  }
  const again = new Date(end + holdMs);
  if (begun > 1 && again > now) return { kind: "wait", until: again };
  return { kind: "granted", hold: { holder, until, begun: begun + 1 } };
}

/**
 * Why a held slot does not suit the delivery: the delivery has no slots, a line gets its day when it is made, the slot is
 * for another zone or method, or the lines are not ready by then.
 */
export type Misfit = "no_slots" | "made_to_order" | "elsewhere" | "too_early";

interface HeldSlot {
  readonly slot: NonNullable<SlotHold["slot"]>;
  readonly hold: SlotHold;
}

/** The slot of a cart, judged for checkout, or the one that staff wish for, which is booked with the order. */
export type SlotReading =
  | { readonly kind: "none" | "required" }
  | { readonly kind: "wished"; readonly wish: ChosenSlot }
  | (HeldSlot & { readonly kind: "held" | "expired" })
  | (HeldSlot & { readonly kind: "misplaced"; readonly misfit: Misfit });

/** A cart and its delivery. `destination` and `method` are null until the buyer has chosen them. */
interface CartDelivery {
  readonly hold: SlotHold | null;
  readonly lines: readonly ReadyLine[];
  readonly destination: Destination | null;
  readonly method: ShippingMethodCode | null;
  readonly settings: Pick<Settings, "shipping" | "store">;
  readonly now: Date;
}

/** Judges the slot that a cart holds. A destination or method that is null is taken from the slot. */
export function readSlot(cart: CartDelivery): SlotReading {
  const { hold, now } = cart;
  if (!hold?.slot) return { kind: isRequired(cart) ? "required" : "none" };
  const { slot } = hold;
  if (!isLive(hold, now)) return { kind: "expired", slot, hold };
  const misfit = misfitOf(slot, cart);
  return misfit ? { kind: "misplaced", misfit, slot, hold } : { kind: "held", slot, hold };
}

const isRequired = ({ lines, destination, method, ...shop }: CartDelivery): boolean =>
  destination !== null &&
  method !== null &&
  slotsFor(lines, { ...shop, destination, method })?.required === true;

function misfitOf(slot: HeldSlot["slot"], cart: CartDelivery): Misfit | null {
  const { lines, destination, settings, now } = cart;
  const method = cart.method ?? slot.method;
  const zone =
    destination === null
      ? slotZoneNamed(settings.shipping, { zone: slot.zone, method })
      : slotZoneFor({ destination, method, settings });
  if (!zone) return "no_slots";
  const earliest = earliestDay(lines, zone, settings, now);
  if (earliest === null) return "made_to_order";
  if (zone.code !== slot.zone || method !== slot.method) return "elsewhere";
  return earliest > slot.date ? "too_early" : null;
}

/** A slot that a cart is to hold. */
export interface WantedSlot {
  readonly date: Day;
  readonly window: Code;
  readonly postal_code: PostalCode | undefined;
  readonly country: Country | undefined;
  readonly shipping_method: ShippingMethodCode;
}

/** `PUT /cart/slot`. Becomes null if the slot is released. */
export const SlotInput = z
  .strictObject({
    date: Day.nullable().meta({ description: "null releases the slot" }),
    window: Code.optional().meta({ description: "Required with a date" }),
    postal_code: PostalCode.optional().meta({
      description: "Required with a date where the country has postal codes",
    }),
    country: Country.optional().meta({ description: "Default: the store's country" }),
    shipping_method: ShippingMethodCode.optional().meta({ description: "Required with a date" }),
  })
  .transform((members, context): WantedSlot | null => {
    const { date, window, postal_code, shipping_method, country } = members;
    if (date === null) return null;
    if (window && shipping_method) {
      return { date, window, postal_code, shipping_method, country };
    }
    // Only the settings say which country is the store's. Most countries need a postal code.
    const needsCode =
      country === undefined || readPostalCode({ country, postal_code: null }).problem;
    const needed = { window, shipping_method, ...(needsCode && { postal_code }) };
    for (const [name, value] of Object.entries(needed)) {
      if (value !== undefined) continue;
      const message = `The ${name.replaceAll("_", " ")} field is required.`;
      context.addIssue({ code: "custom", path: [name], message });
    }
    return z.NEVER;
  });
