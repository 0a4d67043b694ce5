import * as z from "zod";
import { bySlug, variantIdsOf } from "#shared/search/cards.ts";
import { relatedTo } from "#shared/search/related.ts";
import { PublicCard } from "#shared/domain/catalog/card.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { ProductDetail, productDetail } from "#shared/domain/catalog/product-detail.ts";
import { productJsonLd } from "#shared/domain/seo/json-ld.ts";
import { RelatedCard } from "#shared/domain/listing/related.ts";
import { CursorMeta } from "#shared/http/paging.ts";
import { wholeNumber } from "#shared/http/query.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { CardListMeta, CardListQuery, answerCardList, consistent } from "./card-list.ts";
import type { Deps } from "./deps.ts";
import { draftProduct } from "./drafts.ts";
import { noSuch } from "./kept-records.ts";

const bySlugParam = z.object({ slug: Slug });

export const listProducts = route({
  method: "GET",
  path: "/products",
  summary: "List products",
  description:
    "Returns published products as cards. A product must match every filter, by at least one of the filter's values. `include=facets` adds the values to filter by, with counts.",
  access: anyone,
  cache: "public",
  request: { query: consistent(CardListQuery) },
  response: {
    status: 200,
    data: z.array(PublicCard),
    meta: CardListMeta,
    links: true,
    serialized: true,
  },
  async handle({ query }, { indexReader }: Deps) {
    return answerCardList(
      await indexReader.current(),
      { kind: "product", path: `${apiPrefix}/products` },
      query,
      {},
    );
  },
});

export const getProduct = route({
  method: "GET",
  path: "/products/{slug}",
  summary: "Get a product with its variants",
  description:
    "Returns the price and availability of each variant. Returns 404 if the product is not published.",
  access: anyone,
  cache: "public",
  // A changed availability also updates the catalog index, whose new revision invalidates the memory. The time limit
  // matters only while the index consumer is stopped.
  remembered: { seconds: 30 },
  previewed: true,
  request: { params: bySlugParam, query: PreviewQuery },
  response: { status: 200, data: ProductDetail },
  async handle({ params: { slug }, query: { preview: token }, now }, deps: Deps) {
    const [found, offerSettings] = await Promise.all([
      token === undefined ? publishedProduct(slug, deps) : draftProduct({ token, slug, now }, deps),
      deps.settings(),
    ]);
    if (!found) noSuch("product");
    const { product, stock } = found;
    const json_ld = productJsonLd(product, stock, offerSettings);
    return { data: { ...productDetail(product, stock), json_ld } };
  },
});

function publishedProduct(slug: string, { indexReader, catalog }: Deps) {
  const known = indexReader.loaded;
  const variants = known ? variantIdsOf(known.index, slug) : [];
  return catalog.findProductWithStock(slug, variants);
}

export const listRelatedProducts = route({
  method: "GET",
  path: "/products/{slug}/related",
  summary: "List related products",
  description:
    "Returns staff picks first, then products that share the category, room, style or price band.",
  access: anyone,
  cache: "public",
  request: {
    params: bySlugParam,
    query: z.strictObject({ limit: wholeNumber(1, 24).default(8) }),
  },
  response: { status: 200, data: z.array(RelatedCard), meta: CursorMeta },
  async handle({ params: { slug }, query: { limit } }, { indexReader }: Deps) {
    const { index } = await indexReader.current();
    const address = bySlug(index, "product", slug);
    if (!address) noSuch("product");
    const data = relatedTo(index, address.id, limit);
    return { data, meta: { per_page: limit, next_cursor: null } };
  },
});

export const routes = [listProducts, getProduct, listRelatedProducts];
