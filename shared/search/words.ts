import { normalizeText } from "../domain/base/normalized-words.ts";
import { prepositions, spellings, stopWords, unitWords } from "./vocabulary.ts";

/** A query is read up to this length. */
const maxQueryLength = 200;

/** Maximum number of query words. */
export const maxQueryWords = 8;

const maxLetters = 32;

/** Decimal numbers stay whole; everything else that is neither a letter nor a digit separates words. */
const wordPattern = /\d+\.\d+|[\p{L}\p{N}\p{M}]+/gu;
const possessive = /['’ʼ]s(?!\p{L})/gu;
const apostrophes = /['’ʼ]/g;
const numberAndUnit = /^(\d+(?:\.\d+)?)(seaters?|seats?|cm|mm|m|ft|feet|foot|inch|inches|kg)$/;
const twoNumbers = /^(\d+)x(\d+)$/;
const isNumber = (word: string) => /^\d+(?:\.\d+)?$/.test(word);

/** A word in its canonical form. */
export interface Word {
  readonly text: string;
  /** Whether a preposition stands before it: "storage" in "bed with storage" only qualifies the bed. */
  readonly isQualifier: boolean;
}

/**
 * The words of a text in order, without stop words: normalized, singular, in British spelling, numbers as digits. Units
 * after a number are left out.
 */
export function canonicalWords(text: string): Word[] {
  const plain = normalizeText(text.replaceAll(/(\d)\s*½/g, "$1.5"))
    .replaceAll(possessive, "")
    .replaceAll(apostrophes, "");
  const words: Word[] = [];
  let isQualifier = false;
  for (const [found] of plain.matchAll(wordPattern)) {
    for (const part of partsOf(found)) {
      const before = words.at(-1)?.text ?? "";
      if (isNumber(before) && unitWords.has(part)) continue;
      if (words.length > 0 && prepositions.has(part)) isQualifier = true;
      if (stopWords.has(part)) continue;
      const word = canonical(part);
      const isHalf = word === "half" && /^\d+$/.test(before);
      if (isHalf) words.splice(-1, 1, { text: `${before}.5`, isQualifier });
      else words.push({ text: word, isQualifier });
    }
  }
  return words;
}

/** The words of a query, from its first 200 characters. */
export const queryWords = (query: string): Word[] =>
  canonicalWords(query.slice(0, maxQueryLength)).slice(0, maxQueryWords);

/** The words of a query as one text, the same for every spelling of the query. Empty if it has no searchable words. */
export const canonicalQuery = (query: string): string =>
  queryWords(query)
    .map(({ text }) => text)
    .join(" ");

/**
 * The distinct terms by which a text is found: its words, and what a number or a single letter forms with its
 * neighbour, such as `3seat` and `lshape`.
 */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const phrase of text.split("\n")) addTerms(terms, canonicalWords(phrase));
  return terms;
}

function addTerms(terms: Set<string>, words: readonly Word[]): void {
  // "Seats four, six or eight" names the number of seats three times.
  let isListOfSeats = false;
  words.forEach(({ text: word }, at) => {
    terms.add(word);
    const next = words[at + 1]?.text;
    if (next !== undefined && joins(word, next)) terms.add(word + next);
    isListOfSeats = word === "seat" || (isListOfSeats && isNumber(word));
    if (isListOfSeats && word !== "seat") terms.add(`${word}seat`);
  });
}

/** Whether two neighbouring words also form one term. */
export const joins = (word: string, next: string): boolean =>
  (isNumber(word) || word.length === 1) && /^\p{L}{2}/u.test(next);

/** "3seater" and "4x6" are two words. */
function partsOf(word: string): string[] {
  const parts = numberAndUnit.exec(word) ?? twoNumbers.exec(word);
  if (parts) return parts.slice(1);
  return [word.length > maxLetters ? Array.from(word).slice(0, maxLetters).join("") : word];
}

function canonical(word: string): string {
  const one = spellings.get(word) ?? singular(word);
  return spellings.get(one) ?? one.replace(/(?<=.{3}i)z(?=(?:e|ed|er|ing)$)/, "s");
}

/** Removes the plural, so that "benches" finds the bench. */
function singular(word: string): string {
  if (word.length < 4 || !/[^ius]s$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Minimum number of letters of a stem. */
export const shortestStem = 4;

/** What is left of a word without its ending: "reclining" and "recliner" share `reclin`. */
export function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|er|ed|en)$/, "");
  return stem.length >= shortestStem ? stem : word;
}
