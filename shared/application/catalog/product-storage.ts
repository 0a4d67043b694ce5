import { checkDraftProduct, freeVariants } from "#shared/domain/catalog/product-problems.ts";
import { type Product, sellableReferences } from "#shared/domain/catalog/product.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import { PublishedProducts, Products } from "#shared/storage/catalog/catalog.ts";
import { put, remove } from "#shared/storage/writes.ts";
import type { SellableStorage } from "./save-sellable.ts";
import { type SkuRequest, skuRequestsOf } from "./stock-claims.ts";

/**
 * How a product is validated and stored.
 *
 * @param skuRequests the SKUs that the product will have
 */
export const productStorage = (skuRequests: readonly SkuRequest[]): SellableStorage<Product> => ({
  kind: "product",
  check: checkDraftProduct,
  put: (product, condition) => put(Products, product, condition),
  remove: (id, condition) => remove(Products, { id }, condition),
  publish(product, categories, now) {
    const published = publishProduct(product, categories, now);
    return published.ok
      ? { ok: true, put: (condition) => put(PublishedProducts, published.published, condition) }
      : published;
  },
  skus: {
    owner: "product",
    skuRequests,
    of: ({ variants }) => skuRequestsOf(variants),
  },
  checkPrices: freeVariants,
  referencesOf: sellableReferences,
});
