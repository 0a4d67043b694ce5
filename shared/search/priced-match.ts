import type { QueryPrice } from "../domain/catalog/card.ts";
import { fractionDigits } from "../domain/base/money.ts";
import { countBits, eachBit, type Bits } from "./bits.ts";
import { cardAt, cardOf } from "./card-text.ts";
import { listed, ownPrice } from "./card-variants.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import { budgetIn } from "./query-budget.ts";
import { pricedBetween } from "./selection.ts";
import { highestLevel, type TextMatch } from "./text-search.ts";

/** The price that a query names, with the rest of the query; undefined if it names none. */
export function priceIn(
  index: CatalogIndex,
  query: string,
): { price: QueryPrice; rest: string; isSure: boolean } | undefined {
  const found = budgetIn(query);
  if (found === undefined) return undefined;
  const units = unitsOf(index);
  const amount = (value: number) => Math.min(Math.round(value * units), Number.MAX_SAFE_INTEGER);
  const { min, max } = found.budget;
  const price = {
    min: min > 0 ? amount(min) : null,
    max: max < Infinity ? amount(max) : null,
  };
  return { ...found, price };
}

const unitsByIndex = new WeakMap<CatalogIndex, number>();

/** The minor units in a unit of the shop's currency, which all cards have. */
function unitsOf(index: CatalogIndex): number {
  let units = unitsByIndex.get(index);
  if (units === undefined) {
    units = index.size === 0 ? 100 : 10 ** fractionDigits(cardOf(cardAt(index, 0)).currency);
    unitsByIndex.set(index, units);
  }
  return units;
}

/** A match of cards of which only these variants answer; undefined if the query names no price. */
export interface PricedMatch extends TextMatch {
  variants?: Bits;
}

/**
 * The matches in the price range. If there are none, these are partial matches: all matches, the nearest price first, or
 * if the query names no kind of item, all cards in the range.
 *
 * @param match undefined if the query only names a price; all of `within` match then
 */
export function pricedMatch(
  index: CatalogIndex,
  match: TextMatch | undefined,
  { price, within }: { price: QueryPrice; within: Bits },
): PricedMatch {
  const min = price.min ?? 0;
  const max = price.max ?? Infinity;
  const variants = pricedBetween(index, min, max);
  const found = match ?? everyCard(index, within);
  const inRange = (cards: TextMatch): PricedMatch | undefined => {
    const { docs } = listed(index, cards.docs, variants);
    return countBits(docs) > 0 ? { ...cards, docs, variants } : undefined;
  };
  const fitting = inRange(found);
  if (fitting) return fitting;
  const others = found.namesKind ? undefined : inRange(everyCard(index, within));
  if (others) return { ...others, match: "partial" };
  const levels = new Uint16Array(index.size);
  eachBit(found.docs, (doc) => {
    const cost = ownPrice(index, doc);
    const nearness = cost > max ? max / cost : cost / min;
    levels[doc] = Math.max(1, Math.floor(nearness * highestLevel));
  });
  return { ...found, levels, match: found.match === "none" ? "none" : "partial" };
}

function everyCard({ size }: CatalogIndex, within: Bits): TextMatch {
  const levels = new Uint16Array(size).fill(1);
  return { docs: within, levels, match: "all", namesKind: false, meanings: [] };
}
