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
