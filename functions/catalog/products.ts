import type { Shop } from "#shared/application/shop.ts";
import { openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import * as z from "zod";
import { variantIdsOf } from "#shared/search/cards.ts";
import { PublicCard } from "#shared/domain/catalog/card.ts";
import { Slug } from "#shared/domain/base/names.ts";
import { ProductDetail, productDetail } from "#shared/domain/catalog/product-detail.ts";
import { productJsonLd } from "#shared/domain/seo/json-ld.ts";
import { PreviewQuery } from "#shared/http/preview-query.ts";
import { anyone, route } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { answerBatch, asBatch, batchOf, isBatch } from "./card-batch.ts";
import { CardListMeta, CardListQuery, answerCardList, consistent } from "./card-list.ts";
import { draftProduct } from "./drafts.ts";
import { keptSettings, noSuch } from "./kept-records.ts";
import { listedIn } from "./listed-category.ts";
import { pageHead } from "./page-head.ts";
import { relatedRoute } from "./related.ts";

const products = { kind: "product", path: `${apiPrefix}/products` } as const;
const bySlugParam = z.object({ slug: Slug });

export const listProducts = route({
  method: "GET",
  path: "/products",
  summary: "List products",
  description:
    "Returns published products as cards. A product must match every filter, by at least one of the filter's values. `include=facets` adds the values to filter by, with counts.",
  access: anyone,
  cache: "public",
  request: {
    query: consistent(
      asBatch(
        CardListQuery.extend(
          batchOf("prd", "prd_01KE66PJA0NNJ075W726CD1WZH", "kaveri-lounge-chair,vidya-task-chair"),
        ),
      ),
    ),
  },
  response: {
    status: 200,
    data: z.array(PublicCard),
    meta: CardListMeta,
    links: true,
    serialized: true,
  },
  async handle({ query }, shop: Shop<"table" | "indexReader" | "memory">) {
    const catalog = await shop.indexReader.current();
    if (isBatch(query)) return answerBatch(catalog, products, query, {});
    return answerCardList(catalog, products, query, await listedIn(catalog, query, shop));
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
  async handle(
    { params: { slug }, query: { preview: token }, now },
    shop: Shop<"table" | "indexReader" | "memory">,
  ) {
    const [found, offerSettings] = await Promise.all([
      token === undefined ? publishedProduct(slug, shop) : draftProduct({ token, slug, now }, shop),
      keptSettings(shop),
    ]);
    if (!found) noSuch("product");
    const { product, stock } = found;
    const head = pageHead(product, productJsonLd(product, stock, offerSettings), offerSettings);
    return { data: { ...productDetail(product, stock), ...head } };
  },
});

function publishedProduct(slug: string, { table, indexReader }: Shop<"table" | "indexReader">) {
  const known = indexReader.loaded;
  const variants = known ? variantIdsOf(known.index, slug) : [];
  return openPublishedCatalog(table).findProductWithStock(slug, variants);
}

export const listRelatedToProduct = relatedRoute("product", "List what goes with a product");

export const routes = [listProducts, getProduct, listRelatedToProduct];
