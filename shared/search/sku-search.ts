import { machineText } from "../domain/base/machine-text.ts";
import { addAll, addBit, emptyBits, hasBit, type Bits } from "./bits.ts";
import { docsOfKind, segmentsOf, type CatalogIndex } from "./catalog-index.ts";
import { rowsOfSkus } from "./sku-order.ts";
import { highestLevel, type TextMatch } from "./text-search.ts";

const skuIn = (query: string): string => machineText(query).toUpperCase();

/** The level of an exact SKU: above every text match. */
export const skuLevel = highestLevel + 1;
const beginningLevel = 1;

/** Shorter prefixes match too many SKUs. */
const shortestBeginning = 3;
/** A prefix of more SKUs than this is a common one, such as a brand's. */
const mostBeginnings = 300;

/**
 * Adds SKU matches to a text search: an exact SKU ranks highest, a SKU prefix lowest. They replace partial text matches,
 * because a query that begins a SKU means the SKU. If products match all words, a prefix that is common to hundreds of
 * SKUs adds none. If only an item outside `within` has this SKU, no partial text match is left.
 *
 * @param otherSkus see `isKnownSku`
 */
export function withSkuMatches(
  index: CatalogIndex,
  query: string,
  text: TextMatch,
  { within, otherSkus }: { within: Bits; otherSkus: ReadonlySet<string> },
): TextMatch {
  const docs = emptyBits(index.size);
  const levels = text.levels;
  const wanted = skuIn(query);
  const found = segmentsOf(index).map(([{ skus, skuOrder }, start]) => ({
    start,
    ...rowsOfSkus(skus, skuOrder, wanted),
  }));
  const total = found.reduce((sum, { rows }) => sum + rows.length, 0);
  const isPrefixUsed =
    wanted.length >= shortestBeginning && (text.match !== "all" || total <= mostBeginnings);
  let isFound = false;
  for (const { start, rows, whole } of found) {
    const used = isPrefixUsed ? rows.length : whole;
    for (let at = 0; at < used; at += 1) {
      const doc = start + rows[at]!;
      if (!hasBit(within, doc)) continue;
      if (at < whole) levels[doc] = skuLevel;
      else levels[doc] ||= beginningLevel;
      addBit(docs, doc);
      isFound = true;
    }
  }
  if (!isFound) {
    const isMeant = text.match === "partial" && isKnownSku(index, query, otherSkus);
    return isMeant ? { ...text, docs, match: "none" } : text;
  }
  if (text.match === "all") addAll(docs, text.docs);
  return { ...text, docs, match: "all" };
}

/**
 * Whether the query is exactly one SKU that the shop has.
 *
 * @param otherSkus the SKUs of items without a card, such as samples of materials
 */
export function isKnownSku(
  index: CatalogIndex,
  query: string,
  otherSkus: ReadonlySet<string>,
): boolean {
  const wanted = skuIn(query);
  return otherSkus.has(wanted) || hasListedSku(index, wanted, { isWhole: true });
}

/** Whether a SKU that the shop lists begins with the query. */
export const beginsSku = (index: CatalogIndex, query: string): boolean =>
  query.length >= shortestBeginning && hasListedSku(index, skuIn(query), { isWhole: false });

function hasListedSku(
  index: CatalogIndex,
  wanted: string,
  { isWhole }: { isWhole: boolean },
): boolean {
  const listed = docsOfKind(index, undefined);
  return segmentsOf(index).some(([{ skus, skuOrder }, start]) => {
    const { rows, whole } = rowsOfSkus(skus, skuOrder, wanted);
    const meant = isWhole ? rows.subarray(0, whole) : rows;
    return meant.some((row) => hasBit(listed, start + row));
  });
}
