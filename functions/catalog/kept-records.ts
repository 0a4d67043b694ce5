import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { Deps } from "./deps.ts";

type Stores = Pick<Deps, "memory" | "catalog">;

/** The published sofa, kept in memory until any public data changes. */
export const keptSofa = (slug: string, { memory, catalog }: Stores): Promise<PublishedSofa> =>
  memory.keep(`sofa ${slug}`, async () => kept((await catalog.findSofa(slug)) ?? noSuch("sofa")));

/** The published product without its stock, kept in memory until any public data changes. */
export const keptProduct = (slug: string, { memory, catalog }: Stores): Promise<PublishedProduct> =>
  memory.keep(`product ${slug}`, async () =>
    kept((await catalog.findProduct(slug)) ?? noSuch("product")),
  );

const kept = <Value>(value: Value) => ({
  value,
  bytes: JSON.stringify(value).length,
  until: Infinity,
});

/** @throws AppError `not_found` */
export function noSuch(kind: "product" | "sofa"): never {
  throw new AppError("not_found", { message: `There is no ${kind} with this slug.` });
}
