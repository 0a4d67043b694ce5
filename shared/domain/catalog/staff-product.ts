import * as z from "zod";
import { Product, Variant } from "./product.ts";
import { type SellingTerms, Stock, StockPolicy, usualTerms } from "./stock.ts";

/** A product as staff edit it, with each variant's selling terms. */
export const AdminProduct = Product.extend({
  variants: z.array(
    Variant.extend({
      policy: StockPolicy,
      low_stock_threshold: Stock.shape.low_stock_threshold,
    }),
  ),
});
export type AdminProduct = z.output<typeof AdminProduct>;

/** @param rows the variants' selling terms, keyed by the variant's id */
export function adminProduct(
  product: Product,
  rows: ReadonlyMap<string, SellingTerms>,
): AdminProduct {
  const variants = product.variants.map((variant) => {
    const { policy, low_stock_threshold } = rows.get(variant.id) ?? usualTerms;
    return { ...variant, policy, low_stock_threshold };
  });
  return { ...product, variants };
}
