import type { Card } from "#shared/domain/catalog/card.ts";
import type { Category, CategoryKind } from "#shared/domain/catalog/category.ts";
import { ColorGroup } from "#shared/domain/catalog/material.ts";
import { normalizeText } from "#shared/domain/base/normalized-words.ts";
import { cardOf } from "./card-text.ts";
import { countsOf } from "./cards.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import { catalogPart } from "./catalog-page.ts";
import { categoriesOf, searchRulesOf, swatchSkusOf } from "./documents.ts";
import type { Catalog } from "./load-catalog.ts";
import { foundTexts, textIndexOf } from "./text-index.ts";
import { numberWords } from "./vocabulary.ts";
import { canonicalQuery } from "./words.ts";

export interface Suggestions {
  queries: string[];
  categories: { kind: CategoryKind; slug: string; name: string; count: number }[];
  cards: Card[];
}

const most = { queries: 6, categories: 4, cards: 4 } as const;
/** Maximum number of completions that are checked for results. */
const mostChecked = 12;

/** The queries, categories and cards to suggest for the text that a buyer has typed so far. */
export function suggestions(catalog: Catalog, typed: string): Suggestions {
  const { index, documents } = catalog;
  const rules = searchRulesOf(documents);
  const { nodes, names, phrases } = vocabularyOf(catalog);
  const found = foundTexts(names, typed, { synonyms: rules.synonyms });
  const otherSkus = swatchSkusOf(documents);
  const part = (q: string, limit: number) =>
    catalogPart(index, { q, rules, otherSkus, offset: 0, limit });
  return {
    queries: completions(typed, phrases)
      .slice(0, mostChecked)
      .filter((query) => part(query, 0).match === "all")
      .slice(0, most.queries),
    categories:
      found.match === "all"
        ? found.positions.slice(0, most.categories).map((position) => nodes[position]!)
        : [],
    cards: part(typed, most.cards).cards.map(cardOf),
  };
}

/** The typed text, and the typed text without its last word, each completed by a phrase of the shop. */
function completions(typed: string, phrases: readonly string[]): string[] {
  const text = normalizeText(typed).replaceAll(/\s+/g, " ").trimStart();
  const lastSpace = text.trimEnd().lastIndexOf(" ");
  const [before, last] = [text.slice(0, lastSpace + 1), text.slice(lastSpace + 1).trimEnd()];
  const whole = phrases.filter((phrase) => phrase.startsWith(text));
  // A number goes with a unit, which only whole phrases such as "3 seater" have.
  const isCompleted = last.length >= 2 && /\p{L}{2}/u.test(before) && !endsInNumber(before);
  const completed = isCompleted ? phrases.filter((phrase) => phrase.startsWith(last)) : [];
  return [...new Set([...whole, ...completed.map((phrase) => before + phrase)])];
}

const endsInNumber = (text: string): boolean =>
  /^\d/.test(canonicalQuery(text.split(" ").at(-2) ?? ""));

interface Vocabulary {
  /** The categories that have cards. */
  nodes: Suggestions["categories"];
  /** A search index of these categories' names. */
  names: CatalogIndex;
  /** Names of categories, colours, materials and numbers of seats, in the order in which they are suggested. */
  phrases: readonly string[];
}

const vocabularies = new WeakMap<CatalogIndex, Vocabulary>();

function vocabularyOf({ index, documents }: Catalog): Vocabulary {
  const known = vocabularies.get(index);
  if (known !== undefined) return known;
  const nodes = withCounts(index, categoriesOf(documents));
  const colors = countsOf(index, "color");
  const materials = Object.values(index.labels.material ?? {}).map(({ label }) => label);
  const vocabulary = {
    nodes,
    names: textIndexOf(nodes.map(({ kind, name }) => ({ kind, name, subtitle: "", body: "" }))),
    phrases: [
      ...nodes.map(({ name }) => name),
      ...ColorGroup.options.filter((color) => colors.has(color)),
      ...materials,
      ...seatPhrases(index),
    ].map(normalizeText),
  };
  vocabularies.set(index, vocabulary);
  return vocabulary;
}

/** "3 seater" and "three seater" for each number of seats that the shop has. */
const seatPhrases = (index: CatalogIndex): string[] =>
  [...countsOf(index, "seats").keys()].flatMap((seats) => {
    const numbers = [seats, ...numberWords].filter((word) => canonicalQuery(word) === seats);
    return numbers.map((number) => `${number} seater`);
  });

/** The categories that have cards. Within each kind, those with the most cards come first. */
function withCounts(index: CatalogIndex, categories: readonly Category[]): Vocabulary["nodes"] {
  const order: readonly CategoryKind[] = ["category", "room", "style", "collection"];
  return order.flatMap((kind) => {
    const counts = countsOf(index, kind);
    return categories
      .filter((category) => category.kind === kind)
      .map(({ slug, name }) => ({ kind, slug, name, count: counts.get(slug) ?? 0 }))
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => other.count - one.count);
  });
}
