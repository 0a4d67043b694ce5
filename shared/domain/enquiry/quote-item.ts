import * as z from "zod";
import { type QuotedLine, unnamedTaxClass } from "../cart/bare-line.ts";
import { cartLimits } from "../cart/cart-limits.ts";
import { QuotedItem } from "../cart/quoted-item.ts";
import { Id } from "../base/ids.ts";
import { Money } from "../base/money.ts";
import { customIdentity, customLeadTime, type PricedLine } from "../pricing/priced-line.ts";
import { LineDiscount, discountOn } from "../pricing/line-discount.ts";
import { parcelOf } from "../delivery/shipping.ts";
import { MultilineText, Text } from "../base/text.ts";

const Side = z.int().min(1).max(20_000).nullable().default(null);

export const CustomDimensions = z.strictObject({ width_mm: Side, depth_mm: Side, height_mm: Side });
export type CustomDimensions = z.output<typeof CustomDimensions>;

/** A custom piece that is not in the catalog. */
export const CustomItem = z.strictObject({
  title: Text(200),
  description: MultilineText(2_000).nullable().default(null),
  dimensions: CustomDimensions.nullable().default(null),
});
export type CustomItem = z.output<typeof CustomItem>;

const quantity = z.int().min(1).max(cartLimits.quantity);

/** A line of a quote. */
export const QuoteItem = z.object({
  id: Id("line"),
  kind: z.enum(["product", "sofa", "custom"]),
  ...QuotedItem.shape,
  description: z.string().nullable(),
  dimensions: CustomDimensions.nullable(),
  quantity,
  regular_price: Money.nullable().meta({
    description: "Catalog price when the line was last priced; null for a custom item",
  }),
  unit_price: Money.nullable().meta({ description: "Offered price; null until it is set" }),
  discount: LineDiscount.nullable().default(null),
  coupon_discount: Money.default(0).meta({
    description: "What the quote's coupon takes off the line; 0 until the quote is sent",
  }),
  priced_by: Id("stf").nullable().default(null).meta({
    description: "Who set the price or the discount; null if nobody did",
  }),
});
export type QuoteItem = z.output<typeof QuoteItem>;

/** A line for a custom piece. It has no price until staff set one. */
export function customItem(
  { title, description, dimensions }: CustomItem,
  { id, quantity }: Pick<QuoteItem, "id" | "quantity">,
): QuoteItem {
  const { material_code: _none, ...identity } = customIdentity({ id, name: title, quantity });
  return {
    ...identity,
    tax_class: unnamedTaxClass,
    hsn_code: null,
    lead_time: customLeadTime,
    delivery_classes: [],
    parcels: customParcels(dimensions, 0),
    warranty: [],
    description,
    dimensions,
    regular_price: null,
    unit_price: null,
    discount: null,
    coupon_discount: 0,
    priced_by: null,
  };
}

/** A line for a catalog record, at its catalog price. Staff may then set another price. */
export function catalogItem(line: PricedLine): QuoteItem {
  return {
    id: line.id,
    kind: line.kind === "sofa" ? "sofa" : "product",
    product_id: line.product_id,
    sofa_id: line.sofa_id,
    variant_id: line.variant_id,
    slug: line.slug,
    configuration: line.configuration,
    configuration_id: line.configuration_id,
    choices: line.choices,
    name: line.name,
    sku: line.sku,
    image: line.image,
    tax_class: line.tax_class,
    hsn_code: line.hsn_code,
    lead_time: line.availability.lead_time,
    delivery_classes: [...line.delivery_classes],
    parcels: [...line.parcels],
    warranty: [...line.warranty],
    description: null,
    dimensions: null,
    quantity: line.quantity,
    regular_price: line.unit_price,
    unit_price: line.unit_price,
    discount: null,
    coupon_discount: 0,
    priced_by: null,
  };
}

export function customParcels(dimensions: CustomDimensions | null, weight_g: number) {
  const { width_mm, depth_mm, height_mm } = dimensions ?? {};
  return [
    parcelOf({
      width_mm: width_mm ?? 0,
      depth_mm: depth_mm ?? 0,
      height_mm: height_mm ?? 0,
      weight_g,
    }),
  ];
}

/** What the discount of staff takes off the line; 0 while it has no price. */
export const itemDiscount = ({ unit_price, quantity, discount }: QuoteItem): number =>
  unit_price === null ? 0 : discountOn(unit_price * quantity, discount);

/** The line of a quote as carts and orders price it. */
export function quotedLine(item: QuoteItem): QuotedLine {
  const { kind: _kind, description: _description, dimensions: _dimensions, ...line } = item;
  const { regular_price: _regular, priced_by: _by, unit_price, coupon_discount, ...thing } = line;
  return {
    ...thing,
    kind: "quoted",
    unit_price: unit_price ?? 0,
    discount: itemDiscount(item) + coupon_discount,
  };
}
