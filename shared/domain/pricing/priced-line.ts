import * as z from "zod";
import type { Availability, LeadTime } from "../catalog/availability.ts";
import { Configuration, type PriceLine } from "../sofa/configuration.ts";
import { inKeyOrder } from "../base/members.ts";
import type { Parcel } from "../delivery/shipping.ts";
import type { Warranty } from "../catalog/warranty.ts";
import { LineChoice } from "../sofa/line-choices.ts";
import { Money, MoneySum } from "../base/money.ts";
import { Picture } from "../base/picture.ts";

export const CartLineKind = z.enum(["product", "sofa", "swatch", "quoted", "custom"]);
export type CartLineKind = z.output<typeof CartLineKind>;

/** One shared schema for all nullable string members, because each schema costs import time. */
const idOfSome = z.string().nullable();

/** Lines stored before this member existed have none. */
export const LineChoices = z
  .array(LineChoice)
  .default([])
  .meta({
    description: "Chosen options in words, in the model's order",
    example: [
      { option: "size", label: "Size", value: "3-seater" },
      { option: "upholstery", label: "Upholstery", value: "Everyday Shield Dune" },
    ],
  });

/** The identity of a line, as carts show it and orders store it. */
export const LineIdentity = z.object({
  id: z.string(),
  kind: CartLineKind,
  product_id: idOfSome,
  sofa_id: idOfSome,
  variant_id: idOfSome,
  slug: idOfSome,
  material_code: z
    .string()
    .nullable()
    .meta({ description: "Material code of a swatch; null for other lines" }),
  configuration: Configuration.nullable(),
  configuration_id: idOfSome,
  choices: LineChoices,
  name: z.string(),
  sku: idOfSome,
  image: Picture.nullable(),
  quantity: z.int(),
});
export type LineIdentity = z.output<typeof LineIdentity>;

/** The amounts of a line. `line_total = line_subtotal − line_discount`, plus `line_tax` if prices exclude tax. */
export const LineAmounts = z.object({
  unit_price: Money,
  line_subtotal: MoneySum,
  line_discount: MoneySum,
  line_tax: MoneySum,
  line_total: MoneySum,
});
export type LineAmounts = z.output<typeof LineAmounts>;

/**
 * A cart line with the current catalog and stock data. It has all members that totals, coupons, shipping, cash on
 * delivery and the order need, for every kind of line.
 */
export interface PricedLine extends LineIdentity {
  readonly unit_price: number;
  /** What was agreed off the line's subtotal, apart from a coupon. */
  readonly discount: number;
  /** The price at the line's last write. */
  readonly last_price: number;
  readonly price_lines: readonly PriceLine[];
  readonly availability: Omit<Availability, "quantity">;
  readonly made_to_order: boolean;
  /** Slugs of the item's category and of that category's ancestors. */
  readonly categories: readonly string[];
  readonly tax_class: string;
  readonly hsn_code: string | null;
  readonly cod_eligible: boolean;
  readonly delivery_classes: readonly string[];
  /** Packages of one unit. */
  readonly parcels: readonly Parcel[];
  readonly warranty: readonly Warranty[];
  readonly upload_ids: readonly string[];
  readonly note: string | null;
}

/** The identity members of a line. */
export function identityOf(line: PricedLine): LineIdentity {
  const { id, kind, product_id, sofa_id, variant_id, slug, material_code } = line;
  const { configuration, configuration_id, choices, name, sku, image, quantity } = line;
  return {
    id,
    kind,
    product_id,
    sofa_id,
    variant_id,
    slug,
    material_code,
    configuration: configuration && inKeyOrder(configuration),
    configuration_id,
    choices,
    name,
    sku,
    image,
    quantity,
  };
}

/** The lead time of a piece outside the catalog, until staff set another. */
export const customLeadTime: LeadTime = { min_days: 30, max_days: 60 };

/** The identity of a line for a piece outside the catalog, which has no stock. */
export function customIdentity({
  id,
  name,
  quantity,
}: Pick<LineIdentity, "id" | "name" | "quantity">): LineIdentity & { readonly kind: "custom" } {
  return {
    id,
    kind: "custom",
    product_id: null,
    sofa_id: null,
    variant_id: null,
    slug: null,
    material_code: null,
    configuration: null,
    configuration_id: null,
    choices: [],
    name,
    sku: null,
    image: null,
    quantity,
  };
}
