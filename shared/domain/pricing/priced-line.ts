import * as z from "zod";
import type { Availability } from "../catalog/availability.ts";
import { Configuration, type PriceLine } from "../sofa/configuration.ts";
import { inKeyOrder } from "../base/key-order.ts";
import type { Parcel } from "../delivery/shipping.ts";

import { LineChoice } from "../sofa/line-choices.ts";
import { Money, MoneySum } from "../base/money.ts";
import { Picture } from "../base/picture.ts";

export const CartLineKind = z.enum(["product", "sofa", "swatch", "quoted"]);
export type CartLineKind = z.output<typeof CartLineKind>;

/** One schema for all the members that are ids or the like of only some lines: each costs something at import. */
const idOfSome = z.string().nullable();

/** What a line is, as carts show it and orders keep it. */
export const LineIdentity = z.object({
  id: z.string(),
  kind: CartLineKind,
  product_id: idOfSome,
  sofa_id: idOfSome,
  variant_id: idOfSome,
  slug: idOfSome,
  material_code: z.string().nullable().meta({ description: "Of a swatch" }),
  configuration: Configuration.nullable(),
  configuration_id: idOfSome,
  /** What was stored before lines had them has none. */
  choices: z
    .array(LineChoice)
    .default([])
    .meta({
      description: "What was chosen, in words and in the model's order; empty without options",
      example: [
        { option: "size", label: "Size", value: "3-seater" },
        { option: "upholstery", label: "Upholstery", value: "Everyday Shield Dune" },
      ],
    }),
  name: z.string(),
  sku: idOfSome,
  image: Picture.nullable(),
  quantity: z.int(),
});
export type LineIdentity = z.output<typeof LineIdentity>;

/** What a line costs. `line_total = line_subtotal − line_discount`, plus `line_tax` where prices are exclusive. */
export const LineAmounts = z.object({
  unit_price: Money,
  line_subtotal: MoneySum,
  line_discount: MoneySum,
  line_tax: MoneySum,
  line_total: MoneySum,
});
export type LineAmounts = z.output<typeof LineAmounts>;

/**
 * A cart's line joined with what the catalog and the stock say of it now: what totals, coupons, shipping, cash on
 * delivery and the order's snapshot need to know, whatever kind of thing it is.
 */
export interface PricedLine extends LineIdentity {
  readonly unit_price: number;
  /** The price at the line's last write. */
  readonly last_price: number;
  readonly price_lines: readonly PriceLine[];
  readonly availability: Omit<Availability, "quantity">;
  readonly made_to_order: boolean;
  /** Slugs of its category and of all above it. */
  readonly categories: readonly string[];
  readonly tax_class: string;
  readonly hsn_code: string | null;
  readonly cod_eligible: boolean;
  readonly delivery_classes: readonly string[];
  /** Packages of one unit. */
  readonly parcels: readonly Parcel[];
  readonly upload_ids: readonly string[];
  readonly note: string | null;
}

/** The members that say what a line is. */
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
