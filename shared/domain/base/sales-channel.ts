import * as z from "zod";
import { Id } from "./ids.ts";
import { Code } from "./names.ts";

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

/** How, where and by whom an order was sold, as quotes and orders keep it. */
export const saleMembers = {
  channel: SalesChannel,
  location: Code.nullable().meta({
    description: "Code of a location; null if it was sold nowhere in particular",
  }),
  sold_by: Id("stf").nullable().meta({
    description: "Id of the staff user who sold it; null if its buyer placed it alone",
  }),
};

export const Sale = z.object(saleMembers);
export type Sale = Readonly<z.output<typeof Sale>>;

/** The sale of a record that has all its members. */
export const saleOf = ({ channel, location, sold_by }: Sale): Sale => ({
  channel,
  location,
  sold_by,
});

/** The sale of an order that its buyer places alone. */
export const ownSale: Sale = { channel: "web", location: null, sold_by: null };

/** Whether a buyer placed the order alone. */
export const isOwnSale = ({ channel, location, sold_by }: Sale): boolean =>
  channel === ownSale.channel && location === null && sold_by === null;
