import type { Shop } from "#shared/application/shop.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import type { PublishedSellable } from "#shared/domain/catalog/product.ts";
import { productOffers, sofaOffer } from "#shared/domain/seo/offers.ts";
import { type FeedContext, feedEnd, feedItems, feedStart } from "#shared/domain/seo/feeds.ts";
import { materialsByCode, publishedProducts, publishedSofas } from "./published-records.ts";

/**
 * Yields the text of the product feed in several strings, because the whole may be large.
 *
 * @param seen receives each product and sofa, because the sitemap lists them, too
 */
export async function* feedText(
  settings: FeedContext["settings"],
  seen: (sellable: PublishedSellable & { kind: "product" | "sofa" }) => void,
  { table, mediaBaseUrl, now }: Shop<"table" | "mediaBaseUrl" | "now">,
): AsyncGenerator<string> {
  const today = dayIn(settings.store.timezone, now());
  const context: FeedContext = { settings, mediaBaseUrl, today };
  yield feedStart(settings);
  for await (const products of publishedProducts(table)) {
    yield products
      .map(({ product, levels }) => {
        seen(product);
        return feedItems(product, productOffers(product, levels, settings), context);
      })
      .join("");
  }
  const materials = await materialsByCode(table);
  for await (const sofas of publishedSofas(table)) {
    yield sofas
      .map((sofa) => {
        seen(sofa);
        return feedItems(sofa, [sofaOffer(sofa, materials, settings)], context);
      })
      .join("");
  }
  yield feedEnd;
}
