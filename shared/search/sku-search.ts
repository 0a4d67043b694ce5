import { addAll, addBit, emptyBits, hasBit, type Bits } from "./bits.ts";
import { segmentsOf, type CatalogIndex } from "./catalog-index.ts";
import { skusFrom } from "./sku-order.ts";
import { highestLevel, type TextMatch } from "./text-search.ts";

/** The level of an exact SKU: above every text match. */
export const skuLevel = highestLevel + 1;
const beginningLevel = 1;

/** Shorter prefixes match too many SKUs. */
const shortestBeginning = 3;

/**
 * Adds SKU matches to a text search: an exact SKU ranks highest, a SKU prefix lowest. They replace partial text matches,
 * because a query that begins a SKU means the SKU.
 */
export function withSkuMatches(
  index: CatalogIndex,
  query: string,
  text: TextMatch,
  within: Bits,
): TextMatch {
  const docs = emptyBits(index.size);
  const levels = text.levels;
  const wanted = query.toUpperCase();
  let isFound = false;
  for (const [{ skus, skuOrder }, start] of segmentsOf(index)) {
    for (const { sku, row } of skusFrom(skus, skuOrder, wanted)) {
      const doc = start + row;
      const isWhole = sku === wanted;
      if (!isWhole && wanted.length < shortestBeginning) break;
      if (!hasBit(within, doc)) continue;
      if (isWhole) levels[doc] = skuLevel;
      else levels[doc] ||= beginningLevel;
      addBit(docs, doc);
      isFound = true;
    }
  }
  if (!isFound) return text;
  if (text.match === "all") addAll(docs, text.docs);
  return { ...text, docs, match: "all" };
}
