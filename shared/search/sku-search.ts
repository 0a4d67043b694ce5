import { addBit, hasBit } from "./bits.ts";
import { segmentsOf, type CatalogIndex } from "./catalog-index.ts";
import { skusFrom } from "./sku-order.ts";
import { maxTextScore, type TextMatch } from "./text-search.ts";

/** Above all that words may score. */
export const maxScore = maxTextScore + 1;
const beginningScore = 1;

/** Fewer characters begin too much. */
const shortestBeginning = 3;

/**
 * What words have found, and the cards that have a SKU which is the query, the best of all, or begins with it, the
 * least of all.
 */
export function withSkuMatches(index: CatalogIndex, query: string, found: TextMatch): TextMatch {
  const { docs, scores } = found;
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
  return found;
}
