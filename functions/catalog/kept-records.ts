import type { Shop } from "#shared/application/shop.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { OfferSettings } from "#shared/domain/seo/offers.ts";
import { openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";

type Keeping = Shop<"table" | "memory">;

/** The published sofa, kept in memory until any public data changes. */
export const keptSofa = (slug: string, { memory, table }: Keeping): Promise<PublishedSofa> =>
  memory.keep(`sofa ${slug}`, async () =>
    kept((await openPublishedCatalog(table).findSofa(slug)) ?? noSuch("sofa")),
  );

/** The published product without its stock, kept in memory until any public data changes. */
export const keptProduct = (slug: string, { memory, table }: Keeping): Promise<PublishedProduct> =>
  memory.keep(`product ${slug}`, async () =>
    kept((await openPublishedCatalog(table).findProduct(slug)) ?? noSuch("product")),
  );

/** The settings that offers depend on, kept in memory until any public data changes. */
export const keptSettings = ({ memory, table }: Keeping): Promise<OfferSettings> =>
  memory.keep("settings", async () =>
    kept(await readSettings(table, ["store", "seo", "shipping", "tax"])),
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
