import type { AvailabilityState } from "../catalog/availability.ts";

/**
 * The names of each availability state in schema.org and in Google's product feed. An item that is made to order is in
 * stock for Google, because it can be ordered and the feed states the days until dispatch.
 */
export const availabilityTerms = {
  in_stock: { schema: "InStock", google: "in_stock" },
  low_stock: { schema: "LimitedAvailability", google: "in_stock" },
  made_to_order: { schema: "MadeToOrder", google: "in_stock" },
  backorder: { schema: "BackOrder", google: "backorder" },
  out_of_stock: { schema: "OutOfStock", google: "out_of_stock" },
} as const satisfies Record<AvailabilityState, { schema: string; google: string }>;
