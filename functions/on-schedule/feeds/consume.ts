import type { Shop } from "#shared/application/shop.ts";
import { writeFeeds } from "#shared/application/seo/write-feeds.ts";

/** Writes the sitemaps and the product feed, if they are a day old or something in them has changed. Safe to repeat. */
export const consume = (
  _event: unknown,
  shop: Shop<"table" | "publicFiles" | "mediaBaseUrl" | "apiBaseUrl" | "log" | "now">,
): Promise<void> => writeFeeds(shop);
