import type { DeliveryWindow } from "../../delivery/shipping.ts";
import type { StoredOrder } from "../order.ts";

/** The days on which an order is to arrive: that of its slot, or else those promised when it was placed. */
export const promisedDates = ({
  slot,
  shipping,
}: Pick<StoredOrder, "slot" | "shipping">): DeliveryWindow =>
  slot ? { min_on: slot.date, max_on: slot.date } : shipping.promised;
