import type { SearchSettings } from "../domain/settings/further-settings.ts";
import { addBit, emptyBits, hasBit, removeBit, type Bits } from "./bits.ts";
import { docOfId, type CatalogIndex } from "./catalog-index.ts";
import { skuLevel } from "./sku-search.ts";
import { shippedSynonyms, synonymsOf, type Synonyms } from "./synonyms.ts";
import type { TextMatch } from "./text-search.ts";
import { canonicalQuery } from "./words.ts";

/** What staff have decided about search. */
export interface SearchRules {
  readonly synonyms: Synonyms;
  /** The ids of the cards that come first, by canonical query. */
  readonly boosts: ReadonlyMap<string, readonly string[]>;
  /** The ids of cards that search never shows. */
  readonly hidden: readonly string[];
}

/** Maximum number of cards that one query boosts. */
export const mostTargets = 20;

/** The level of the first boosted card: above an exact SKU. */
export const boostLevel = skuLevel + mostTargets;

export const noRules: SearchRules = {
  get synonyms() {
    return shippedSynonyms();
  },
  boosts: new Map(),
  hidden: [],
};

export const searchRules = ({ synonyms, boosts, hidden }: SearchSettings): SearchRules => ({
  synonyms: synonymsOf(synonyms),
  boosts: new Map(boosts.map(({ query, targets }) => [canonicalQuery(query), targets])),
  hidden,
});

const compiled = new WeakMap<SearchSettings, SearchRules>();

/** The rules of these settings, computed once for each object. */
export function memoizedRules(settings: SearchSettings): SearchRules {
  let rules = compiled.get(settings);
  if (rules === undefined) compiled.set(settings, (rules = searchRules(settings)));
  return rules;
}

/** These documents without the cards that search never shows. */
export function withoutHidden(index: CatalogIndex, docs: Bits, { hidden }: SearchRules): Bits {
  if (hidden.length === 0) return docs;
  const left = docs.slice();
  for (const id of hidden) {
    const doc = docOfId(index, id);
    if (doc !== undefined) removeBit(left, doc);
  }
  return left;
}

/** Puts the cards that staff chose for a query first. They count as matching all its words. */
export function boosted(
  index: CatalogIndex,
  query: string,
  match: TextMatch,
  { boosts, within }: { boosts: SearchRules["boosts"]; within: Bits },
): TextMatch {
  const key = boosts.size > 0 ? canonicalQuery(query) : "";
  const targets = key === "" ? [] : (boosts.get(key) ?? []);
  const chosen = targets.flatMap((id) => {
    const doc = docOfId(index, id);
    return doc !== undefined && hasBit(within, doc) ? [doc] : [];
  });
  if (chosen.length === 0) return match;
  const docs = match.match === "all" ? match.docs : emptyBits(index.size);
  chosen.forEach((doc, place) => {
    addBit(docs, doc);
    match.levels[doc] = boostLevel - place;
  });
  return { ...match, docs, match: "all" };
}
