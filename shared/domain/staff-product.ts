import * as z from "zod";
import { Product, Variant } from "./product.ts";
import { type SellingTerms, Stock, StockPolicy, usualTerms } from "./stock.ts";

/** A product as staff edit it, each variant with the terms that its SKU is sold on. */
export const StaffProduct = Product.extend({
  variants: z.array(
    Variant.extend({
      policy: StockPolicy,
      low_stock_threshold: Stock.shape.low_stock_threshold,
    }),
  ),
});
export type StaffProduct = z.output<typeof StaffProduct>;

/** @param rows by SKU */
export function staffProduct(
  product: Product,
  rows: ReadonlyMap<string, SellingTerms>,
): StaffProduct {
  const variants = product.variants.map((variant) => {
    const { policy, low_stock_threshold } = rows.get(variant.sku) ?? usualTerms;
    return { ...variant, policy, low_stock_threshold };
  });
  return { ...product, variants };
}
