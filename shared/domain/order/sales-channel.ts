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

/** The sale of an order that its buyer places alone. */
export const ownSale = { channel: "web", sold_by: null } as const;
