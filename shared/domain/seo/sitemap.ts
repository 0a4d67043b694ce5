import { xmlDeclaration, xmlElement } from "./xml.ts";

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
