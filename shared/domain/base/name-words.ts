import { normalizedWords } from "./normalized-words.ts";

/** Maximum number of search words of a record. One transaction replaces all of them when the names change. */
const mostWords = 20;
const mostAsked = 8;
const mostLetters = 200;

/** The search words of names, sorted. */
export function nameWords(names: string): string[] {
  // A search for Dsouza also finds D'Souza.
  const words = [...normalizedWords(names), ...normalizedWords(names.replaceAll(/['’ʼ]/g, ""))];
  return [...new Set(words)].slice(0, mostWords).sort();
}

/** The words of a name search; each matches a whole word or its beginning. */
export const searchedNameWords = (typed: string): string[] =>
  [...new Set(normalizedWords(typed.slice(0, mostLetters)))].slice(0, mostAsked);

/** Whether each prefix is the beginning of one of the words. */
export const hasEveryPrefix = (words: readonly string[], prefixes: readonly string[]): boolean =>
  prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));

/** The first letter of a word. */
export const initialOf = (word: string): string => Array.from(word)[0] ?? "";
