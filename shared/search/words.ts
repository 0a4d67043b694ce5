import { withAsciiDigits } from "../domain/base/machine-text.ts";
import { normalizeText } from "../domain/base/normalized-words.ts";
import {
  lackedParts,
  lengths,
  negations,
  pictures,
  prepositions,
  spellings,
  stopWords,
  unitWords,
} from "./vocabulary.ts";

/** A query is read up to this length. */
const maxQueryLength = 200;

/** Maximum number of query words. */
export const maxQueryWords = 8;

const maxLetters = 32;

/** Decimal numbers stay whole; everything else that is neither a letter nor a digit separates words. */
const wordPattern = /\d+\.\d+|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const possessive = /['’ʼ]s(?!\p{L})/gu;
/** The article or preposition of "l'été" or "dell'arte" is no part of the word. */
const elisions =
  /(?<![\p{L}\p{M}\p{N}])(?:[cdjlmnst]|qu|un|(?:a|da|de|ne|su)ll)['’ʼ](?=\p{L}{2})/gu;
const apostrophes = /['’ʼ]/g;
/** "T.V." is the word "TV". */
const initials = /(?<![\p{L}\p{M}\p{N}.])\p{L}(?:\.\p{L})+\.?(?![\p{L}\p{M}\p{N}])/gu;
const times = /×/g;
const connectsSides: ReadonlySet<string> = new Set(["x", "by"]);
const numberAndUnit = /^(\d+(?:\.\d+)?)(seaters?|seats?|cm|mm|m|ft|feet|foot|inch|inches|kg)$/;
const twoNumbers = /^(\d+)x(\d+)$/;
const pictureMarks = new RegExp([...pictures.keys()].join("|"), "gu");
const isNumber = (word: string) => /^\d+(?:\.\d+)?$/.test(word);

/** A word in its canonical form. */
export interface Word {
  readonly text: string;
  /** Whether a preposition stands before it: "storage" in "bed with storage" only qualifies the bed. */
  readonly isQualifier: boolean;
  /** Whether a negation stands before it, as before "arms" in "chair without arms". */
  readonly isNegated?: true;
  /** For a number with a unit, the term of this measure, then those of about the same length in other units. */
  readonly measures?: readonly string[];
}

/**
 * The words of a text in order, without stop words: normalized, singular, in British spelling, numbers as digits. The
 * unit after a number is no word, but makes it a measure.
 */
export function canonicalWords(text: string): Word[] {
  const plain = normalizeText(withAsciiDigits(text).replaceAll(/(\d)\s*½/g, "$1.5"))
    .replaceAll(times, " x ")
    .replaceAll(possessive, "")
    .replaceAll(elisions, "")
    .replaceAll(apostrophes, "")
    .replaceAll(initials, (letters) => letters.replaceAll(".", ""));
  const parts = Array.from(plain.matchAll(wordPattern)).flatMap(([found]) => partsOf(found));
  const words: Word[] = [];
  /** The positions of the latest number and of those before it with which "x" or "by" connects it: 4, 6 in "4 x 6 ft". */
  let sides: number[] = [];
  let isSide = false;
  let isQualifier = false;
  let isNegated = false;
  parts.forEach((part, at) => {
    const before = words.at(-1)?.text ?? "";
    // "2 in 1" has no inches.
    const isUnit = unitWords.has(part) && !(part === "in" && isNumber(parts[at + 1] ?? ""));
    if (isNumber(before) && isUnit) {
      isSide = connectsSides.has(part);
      for (const side of isSide ? [] : sides) {
        const word = words[side]!;
        words[side] = { measures: measuresOf(Number(word.text), part), ...word };
      }
      return;
    }
    if (words.length > 0 && prepositions.has(part)) isQualifier = true;
    isNegated ||= negations.has(part);
    if (stopWords.has(part) || negations.has(part)) return;
    const word = canonical(part);
    const isHalf = word === "half" && /^\d+$/.test(before);
    if (isHalf) words.splice(-1, 1, { text: `${before}.5`, isQualifier });
    else if (isNegated && !isNumber(word)) words.push({ text: word, isQualifier, isNegated });
    else words.push({ text: word, isQualifier });
    if (isNumber(word)) sides = [...(isSide ? sides : []), words.length - 1];
    isSide = false;
    isNegated = false;
  });
  return words;
}

/** How much a length may differ from a whole number of another unit. */
const roundedBy = 0.02;

/**
 * The term of a measure, then those of the lengths that are about the same in the units that labels use: 5 ft are 60
 * inches or 152 cm.
 */
function measuresOf(number: number, unit: string): string[] {
  const inMm = lengths.get(unit);
  if (inMm === undefined) return [`${number}${unit}`];
  const mm = number * inMm;
  const alike = ["ft", "inch", "cm"].flatMap((other) => {
    const unitInMm = lengths.get(other) ?? 1;
    const whole = Math.round(mm / unitInMm);
    const isAlike = Math.abs(mm / unitInMm - whole) <= (roundedBy * mm) / unitInMm;
    return whole > 0 && isAlike ? [whole * unitInMm] : [];
  });
  return [...new Set([mm, ...alike].map((length) => `${Math.round(length)}mm`))];
}

/** The words of a query, from its first 200 characters. */
export const queryWords = (query: string): Word[] =>
  canonicalWords(
    query
      .slice(0, maxQueryLength)
      .replaceAll(pictureMarks, (picture) => ` ${pictures.get(picture)} `),
  ).slice(0, maxQueryWords);

/** The words of a query as one text, the same for every spelling of the query. Empty if it has no searchable words. */
export const canonicalQuery = (query: string): string =>
  queryWords(query)
    .map(({ text, isNegated }) => (isNegated ? negatedTerm(text) : text))
    .join(" ");

/**
 * The distinct terms by which a text is found: its words, its measures, such as `600mm`, and what a number or a single
 * letter forms with its neighbour, such as `3seat` and `lshape`.
 */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const phrase of text.split("\n")) {
    addTerms(terms, canonicalWords(phrase));
    // "D'Decor" is found by "ddecor", too.
    const joined = phrase.replaceAll(apostrophes, "");
    if (joined !== phrase) addTerms(terms, canonicalWords(joined));
  }
  return terms;
}

function addTerms(terms: Set<string>, words: readonly Word[]): void {
  // "Seats four, six or eight" names the number of seats three times.
  let isListOfSeats = false;
  words.forEach(({ text: word, isNegated, measures = [] }, at) => {
    terms.add(isNegated ? negatedTerm(word) : word);
    for (const measure of measures.slice(0, 1)) terms.add(measure);
    const next = words[at + 1];
    if (next && !next.isNegated && joins(word, next.text)) terms.add(word + next.text);
    isListOfSeats = word === "seat" || (isListOfSeats && isNumber(word));
    if (isListOfSeats && word !== "seat") terms.add(`${word}seat`);
  });
}

/** The term of a word that a text negates: "without screws" is not found by "screws". */
export const negatedTerm = (word: string): string => `no ${word}`;

/** Whether two neighbouring words also form one term. */
export const joins = (word: string, next: string): boolean =>
  (isNumber(word) || word.length === 1) && /^\p{L}{2}/u.test(next);

/** "3seater" is two words, and "4x6" two numbers. */
function partsOf(word: string): string[] {
  const missing = lackedParts.get(word);
  if (missing !== undefined) return ["without", missing];
  const [, width, depth] = twoNumbers.exec(word) ?? [];
  if (width !== undefined && depth !== undefined) return [width, "x", depth];
  const parts = numberAndUnit.exec(word);
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

/** What is left of a word without its ending: "reclining" and "recliner" share `reclin`, "foldable" and "folds" `fold`. */
export function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|er|ed|en|able)$/, "");
  return stem.length >= shortestStem ? stem : word;
}
