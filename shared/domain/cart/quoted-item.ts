import * as z from "zod";
import { LeadTime } from "../catalog/availability.ts";
import { Warranty } from "../catalog/warranty.ts";
import { Parcel } from "../delivery/shipping.ts";
import { LineIdentity } from "../pricing/priced-line.ts";

/** An item as a quote offers it, independent of later catalog changes. An item without a SKU is made to order. */
export const QuotedItem = LineIdentity.omit({
  id: true,
  kind: true,
  quantity: true,
  material_code: true,
}).extend({
  tax_class: z.string(),
  hsn_code: z.string().nullable(),
  lead_time: LeadTime,
  delivery_classes: z.array(z.string()),
  /** The packages of one unit. */
  parcels: z.array(Parcel),
  warranty: z.array(Warranty).default([]),
});
export type QuotedItem = z.output<typeof QuotedItem>;
