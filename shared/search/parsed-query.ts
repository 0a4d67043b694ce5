import type { CatalogIndex } from "./catalog-index.ts";
import {
  type TermDocs,
  exactTerm,
  longerTerms,
  misspelledAmong,
  misspelledTerms,
  sameStemTerms,
} from "./search-terms.ts";
import type { Meaning } from "./looks.ts";
import { termCount } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { stringAt } from "./string-column.ts";
import { type Synonym, type Synonyms, longestPhrase, synonymsFor } from "./synonyms.ts";
import { anyField, inKind, inName, inNoun, outsideBody } from "./text-fields.ts";
import { shortWord } from "./typos.ts";
import { type Word, joins, negatedTerm, queryWords } from "./words.ts";

/** A way in which a card may match a part of a query: by containing all of these terms. */
export interface Reading extends Meaning {
  /** For each term, its documents in each segment. */
  readonly terms: readonly (readonly TermDocs[])[];
  /**
   * The fields in which a card must contain the terms. A phrase that is a synonym does not match a description, where its
   * words may mean something else. A synonym that names a kind matches only where cards name their kind: "light" stands
   * for a lamp, but not in "light mango wood".
   */
  readonly fields: number;
}

/** A word or phrase of a query, with everything that a card may contain instead. */
export interface Slot {
  readonly words: readonly string[];
  readonly readings: readonly Reading[];
  readonly isQualifier: boolean;
  /** Whether the buyer does not want it. */
  readonly isNegated: boolean;
  /** For a negated word, the cards that say that they lack it. */
  readonly lacking: readonly TermDocs[];
  /** Whether it names a kind of item that the shop sells, such as "lamp". */
  readonly isKind: boolean;
  /** About how many documents match. */
  readonly frequency: number;
}

/** A word of a query; "book case" is also read as "bookcase". */
interface QueryWord extends Word {
  readonly parts?: readonly [string, string];
}

const closenessOf = { parts: 0.95, otherUnit: 0.9, stem: 0.85, longer: 0.5 } as const;
const slipCloseness = [1, 0.8, 0.5] as const;
/** The minimum closeness of a reading that names a kind of item. */
const surely = 0.6;

/**
 * What a query may mean in this index. A phrase that has synonyms is one slot; a word that no card contains is split,
 * completed or corrected.
 */
export function parsedSearch(index: CatalogIndex, query: string, synonyms: Synonyms): Slot[] {
  const words = joinedWords(index, queryWords(query), synonyms);
  const slots: Slot[] = [];
  let at = 0;
  while (at < words.length) {
    const some = words.slice(at, at + phraseLength(words, at, synonyms));
    at += some.length;
    const { isQualifier, isNegated = false, text } = some[0]!;
    const readings = isNegated
      ? unwantedReadings(index, text, synonyms)
      : some.length > 1
        ? phraseReadings(index, some, synonyms)
        : wordReadings(index, some[0]!, { synonyms, isLast: at === words.length });
    slots.push({
      words: some.map(({ text }) => text),
      readings,
      isQualifier,
      isNegated,
      lacking: isNegated ? exactTerm(index, negatedTerm(text)) : [],
      isKind: readings.some((reading) => namesKind(reading)),
      frequency: readings.reduce((sum, reading) => sum + sizeOf(reading), 0),
    });
  }
  return slots;
}

/**
 * Joins neighbouring words that are one word in the index or among the synonyms, such as "book case" and "3 seater".
 */
function joinedWords(index: CatalogIndex, words: readonly Word[], synonyms: Synonyms): QueryWord[] {
  const result: QueryWord[] = [];
  let at = 0;
  while (at < words.length) {
    const [word, next] = [words[at]!, words[at + 1]];
    const joined =
      next && !word.isNegated && !word.measures && !next.isNegated
        ? joinedWord(word.text, next.text)
        : undefined;
    const isUnfinished = () => at + 2 === words.length && exactTerm(index, next!.text).length === 0;
    const isOne =
      joined !== undefined &&
      synonymsFor([word.text, next!.text], synonyms) === undefined &&
      (synonyms.vocabulary.has(joined) ||
        exactTerm(index, joined).length > 0 ||
        (joins(word.text, next!.text) && isUnfinished() && longerTerms(index, joined).length > 0));
    result.push(isOne ? { ...word, text: joined, parts: [word.text, next!.text] } : word);
    at += isOne ? 2 : 1;
  }
  return result;
}

function joinedWord(word: string, next: string): string | undefined {
  if (joins(word, next)) return word + next;
  if (word === "seat" && /^\d/.test(next)) return next + word;
  return /^\p{L}{2,}$/u.test(word) && /^\p{L}{3,}$/u.test(next) ? word + next : undefined;
}

/** The number of words, starting at `from`, that form a phrase with synonyms; 1 if there is no such phrase. */
function phraseLength(words: readonly Word[], from: number, synonyms: Synonyms): number {
  const negated = words.findIndex(({ isNegated }, at) => at >= from && isNegated);
  const end = negated < 0 ? words.length : negated;
  for (let length = Math.min(longestPhrase, end - from); length > 1; length -= 1) {
    if (synonymsFor(textsOf(words.slice(from, from + length)), synonyms)) return length;
  }
  return 1;
}

const textsOf = (words: readonly Word[]): string[] => words.map(({ text }) => text);

function phraseReadings(
  index: CatalogIndex,
  words: readonly Word[],
  synonyms: Synonyms,
): Reading[] {
  const own = { words: textsOf(words), closeness: 1 };
  return readingsOf(index, [own, ...(synonymsFor(own.words, synonyms) ?? [])]);
}

/**
 * Readings by exactly these words. Phrases of which the index lacks a word are left out. If the first phrase, that of
 * the query, names a kind, the others match only where cards say what they are.
 */
function readingsOf(index: CatalogIndex, phrases: readonly Synonym[]): Reading[] {
  let isOfKind = false;
  return phrases.flatMap(({ words, closeness }) => {
    const terms = words.map((word) => exactTerm(index, word));
    if (terms.some(({ length }) => length === 0)) return [];
    const own = { words, terms, closeness, fields: anyField };
    if (closeness >= closenessOf.otherUnit) {
      isOfKind ||= namesKind(own);
      return [own];
    }
    const isPhrase = words.length > 1;
    const namesOnly = isOfKind || namesKind(own) ? namingFields(isPhrase) : anyField;
    return [{ ...own, fields: namesOnly & (isPhrase ? outsideBody : anyField) }];
  });
}

/** Where cards say what they are. A single word of a name may describe the item: "light" in "Desk in Light Oak". */
const namingFields = (isPhrase: boolean): number =>
  isPhrase ? inKind | inNoun | inName : inKind | inNoun;

/** What a buyer does not want: the word and its synonyms, without corrections. */
const unwantedReadings = (index: CatalogIndex, word: string, synonyms: Synonyms): Reading[] => [
  ...readingsOf(index, [{ words: [word], closeness: 1 }, ...(synonymsFor([word], synonyms) ?? [])]),
  ...sameStemTerms(index, word).map((term) => readingOf(term, closenessOf.stem)),
];

function wordReadings(
  index: CatalogIndex,
  { text, parts, measures }: QueryWord,
  { synonyms, isLast }: { synonyms: Synonyms; isLast: boolean },
): Reading[] {
  if (measures !== undefined) {
    return readingsOf(
      index,
      measures.map((term, at) => ({
        words: [term],
        closeness: at === 0 ? 1 : closenessOf.otherUnit,
      })),
    );
  }
  const literal = readingsOf(index, [
    { words: [text], closeness: 1 },
    ...(parts && !/^\d/.test(text) ? [{ words: parts, closeness: closenessOf.parts }] : []),
    ...(synonymsFor([text], synonyms) ?? []),
  ]);
  const isFinished = !isLast || literal.some((reading) => namesKind(reading));
  const longer = isFinished ? [] : longerTerms(index, text);
  const alike = sameStemTerms(index, text).map((term) => readingOf(term, closenessOf.stem));
  if (literal.length + longer.length > 0) {
    return [...literal, ...alike, ...longer.map((term) => readingOf(term, closenessOf.longer))];
  }
  const split = splitWord(index, text, synonyms);
  return [...alike, ...(split.length > 0 ? split : correctedReadings(index, text, synonyms))];
}

/** Readings of a word that consists of two known words, such as "coffeetable". */
function splitWord(index: CatalogIndex, word: string, synonyms: Synonyms): Reading[] {
  for (let length = 2; length <= word.length - 3; length += 1) {
    const parts = [word.slice(0, length), word.slice(length)];
    const own = readingsOf(index, [{ words: parts, closeness: closenessOf.parts }]);
    const readings = [...own, ...readingsOf(index, synonymsFor(parts, synonyms) ?? [])];
    if (readings.length > 0) return readings;
  }
  return [];
}

/**
 * Readings of a word with typing errors: words of the index and words with synonyms. A word of three letters is like too
 * many others, so it is only corrected to a kind of item.
 */
function correctedReadings(index: CatalogIndex, word: string, synonyms: Synonyms): Reading[] {
  const here = misspelledTerms(index, word);
  const own = here.terms.map((term) => readingOf(term, slipCloseness[here.slips] ?? 0));
  if (word.length <= shortWord) return own.filter((reading) => namesKind(reading));
  const meant = misspelledAmong(synonyms.spellings.keys(), word);
  return [
    ...own,
    ...meant.words.flatMap((known) => {
      const phrase = synonyms.spellings.get(known) ?? [known];
      const exact = { words: phrase, closeness: 1 };
      const readings = readingsOf(index, [exact, ...(synonymsFor(phrase, synonyms) ?? [])]);
      const slip = slipCloseness[meant.slips] ?? 0;
      return readings.map((reading) => ({ ...reading, closeness: reading.closeness * slip }));
    }),
  ];
}

const readingOf = (term: TermDocs, closeness: number): Reading => ({
  words: [stringAt(term.segment.text.terms, term.row)],
  terms: [[term]],
  closeness,
  fields: anyField,
});

/** Whether the word, or the last word of the phrase, names the kind of item of at least one card. */
export const namesKind = ({ terms, closeness }: Reading): boolean =>
  closeness >= surely && (terms.at(-1) ?? []).some((term) => isKindTerm(term));

/** Whether it names the kind of item of at least one of these documents. */
export const namesKindOf = (reading: Reading, isMeant: (doc: number) => boolean): boolean =>
  namesKind(reading) && (reading.terms.at(-1) ?? []).some((term) => isKindTerm(term, isMeant));

/** For each term of a segment, whether it names a kind: 1 if so, 2 if not, 0 if that is not known yet. */
const kindTerms = new WeakMap<Segment, Uint8Array>();

function isKindTerm(term: TermDocs, isMeant?: (doc: number) => boolean): boolean {
  if (isMeant) return hasKindDoc(term, isMeant);
  const { segment, row } = term;
  const known = kindTerms.get(segment) ?? new Uint8Array(termCount(segment.text));
  kindTerms.set(segment, known);
  known[row] ||= hasKindDoc(term, () => true) ? 1 : 2;
  return known[row] === 1;
}

function hasKindDoc(
  { segment: { text }, start, row }: TermDocs,
  isMeant: (doc: number) => boolean,
): boolean {
  for (let at = text.offsets[row]!; at < text.offsets[row + 1]!; at += 1) {
    const isNamed = (text.fields[at]! & (inKind | inNoun)) !== 0;
    if (isNamed && isMeant(start + text.docs[at]!)) return true;
  }
  return false;
}

/** An upper bound of the number of documents that match the reading. */
const sizeOf = ({ terms }: Reading): number =>
  Math.min(
    ...terms.map((term) =>
      term.reduce(
        (sum, { segment: { text }, row }) => sum + text.offsets[row + 1]! - text.offsets[row]!,
        0,
      ),
    ),
  );
