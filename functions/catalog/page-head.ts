import type { PageHead } from "#shared/domain/catalog/product-detail.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import type { SofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import { type JsonLd, pageJsonLd } from "#shared/domain/seo/json-ld.ts";
import type { OfferSettings } from "#shared/domain/seo/offers.ts";
import { breadcrumbsOf, sellableHead } from "#shared/domain/seo/page-heads.ts";

/** What the page of a product or sofa tells search engines. @param sold its JSON-LD without breadcrumbs */
export function pageHead(
  sellable: PublishedProduct | PublishedSofa,
  sold: JsonLd,
  settings: OfferSettings,
): Pick<SofaDetail, PageHead> {
  const breadcrumbs = breadcrumbsOf(sellable.category_path, settings);
  return {
    breadcrumbs,
    seo: sellableHead(sellable, settings),
    json_ld: pageJsonLd(sold, breadcrumbs, settings),
  };
}
