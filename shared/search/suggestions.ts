import type { Card, FacetCode } from "#shared/domain/catalog/card.ts";
import type { Category, CategoryKind } from "#shared/domain/catalog/category.ts";
import { ColorGroup } from "#shared/domain/catalog/material.ts";
import { normalizeText } from "#shared/domain/base/normalized-words.ts";
import { cardOf } from "./card-text.ts";
import { countsOf } from "./cards.ts";
import { type Bits, meet } from "./bits.ts";
import { type CatalogIndex, docsHaving, docsOfKind } from "./catalog-index.ts";
import { type CatalogSearch, catalogPart, isPriceOrSku, matchesOf } from "./catalog-page.ts";
import { categoriesOf, searchRulesOf, swatchSkusOf } from "./documents.ts";
import type { Catalog } from "./load-catalog.ts";
import { noRules, withoutHidden } from "./search-rules.ts";
import { foundTexts, textIndexOf } from "./text-index.ts";
import { numberWords } from "./vocabulary.ts";
import { canonicalQuery } from "./words.ts";

export interface Suggestions {
  queries: string[];
  categories: { kind: CategoryKind; slug: string; name: string; count: number }[];
  cards: Card[];
}

const most = { queries: 6, categories: 4, cards: 4 } as const;

/**
 * The queries, categories and cards to suggest for the text that a buyer has typed so far. At most two searches of the
 * cards are made, however many completions there are: one for the cards, one for the words before the last.
 */
export function suggestions(catalog: Catalog, typed: string): Suggestions {
  const { index, documents } = catalog;
  const rules = searchRulesOf(documents);
  const { nodes, names, phrases } = vocabularyOf(catalog);
  const found = foundTexts(names, typed, { synonyms: rules.synonyms });
  const scope = { rules, otherSkus: swatchSkusOf(documents) };
  const page = catalogPart(index, { q: typed, ...scope, offset: 0, limit: most.cards });
  return {
    queries: completions(index, typed, phrases, scope).slice(0, most.queries),
    categories:
      found.match === "all"
        ? found.positions.slice(0, most.categories).map((position) => nodes[position]!)
        : [],
    cards: page.cards.map(cardOf),
  };
}

/**
 * The typed text, and the typed text without its last word, each completed by a phrase of the shop. A completion is left
 * out if no card that the phrase names matches the words before it.
 */
function completions(
  index: CatalogIndex,
  typed: string,
  phrases: readonly Phrase[],
  scope: Pick<CatalogSearch, "rules" | "otherSkus">,
): string[] {
  const text = normalizeText(typed).replaceAll(/\s+/g, " ").trimStart();
  const lastSpace = text.trimEnd().lastIndexOf(" ");
  const [before, last] = [text.slice(0, lastSpace + 1), text.slice(lastSpace + 1).trimEnd()];
  const shown = withoutHidden(index, docsOfKind(index, undefined), scope.rules ?? noRules);
  const whole = phrases.filter(
    (phrase) => phrase.text.startsWith(text) && meet(phrase.docs, shown),
  );
  // A number goes with a unit, which only whole phrases such as "3 seater" have.
  const isCompleted =
    last.length >= 2 &&
    /\p{L}{2}/u.test(before) &&
    !endsInNumber(before) &&
    ![typed, before].some((q) => isPriceOrSku(index, q, scope));
  const ending = isCompleted ? phrases.filter((phrase) => phrase.text.startsWith(last)) : [];
  const match = ending.length > 0 ? matchesOf(index, before, scope) : undefined;
  const completed =
    match?.match === "all" ? ending.filter(({ docs }) => meet(docs, match.docs)) : [];
  return [
    ...new Set([
      ...whole.map((phrase) => phrase.text),
      ...completed.map((phrase) => before + phrase.text),
    ]),
  ];
}

const endsInNumber = (text: string): boolean =>
  /^\d/.test(canonicalQuery(text.split(" ").at(-2) ?? ""));

interface Vocabulary {
  /** The categories that have cards. */
  nodes: Suggestions["categories"];
  /** A search index of these categories' names. */
  names: CatalogIndex;
  /** Names of categories, colours, materials and numbers of seats, in the order in which they are suggested. */
  phrases: readonly Phrase[];
}

/** A phrase that completes a query, and the cards that it names. */
interface Phrase {
  readonly text: string;
  readonly docs: Bits;
}

const vocabularies = new WeakMap<CatalogIndex, Vocabulary>();

function vocabularyOf({ index, documents }: Catalog): Vocabulary {
  const known = vocabularies.get(index);
  if (known !== undefined) return known;
  const nodes = withCounts(index, categoriesOf(documents));
  const colors = countsOf(index, "color");
  const named = (text: string, code: FacetCode, value: string): Phrase => ({
    text: normalizeText(text),
    docs: docsHaving(index, code, [value]),
  });
  const vocabulary = {
    nodes,
    names: textIndexOf(nodes.map(({ kind, name }) => ({ kind, name, subtitle: "", body: "" }))),
    phrases: [
      ...nodes.map(({ kind, slug, name }) => named(name, kind, slug)),
      ...ColorGroup.options
        .filter((color) => colors.has(color))
        .map((color) => named(color, "color", color)),
      ...Object.entries(index.labels.material ?? {}).map(([code, { label }]) =>
        named(label, "material", code),
      ),
      ...seatPhrases(index).map(([text, seats]) => named(text, "seats", seats)),
    ],
  };
  vocabularies.set(index, vocabulary);
  return vocabulary;
}

/** "3 seater" and "three seater" for each number of seats that the shop has. */
const seatPhrases = (index: CatalogIndex): [text: string, seats: string][] =>
  [...countsOf(index, "seats").keys()].flatMap((seats) => {
    const numbers = [seats, ...numberWords].filter((word) => canonicalQuery(word) === seats);
    return numbers.map((number): [string, string] => [`${number} seater`, seats]);
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
