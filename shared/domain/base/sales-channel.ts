import * as z from "zod";

/** Where a sale came about. */
export const SalesChannel = z.enum([
  "web",
  "phone",
  "showroom",
  "whatsapp",
  "email",
  "fair",
  "other",
]);
export type SalesChannel = z.output<typeof SalesChannel>;

/** How an order was sold. */
export interface Sale {
  readonly channel: SalesChannel;
  /** Id of the staff user who sold it; null if its buyer placed it alone. */
  readonly sold_by: string | null;
}

/** The sale of an order that its buyer places alone. */
export const ownSale: Sale = { channel: "web", sold_by: null };
