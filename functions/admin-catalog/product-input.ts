import * as z from "zod";
import { Id, newId } from "#shared/domain/ids.ts";
import { Product, Variant } from "#shared/domain/product.ts";
import { type SellingTerms, Stock, StockPolicy } from "#shared/domain/stock.ts";
import { invalidFields } from "#shared/http/errors.ts";
import { patchOf, withPatch } from "#shared/http/patch.ts";
import { StrictLeadTime, blank, sellableInput, stamped } from "./sellable-input.ts";
import type { SkuWish } from "./stock-claims.ts";

const { shape } = Variant;
const Threshold = Stock.shape.low_stock_threshold.max(1_000_000);

const VariantInput = z.strictObject({
  id: Id("var")
    .optional()
    .meta({ description: "Of a variant that the product has; else it is new" }),
  sku: shape.sku,
  options: shape.options.default({}),
  price: shape.price,
  compare_at_price: shape.compare_at_price.default(null),
  cost: shape.cost.default(null),
  weight_g: shape.weight_g.default(0),
  media_ids: shape.media_ids.default([]),
  policy: StockPolicy.optional().meta({
    description:
      "Whether it is sold beyond the stock; left out: as it is, and `deny` for a new SKU",
  }),
  low_stock_threshold: Threshold.optional(),
});
type VariantInput = z.output<typeof VariantInput>;

export const ProductInput = z.strictObject({
  ...sellableInput,
  lead_time: StrictLeadTime.default({ min_days: 3, max_days: 7 }),
  options: Product.shape.options.default([]),
  variants: z.array(VariantInput).max(80).default([]),
  backorder_lead_time: StrictLeadTime.nullable().default(null),
});
export type ProductInput = z.output<typeof ProductInput>;

export const ProductPatch = patchOf(ProductInput);
type ProductPatch = z.output<typeof ProductPatch>;

/** A product with what is asked of its SKUs. */
export interface EditedProduct {
  readonly product: Product;
  readonly wishes: SkuWish[];
}

export function newProduct(input: ProductInput, currency: string, now: Date): EditedProduct {
  const { variants, wishes } = variantsOf(input.variants, [], now);
  const { status = "draft", ...members } = input;
  const first = { ...blank("prd", currency, now), ...members, status, variants };
  return { product: { ...stamped(first, now), version: 1 }, wishes };
}

/** @throws AppError `validation_failed` when a variant's id is not one of the product's */
export function changedProduct(before: Product, change: ProductPatch, now: Date): EditedProduct {
  const { variants: asked, ...members } = change;
  const { variants, wishes } = asked
    ? variantsOf(asked, before.variants, now)
    : { variants: before.variants, wishes: wishesOf(before.variants) };
  return { product: stamped({ ...withPatch(before, members), variants }, now), wishes };
}

/** Variants keep their ids: by the id itself, or by the SKU where none is given. */
function variantsOf(asked: readonly VariantInput[], before: readonly Variant[], now: Date) {
  const ids = new Set(before.map(({ id }) => id));
  const bySku = new Map(before.map(({ sku, id }) => [sku, id]));
  const taken = new Set(asked.flatMap(({ id }) => id ?? []));
  const problems = asked.flatMap(({ id }, position) =>
    id === undefined || ids.has(id)
      ? []
      : [{ path: `variants.${position}.id`, message: "The product has no such variant." }],
  );
  if (problems.length > 0) throw invalidFields(problems);
  const terms = new Map<string, Partial<SellingTerms>>();
  const variants = asked.map(({ id, policy, low_stock_threshold, ...members }): Variant => {
    terms.set(members.sku, {
      ...(policy && { policy }),
      ...(low_stock_threshold !== undefined && { low_stock_threshold }),
    });
    const known = bySku.get(members.sku);
    const own = id ?? (known !== undefined && !taken.has(known) ? known : newId("var", now));
    return { id: own, ...members };
  });
  return {
    variants,
    wishes: wishesOf(variants).map((wish) => ({ ...wish, ...terms.get(wish.sku) })),
  };
}

export const wishesOf = (variants: readonly Variant[]): SkuWish[] =>
  variants.map(({ sku, id }, position) => ({
    sku,
    variant_id: id,
    path: `variants.${position}.sku`,
  }));
