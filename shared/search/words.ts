import { normalizedWords } from "../domain/base/normalized-words.ts";

const maxQueryLength = 200;

/** Maximum number of query words. */
export const maxQueryWords = 8;

/** Stop words: neither indexed nor searched. */
const fillers = new Set("a an and at by for from in of on or the to with".split(" "));

/** Removes a plural s, so that "chairs" finds the chair. */
function singular(word: string): string {
  return word.length >= 4 && /[^ius]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The distinct search words of a text. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const word of normalizedWords(text)) if (!fillers.has(word)) words.add(singular(word));
  return words;
}

/** The words of a search, from its first 200 characters. */
export function queryWords(query: string): string[] {
  return [...wordsOf(query.slice(0, maxQueryLength))].slice(0, maxQueryWords);
}
