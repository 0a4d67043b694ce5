import { catalogIndex } from "#shared/search/catalog-index.ts";
import { type CatalogPage, type CatalogQuery, catalogPage } from "#shared/search/catalog-page.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import { normalizeText } from "#shared/domain/base/normalized-words.ts";
import { FacetCode } from "#shared/domain/catalog/card.ts";
import type { anEntry } from "./entries.ts";

type Entry = ReturnType<typeof anEntry>;

/** The expected result of `catalogPage`, computed by a full scan for every query. */
export function expectedPage(entries: Entry[], query: CatalogQuery) {
  const scores = query.q === undefined ? undefined : scoresOf(entries, query.q, query.kind);
  const wants = (code: FacetCode, values: readonly string[], except: string | undefined) => {
    const wanted = query.filters?.[code] ?? [];
    return code === except || wanted.length === 0 || values.some((one) => wanted.includes(one));
  };
  /** The variants of an entry that answer every filter together, the one to show first. */
  const answering = (entry: Entry, except?: string) =>
    facesOf(entry).filter(
      ({ price, inStock, color, material }) =>
        (query.in_stock !== true || inStock) &&
        (except === "price" ||
          (price >= (query.price_min ?? 0) && price <= (query.price_max ?? Infinity))) &&
        wants("color", color, except) &&
        wants("material", material, except),
    );
  const passes = (entry: Entry, except?: string) =>
    (query.kind === undefined || entry.card.kind === query.kind) &&
    (scores === undefined || scores.has(entry)) &&
    (query.width_max_mm === undefined || (entry.width_mm ?? Infinity) <= query.width_max_mm) &&
    (query.depth_max_mm === undefined || (entry.depth_mm ?? Infinity) <= query.depth_max_mm) &&
    (query.height_max_mm === undefined || (entry.height_mm ?? Infinity) <= query.height_max_mm) &&
    FacetCode.options.every(
      (code) =>
        code === "color" || code === "material" || wants(code, valuesOf(entry, code), except),
    ) &&
    answering(entry, except).length > 0;
  const shownPrice = (entry: Entry, except?: string) => answering(entry, except)[0]!.price;

  const found = entries
    .filter((entry) => passes(entry))
    .toSorted(comparison(query, scores, shownPrice));
  const start = (query.page - 1) * query.per_page;
  const facets = FacetCode.options
    .filter((code) => !(code === "seats" && query.kind === "product"))
    .map((code) => {
      const counts = new Map<string, number>(
        (query.filters?.[code] ?? []).map((value) => [value, 0]),
      );
      for (const entry of entries.filter((one) => passes(one, code))) {
        const values =
          code === "color" || code === "material"
            ? new Set(answering(entry, code).flatMap((one) => one[code]))
            : valuesOf(entry, code);
        for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      const values = [...counts].toSorted(([a, n], [b, m]) => m - n || ascending(a, b));
      return { code, values };
    })
    .filter(({ values }) => values.length > 0);
  const prices = entries
    .filter((entry) => passes(entry, "price"))
    .map((entry) => shownPrice(entry, "price"));
  return {
    cards: found.slice(start, start + query.per_page).map((entry) => ({
      id: entry.card.id,
      price: shownPrice(entry),
      sku: answering(entry)[0]!.sku,
    })),
    total: found.length,
    facets,
    price_range:
      prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices) },
  };
}

/** The members of an actual result that the oracle computes as well. */
export function comparable(page: CatalogPage) {
  return {
    cards: page.cards.map((text) => {
      const { id, price, sku } = JSON.parse(text) as Entry["card"];
      return { id, price, sku };
    }),
    total: page.total,
    facets: page.facets?.map(({ code, values }) => ({
      code,
      values: values.map(({ value, count }) => [value, count]),
    })),
    price_range: page.price_range,
  };
}

/** The variants of an entry, or itself as the only one. */
function facesOf({ card, facets, in_stock, variants }: Entry) {
  return variants.length === 0
    ? [{ price: card.price, sku: card.sku, inStock: in_stock, ...facets }]
    : variants.map(({ shown: { price, sku, availability }, color, material }) => ({
        price,
        sku,
        inStock: ["in_stock", "low_stock"].includes(availability.state),
        color,
        material,
      }));
}

function valuesOf(entry: Entry, code: FacetCode): string[] {
  return code === "seats" ? entry.seats.map(String) : entry.facets[code];
}

/**
 * The entries that match the search, each with a score by its rank. The oracle does not compute these itself: it asks
 * an index of only these entries, without filters.
 */
function scoresOf(entries: Entry[], q: string, kind: string | undefined) {
  const index = catalogIndex(segmentOf(entries), emptySegment);
  const { cards } = catalogPage(index, { q, kind, page: 1, per_page: entries.length + 1 });
  const places = new Map(cards.map((card, place) => [idOf(card), place]));
  return new Map(
    entries.flatMap((entry) => {
      const place = places.get(entry.card.id);
      return place === undefined ? [] : [[entry, -place] as const];
    }),
  );
}

const idOf = (card: string) => (JSON.parse(card) as { id: string }).id;

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const ascendingNumbers = (a: number, b: number) => (a === b ? 0 : a - b);

function comparison(
  query: CatalogQuery,
  scores: Map<Entry, number> | undefined,
  priceOf: (entry: Entry) => number,
) {
  const name = (a: Entry, b: Entry) =>
    ascending(normalizeText(a.card.name), normalizeText(b.card.name)) ||
    ascending(a.card.id, b.card.id);
  const popular = (a: Entry, b: Entry) => b.popularity - a.popularity || name(a, b);
  return {
    name,
    popular,
    newest: (a: Entry, b: Entry) => ascending(b.published_at, a.published_at) || popular(a, b),
    price: (a: Entry, b: Entry) => priceOf(a) - priceOf(b) || popular(a, b),
    "-price": (a: Entry, b: Entry) => priceOf(b) - priceOf(a) || popular(a, b),
    relevance: (a: Entry, b: Entry) =>
      ascendingNumbers(scores?.get(b) ?? 0, scores?.get(a) ?? 0) || popular(a, b),
  }[query.sort ?? "relevance"];
}

/** The optimal string alignment distance, computed directly by its definition. */
export function slowEditDistance(a: string, b: string): number {
  const known = new Map<string, number>();
  const distance = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i},${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const result = Math.min(
      distance(i - 1, j) + 1,
      distance(i, j - 1) + 1,
      distance(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      swapped ? distance(i - 2, j - 2) + 1 : Infinity,
    );
    known.set(key, result);
    return result;
  };
  return distance(a.length, b.length);
}
