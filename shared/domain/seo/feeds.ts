import { decimalAmount } from "../base/money.ts";
import { plusDays } from "../base/day.ts";
import { textInSentences } from "../base/plain-text.ts";
import type { PublishedSellable } from "../catalog/product.ts";
import { storefrontAddress } from "../settings/storefront-address.ts";
import { mediaUrl } from "../upload/media.ts";
import { copiesOf } from "../upload/public-picture.ts";
import {
  availabilityTerms,
  type Choice,
  type Offer,
  type OfferSettings,
  brandOf,
} from "./offers.ts";

/** Characters that XML 1.0 does not allow, not even escaped: https://www.w3.org/TR/xml/#charsets */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A text as content or attribute value of an XML element. Characters that XML does not allow are dropped. */
const xmlText = (text: string): string =>
  text.replaceAll(forbidden, "").replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");

/** An element with a text; nothing if the text is missing or empty. */
export const xmlElement = (name: string, text: string | null | undefined): string =>
  text ? `<${name}>${xmlText(text)}</${name}>` : "";

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** What every item of a feed depends on. */
export interface FeedContext {
  readonly settings: OfferSettings;
  /** Public URL of the media library. */
  readonly mediaBaseUrl: string;
  /** The day on which the feed is written, in the shop's timezone. */
  readonly today: string;
}

/** The beginning of Google's product feed in RSS 2.0: https://support.google.com/merchants/answer/7052112 */
export const feedStart = ({ store, seo }: OfferSettings): string =>
  `${xmlDeclaration}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n` +
  xmlElement("title", store.name) +
  xmlElement("link", storefrontAddress({ store }, "/")) +
  xmlElement("description", seo.default_description ?? store.name) +
  "\n";
export const feedEnd = "</channel>\n</rss>\n";

/** The items of a product or sofa, one for each offer that the feed lists. */
export const feedItems = (
  sellable: PublishedSellable,
  offers: readonly Offer[],
  context: FeedContext,
): string =>
  offers
    .filter(isInFeed)
    .map((offer) => feedItem(sellable, offer, offers.length > 1, context))
    .join("");

/** Whether the feed lists an offer: Google refuses items without a picture. */
export const isInFeed = ({ pictures }: Offer): boolean =>
  pictures.flatMap(pictureInFeed).length > 0;

/** The picture in a type that Google takes: of an AVIF or SVG the largest WebP copy. */
function pictureInFeed({ url, width, height }: Offer["pictures"][number]): string[] {
  if (!/\.(?:avif|svg)$/.test(url)) return [url];
  const largest = copiesOf(url, { width, height }).variants.at(-1);
  return largest === undefined ? [] : [largest.url];
}

const g = (name: string, text: string | null | undefined) => xmlElement(`g:${name}`, text);

function feedItem(
  sellable: PublishedSellable,
  offer: Offer,
  isVariant: boolean,
  { settings, mediaBaseUrl, today }: FeedContext,
): string {
  const { state, lead_time } = offer.availability;
  const available = availabilityTerms[state].google;
  const [picture, ...further] = offer.pictures
    .flatMap(pictureInFeed)
    .map((address) => mediaUrl(address, mediaBaseUrl));
  const price = (amount: number) =>
    `${decimalAmount(amount, sellable.currency)} ${sellable.currency}`;
  return [
    "<item>",
    g("id", offer.id),
    isVariant ? g("item_group_id", sellable.id) : "",
    g("title", shortened(offer.name, 150)),
    g("description", descriptionOf(sellable)),
    g("link", offer.url),
    g("image_link", picture),
    ...further.slice(0, 10).map((url) => g("additional_image_link", url)),
    g("availability", available),
    available === "backorder" ? g("availability_date", plusDays(today, lead_time.max_days)) : "",
    g("price", price(offer.compare_at_price ?? offer.price)),
    offer.compare_at_price === null ? "" : g("sale_price", price(offer.price)),
    g("condition", "new"),
    g("brand", brandOf(sellable, settings)),
    // The SKU is a manufacturer's part number only for products that the shop makes itself.
    sellable.brand === null ? g("mpn", offer.id) : g("identifier_exists", "no"),
    g("product_type", categoryOf(sellable)),
    ...offer.choices.map(attributeOf),
    g("min_handling_time", String(lead_time.min_days)),
    g("max_handling_time", String(lead_time.max_days)),
    g("shipping_weight", weightOf(offer)),
    "</item>\n",
  ].join("");
}

const descriptionOf = ({ description_html, subtitle, name }: PublishedSellable) =>
  shortened(textInSentences(description_html) || (subtitle ?? name), 5_000);

/** The category with its parents, the topmost first. */
const categoryOf = ({ category_path }: PublishedSellable) =>
  shortened(
    category_path
      .map(({ name }) => name)
      .toReversed()
      .join(" > "),
    750,
  );

const attributeOf = ({ property, value }: Choice): string =>
  property === undefined ? "" : g(property, shortened(value, 100));

function weightOf({ consignment }: Offer): string | null {
  const grams = consignment.parcels.reduce((sum, { weight_g }) => sum + weight_g, 0);
  return grams > 0 ? `${grams} g` : null;
}

/** The beginning of a text, at most `max` characters long. It never ends within a surrogate pair. */
const shortened = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");

/** A page of the storefront. */
export interface SitemapEntry {
  readonly address: string;
  /** ISO 8601; undefined if it is not known when the page changed. */
  readonly changedAt?: string | undefined;
}

/** The maximum number of addresses in one sitemap. The protocol allows 50,000. */
const maxAddresses = 10_000;

/** Splits the entries into sitemaps, in their order. */
export function inSitemaps(entries: readonly SitemapEntry[]): SitemapEntry[][] {
  const sitemaps: SitemapEntry[][] = [];
  for (let start = 0; start < entries.length; start += maxAddresses)
    sitemaps.push(entries.slice(start, start + maxAddresses));
  return sitemaps;
}

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** A sitemap: https://www.sitemaps.org/protocol.html */
export function sitemap(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(
    ({ address, changedAt }) =>
      `<url>${xmlElement("loc", address)}${xmlElement("lastmod", changedAt)}</url>\n`,
  );
  return `${xmlDeclaration}<urlset ${namespace}>\n${urls.join("")}</urlset>\n`;
}

/** The index of several sitemaps. */
export function sitemapIndex(addresses: readonly string[]): string {
  const sitemaps = addresses.map((address) => `<sitemap>${xmlElement("loc", address)}</sitemap>\n`);
  return `${xmlDeclaration}<sitemapindex ${namespace}>\n${sitemaps.join("")}</sitemapindex>\n`;
}
