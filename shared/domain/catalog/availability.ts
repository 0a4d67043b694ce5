import * as z from "zod";
import { type Stock, stockState } from "./stock.ts";

/** From best to worst for the customer. */
export const AvailabilityState = z.enum([
  "in_stock",
  "low_stock",
  "made_to_order",
  "backorder",
  "out_of_stock",
]);
export type AvailabilityState = z.output<typeof AvailabilityState>;

/** Days from order to dispatch. */
export const LeadTime = z.object({
  min_days: z.int().min(0).max(365),
  max_days: z.int().min(0).max(365),
});
export type LeadTime = z.output<typeof LeadTime>;

/** The highest number of remaining units that an availability shows. */
const mostCounted = 9;

export const Availability = z.object({
  state: AvailabilityState,
  quantity: z.int().min(0).max(mostCounted).nullable().default(null).meta({
    description: "Units left; null unless `state` is `low_stock` and at most nine are left",
  }),
  lead_time: LeadTime,
});
export type Availability = z.output<typeof Availability>;

/** The members of a stock row that availability needs. */
export type StockLevel = Pick<Stock, "id" | "available" | "policy" | "low_stock_threshold">;

interface LeadTimes {
  lead_time: LeadTime;
  /** For units sold beyond the stock; null if it is the usual lead time. */
  backorder_lead_time: LeadTime | null;
}

/** The availability of a variant or sample. What has no stock row is never sold. */
export function availabilityOf(level: StockLevel | undefined, times: LeadTimes): Availability {
  const state = level ? stockState(level) : "out_of_stock";
  const later = state === "backorder" ? times.backorder_lead_time : null;
  return { state, quantity: countedQuantity(level), lead_time: later ?? times.lead_time };
}

/** The public quantity of units left: shown only while few are left. */
export function countedQuantity(level: StockLevel | undefined): number | null {
  if (!level || stockState(level) !== "low_stock" || level.available > mostCounted) return null;
  return level.available;
}

/** Whether units are there to be sent now. */
export const isInStock = ({ state }: Pick<Availability, "state">): boolean =>
  state === "in_stock" || state === "low_stock";

/** The highest stock quantity that a shortage reports. */
export const mostShown = 10;

/** The available units as the public sees them, at most `mostShown`. */
export function publicStock(level: Pick<StockLevel, "available"> | undefined): number {
  return Math.min(mostShown, Math.max(0, level?.available ?? 0));
}
