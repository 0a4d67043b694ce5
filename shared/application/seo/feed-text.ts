import type { Shop } from "#shared/application/shop.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import type { PublishedSellable } from "#shared/domain/catalog/product.ts";
import { type Offer, productOffers, sofaOffer } from "#shared/domain/seo/offers.ts";
import {
  type FeedContext,
  feedEnd,
  feedItems,
  feedStart,
  isInFeed,
} from "#shared/domain/seo/feeds.ts";
import { materialsByCode, publishedProducts, publishedSofas } from "./published-records.ts";

/**
 * Yields the text of the product feed in several strings, because the whole may be large.
 *
 * @param seen receives each product and sofa, because the sitemap lists them, too, and how many of its offers the feed
 *   does not list
 */
export async function* feedText(
  settings: FeedContext["settings"],
  seen: (sellable: PublishedSellable & { kind: "product" | "sofa" }, leftOut: number) => void,
  { table, mediaBaseUrl, now }: Shop<"table" | "mediaBaseUrl" | "now">,
): AsyncGenerator<string> {
  const today = dayIn(settings.store.timezone, now());
  const context: FeedContext = { settings, mediaBaseUrl, today };
  yield feedStart(settings);
  for await (const products of publishedProducts(table)) {
    yield products
      .map(({ product, levels }) => {
        const offers = productOffers(product, levels, settings);
        seen(product, leftOutOf(offers));
        return feedItems(product, offers, context);
      })
      .join("");
  }
  const materials = await materialsByCode(table);
  for await (const sofas of publishedSofas(table)) {
    yield sofas
      .map((sofa) => {
        const offers = [sofaOffer(sofa, materials, settings)];
        seen(sofa, leftOutOf(offers));
        return feedItems(sofa, offers, context);
      })
      .join("");
  }
  yield feedEnd;
}

const leftOutOf = (offers: readonly Offer[]): number =>
  offers.filter((offer) => !isInFeed(offer)).length;
