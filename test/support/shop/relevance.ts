import { readFileSync } from "node:fs";

/** A search query, and the cards (`kind:slug`) that a buyer who sends it would want. */
export interface JudgedQuery {
  readonly query: string;
  readonly wanted: readonly string[];
}

/** The judged queries of the demo shop. */
export const judgedQueries = JSON.parse(
  readFileSync(
    new URL("../../../infra/local/demo/data/search-queries.json", import.meta.url),
    "utf8",
  ),
) as readonly JudgedQuery[];

export interface Relevance {
  /** The share of the queries whose first result, or one of the first three results, is a wanted card. */
  readonly hitAt1: number;
  readonly hitAt3: number;
  /** The mean reciprocal rank: the mean of 1 / (the position of the first wanted card). */
  readonly mrr: number;
  /** Queries without any result. */
  readonly empty: readonly string[];
  /** Queries without a wanted card among the first three results, with their actual results. */
  readonly missed: readonly { query: string; got: readonly string[] }[];
}

/** @param find returns the cards for a query, the best first */
export function relevanceOf(
  queries: readonly JudgedQuery[],
  find: (query: string) => readonly string[],
): Relevance {
  const judged = queries.map(({ query, wanted }) => {
    const got = find(query);
    return { query, got, place: got.findIndex((card) => wanted.includes(card)) };
  });
  const part = (chosen: readonly unknown[]) => chosen.length / queries.length;
  const isWithin = (places: number) => judged.filter(({ place }) => place >= 0 && place < places);
  const reciprocal = judged.map(({ place }) => (place < 0 ? 0 : 1 / (place + 1)));
  return {
    hitAt1: part(isWithin(1)),
    hitAt3: part(isWithin(3)),
    mrr: reciprocal.reduce((sum, each) => sum + each, 0) / queries.length,
    empty: judged.flatMap(({ query, got }) => (got.length === 0 ? [query] : [])),
    missed: judged
      .filter(({ place }) => place < 0 || place >= 3)
      .map(({ query, got }) => ({ query, got: got.slice(0, 3) })),
  };
}
