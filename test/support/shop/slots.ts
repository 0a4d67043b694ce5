import type { Cart } from "#shared/domain/cart/cart.ts";
import type { DeliverySlot } from "#shared/domain/delivery/delivery-slot.ts";
import type { SlotCalendar } from "#shared/domain/delivery/slot-calendar.ts";
import { PlaceCounts } from "#shared/storage/delivery/delivery-places.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { Table } from "#shared/storage/table.ts";
import { update } from "#shared/storage/writes.ts";
import { type Client, type Reply, clientOf } from "../http/client.ts";
import type { Problem } from "../http/answers.ts";
import type { StaffClient } from "../people/people.ts";
import { type Data, type Shopper, aShopper } from "./shopping.ts";

/** The zone, address and method for which the demo shop has slots. */
export const zone = "bengaluru";
export const slotDestination = { postal_code: "560001", shipping_method: "room_of_choice" };
export const bySlot = { shipping_method: slotDestination.shipping_method };
export const asQuery = new URLSearchParams(slotDestination).toString();

export type Choice = Pick<DeliverySlot, "date" | "window">;
export type SlotAnswer = Data<Cart> & Problem & { details: { alternatives: DeliverySlot[] } };

/**
 * The days of the calendar that each group of tests uses, so that no test takes a place of another. Demo orders are booked
 * on the first ones. A day that the cut-off ends meanwhile belongs to none of them. The days of orders are counted from
 * the end, because tests close earlier days, and there must be enough of them.
 */
const daysOf = {
  calls: [10, 11],
  carts: [11, 29],
  faults: [29, 32],
  sequences: [32, 34],
  changes: [34, 35],
  quotes: [35, 37],
  orders: [-16],
} as const;

/** Opens windows of days on which no other group of tests books. */
export function openPlaces(baseUrl: string, staff: StaffClient, group: keyof typeof daysOf) {
  let taken = 0;
  /** The next window, of a day of its own, with this capacity. */
  return async (capacity: number, window = "morning"): Promise<Choice> => {
    const { days } = (await readSlots(baseUrl, asQuery)).body.data;
    const date = days.slice(...daysOf[group])[taken++]?.date;
    if (date === undefined) throw new Error("The calendar has too few days");
    const capacities = { [window]: capacity };
    const { status, text } = await staff.put(`/admin/delivery-days/${zone}/${date}`, {
      capacities,
    });
    if (status !== 200) throw new Error(text);
    return { date, window };
  };
}

/** A guest whose cart can hold a slot. */
export interface SlotShopper extends Shopper {
  hold(choice: Choice | { date: null }): Promise<Reply<SlotAnswer>>;
  /** Ends the cart's hold, as if its 15 minutes were over. */
  endHold(choice: Choice): Promise<void>;
}

export async function aSlotShopper(
  baseUrl: string,
  table: Table,
  items: readonly object[],
  from: Client = clientOf(baseUrl),
): Promise<SlotShopper> {
  const shopper = await aShopper(baseUrl, items);
  return {
    ...shopper,
    hold(choice) {
      const body = { ...choice, ...(choice.date && slotDestination) };
      return from.put("/cart/slot", body, shopper.headers);
    },
    async endHold({ date, window }) {
      const until = new Date(Date.now() - 1_000).toISOString();
      const owner = { kind: "guest", tokenHash: hashOf(shopper.token) } as const;
      const place = { zone, date, window };
      await table.transact([
        update(Carts, { owner }, { set: { "slot_hold.until": until } }),
        update(PlaceCounts, place, { set: { [`holds.${shopper.cart.id}`]: until } }),
      ]);
    },
  };
}

export const readSlots = (baseUrl: string, query: string, headers = {}) =>
  clientOf(baseUrl).get<Data<SlotCalendar> & Problem>(`/shipping/slots?${query}`, headers);
