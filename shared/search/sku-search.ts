import { addBit, hasBit } from "./bits.ts";
import { segmentsOf, type CatalogIndex } from "./catalog-index.ts";
import { skusFrom } from "./sku-order.ts";
import { maxTextScore, type TextMatch } from "./text-search.ts";

/** The score of an exact SKU: above every text score. */
export const maxScore = maxTextScore + 1;
const beginningScore = 1;

/** Shorter prefixes match too many SKUs. */
const shortestBeginning = 3;

/** Adds SKU matches to a text search: an exact SKU scores highest, a SKU prefix lowest. */
export function withSkuMatches(index: CatalogIndex, query: string, matches: TextMatch): TextMatch {
  const { docs, scores } = matches;
  const wanted = query.toUpperCase();
  for (const [{ skus, skuOrder }, start] of segmentsOf(index)) {
    for (const { sku, row } of skusFrom(skus, skuOrder, wanted)) {
      const doc = start + row;
      if (sku === wanted) scores[doc] = maxScore;
      else if (wanted.length < shortestBeginning) break;
      else if (!hasBit(docs, doc)) scores[doc] = beginningScore;
      addBit(docs, doc);
    }
  }
  return matches;
}
