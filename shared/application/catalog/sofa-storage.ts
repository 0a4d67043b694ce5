import { checkSofa, publishSofa } from "#shared/domain/sofa/publish-sofa.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import { materialPaths } from "#shared/domain/sofa/sofa-choices.ts";
import { PublishedSofas, Sofas } from "#shared/storage/catalog/catalog.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { type SellableStorage, sellableReferences } from "./save-sellable.ts";

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
  referencesOf: (sofa) => [
    ...sellableReferences(sofa),
    ...materialPaths(sofa).map(({ path, code }) => ({ path, kind: "material" as const, id: code })),
  ],
};
