import type { CatalogPage, CatalogQuery } from "#shared/search/catalog-page.ts";
import { queryWords, wordsOf } from "#shared/search/words.ts";
import { normalizeText } from "#shared/domain/base/normalized-words.ts";
import { FacetCode, type CatalogEntry } from "#shared/domain/catalog/card.ts";

/** The expected result of `catalogPage`, computed by a full scan for every query. */
export function expectedPage(entries: CatalogEntry[], query: CatalogQuery) {
  const scores = query.q === undefined ? undefined : scoresOf(entries, query.q);
  const passes = (entry: CatalogEntry, except?: string) =>
    (query.kind === undefined || entry.card.kind === query.kind) &&
    (query.in_stock !== true || entry.in_stock) &&
    (scores === undefined || scores.has(entry)) &&
    (query.width_max_mm === undefined || (entry.width_mm ?? Infinity) <= query.width_max_mm) &&
    (except === "price" ||
      (entry.card.price >= (query.price_min ?? 0) &&
        entry.card.price <= (query.price_max ?? Infinity))) &&
    FacetCode.options.every((code) => {
      const wanted = query.filters?.[code] ?? [];
      return (
        code === except ||
        wanted.length === 0 ||
        valuesOf(entry, code).some((value) => wanted.includes(value))
      );
    });

  const found = entries.filter((entry) => passes(entry)).toSorted(comparison(query, scores));
  const start = (query.page - 1) * query.per_page;
  const facets = FacetCode.options
    .filter((code) => !(code === "seats" && query.kind === "product"))
    .map((code) => {
      const counts = new Map<string, number>(
        (query.filters?.[code] ?? []).map((value) => [value, 0]),
      );
      for (const entry of entries.filter((one) => passes(one, code))) {
        for (const value of valuesOf(entry, code)) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      const values = [...counts].toSorted(([a, n], [b, m]) => m - n || ascending(a, b));
      return { code, values };
    })
    .filter(({ values }) => values.length > 0);
  const prices = entries.filter((entry) => passes(entry, "price")).map(({ card }) => card.price);
  return {
    ids: found.slice(start, start + query.per_page).map(({ card }) => card.id),
    total: found.length,
    facets,
    price_range:
      prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices) },
  };
}

/** The members of an actual result that the oracle computes as well. */
export function comparable(page: CatalogPage) {
  return {
    ids: page.cards.map((card) => (JSON.parse(card) as { id: string }).id),
    total: page.total,
    facets: page.facets?.map(({ code, values }) => ({
      code,
      values: values.map(({ value, count }) => [value, count]),
    })),
    price_range: page.price_range,
  };
}

function valuesOf(entry: CatalogEntry, code: FacetCode): string[] {
  return code === "seats" ? entry.seats.map(String) : entry.facets[code];
}

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const ascendingNumbers = (a: number, b: number) => (a === b ? 0 : a - b);

function comparison(query: CatalogQuery, scores: Map<CatalogEntry, number> | undefined) {
  const name = (a: CatalogEntry, b: CatalogEntry) =>
    ascending(normalizeText(a.card.name), normalizeText(b.card.name)) ||
    ascending(a.card.id, b.card.id);
  const popular = (a: CatalogEntry, b: CatalogEntry) => b.popularity - a.popularity || name(a, b);
  return {
    name,
    popular,
    newest: (a: CatalogEntry, b: CatalogEntry) =>
      ascending(b.published_at, a.published_at) || popular(a, b),
    price: (a: CatalogEntry, b: CatalogEntry) => a.card.price - b.card.price || popular(a, b),
    "-price": (a: CatalogEntry, b: CatalogEntry) => b.card.price - a.card.price || popular(a, b),
    relevance: (a: CatalogEntry, b: CatalogEntry) =>
      ascendingNumbers(scores?.get(b) ?? 0, scores?.get(a) ?? 0) || popular(a, b),
  }[query.sort ?? "relevance"];
}

/** Matching entries with their scores: a complete SKU scores highest, and the prefix of a SKU lowest. */
function scoresOf(entries: CatalogEntry[], query: string): Map<CatalogEntry, number> {
  const scored = textScores(entries, query);
  const wanted = query.toUpperCase();
  for (const entry of entries) {
    const begins = wanted.length >= 3 && entry.skus.some((sku) => sku.startsWith(wanted));
    if (entry.skus.includes(wanted)) scored.set(entry, Infinity);
    else if (begins && !scored.has(entry)) scored.set(entry, 1);
  }
  return scored;
}

/** Entries that contain every word, with their scores: field weights of 6, 3 and 1 times a closeness of 1 to 4. */
function textScores(entries: CatalogEntry[], query: string): Map<CatalogEntry, number> {
  const words = queryWords(query);
  const scored = new Map<CatalogEntry, number>(
    words.length === 0 ? [] : entries.map((e) => [e, 0]),
  );
  for (const word of words) {
    const literal = (term: string) =>
      term === word ? 4 : word.length > 1 && term.startsWith(word) ? 3 : 0;
    const slips = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
    const misspelt = (term: string) => {
      const distance = slowEditDistance(word, term);
      return distance > slips ? 0 : distance === 1 ? 2 : 1;
    };
    const isKnown = entries.some((entry) => bestScore(entry, literal) > 0);
    for (const [entry, score] of scored) {
      const more = bestScore(entry, isKnown ? literal : misspelt);
      if (more === 0) scored.delete(entry);
      else scored.set(entry, score + more);
    }
  }
  return scored;
}

function bestScore({ text }: CatalogEntry, closeness: (term: string) => number): number {
  const fields = [wordsOf(text.name), wordsOf(text.keywords), wordsOf(text.body)];
  const terms = new Set(fields.flatMap((words) => [...words]));
  return Math.max(
    0,
    ...Array.from(terms, (term) => {
      const weight = fields.reduce(
        (sum, words, at) => sum + (words.has(term) ? [6, 3, 1][at]! : 0),
        0,
      );
      return weight * closeness(term);
    }),
  );
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
