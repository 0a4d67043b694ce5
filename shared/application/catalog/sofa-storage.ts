import { isDeepStrictEqual } from "node:util";
import { checkSofa, publishSofa } from "#shared/domain/sofa/sofa-model.ts";
import { type Sofa, defaultMaterials, materialReferences } from "#shared/domain/sofa/sofa.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { PublishedMaterials, PublishedSofas, Sofas } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { sellableReferences } from "#shared/domain/catalog/product.ts";
import type { SellableStorage } from "./save-sellable.ts";

/** How sofas are validated and stored. A draft may lack options and rules, but they must not contradict each other. */
export const sofaStorage: SellableStorage<Sofa> = {
  kind: "sofa",
  check: checkSofa,
  put: (sofa, condition) => put(Sofas, sofa, condition),
  remove: (id, condition) => remove(Sofas, { id }, condition),
  publish(sofa, categories, now) {
    const published = publishSofa(sofa, categories, now);
    return published.ok
      ? { ok: true, put: (condition) => put(PublishedSofas, published.published, condition) }
      : published;
  },
  skus: null,
  async checkPrices(before, after, table) {
    const isPriced =
      before?.status !== after.status ||
      before.base_price !== after.base_price ||
      !isDeepStrictEqual(before.option_groups, after.option_groups);
    if (!isPriced) return [];
    const codes = defaultMaterials(after);
    const { materials } = await table.getMany({
      materials: codes.map((code) => at(PublishedMaterials, { code })),
    });
    const { price } = priceSofa(
      after,
      byName(materials, ({ code }) => code),
      {},
    );
    return price === 0
      ? [{ path: "base_price", message: "The default configuration must cost at least 1." }]
      : [];
  },
  referencesOf: (sofa) => [...sellableReferences(sofa), ...materialReferences(sofa)],
};
