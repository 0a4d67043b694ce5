import { addBit, emptyBits, hasBit, type Bits } from "./bits.ts";
import { segmentsOf, type CatalogIndex } from "./catalog-index.ts";
import { docsOf, prefixRange, termRow, type Postings } from "./postings.ts";
import { inBody, inKeywords, inName } from "./segment.ts";
import { allowedSlips, nearTerms } from "./typos.ts";
import { stringAt } from "./string-column.ts";
import { maxQueryWords, queryWords } from "./words.ts";

/** The cards that match every word of a query; `scores` holds their score by document. */
export interface TextMatch {
  docs: Bits;
  scores: Uint16Array<ArrayBuffer>;
}

/** A term that a query word may match. */
interface Reading {
  text: Postings;
  /** The segment's first document. */
  start: number;
  row: number;
  closeness: number;
}

const exact = 4;
const beginning = 3;
const oneSlip = 2;
const twoSlips = 1;

/** A word's score by the fields that contain it: the name counts more than keywords, keywords more than the body. */
const fieldScores = Uint8Array.from({ length: 8 }, (_, fields) =>
  [inName, inKeywords, inBody].reduce(
    (score, field, at) => score + ((fields & field) === 0 ? 0 : [6, 3, 1][at]!),
    0,
  ),
);

/** The highest possible score: that of a word in all fields, times the maximum number of query words. */
export const maxTextScore = maxQueryWords * fieldScores.at(-1)! * exact;

/**
 * Cards that match every word of the query. A card matches a query word if it contains the word or a longer word with
 * that prefix. If no current card does, misspellings of the word match too. A query without words matches nothing. The
 * result may contain documents that were replaced or removed.
 */
export function searchText(index: CatalogIndex, query: string): TextMatch {
  const words = queryWords(query);
  const docs = emptyBits(index.size);
  const scores = new Uint16Array(index.size);
  // For each document, how many words it has matched so far, and its best score for the current word.
  const matched = new Uint8Array(index.size);
  const best = new Uint8Array(index.size);
  words.forEach((word, position) => {
    for (const reading of readingsOf(index, word)) {
      const { start, row, closeness, text } = reading;
      const end = text.offsets[row + 1]!;
      for (let at = text.offsets[row]!; at < end; at += 1) {
        const doc = start + text.docs[at]!;
        const previous = matched[doc]!;
        if (previous < position) continue;
        const score = fieldScores[text.fields[at]!]! * closeness;
        if (previous === position) {
          matched[doc] = position + 1;
          if (position === words.length - 1) addBit(docs, doc);
          scores[doc]! += score;
          best[doc] = score;
        } else if (score > best[doc]!) {
          scores[doc]! += score - best[doc]!;
          best[doc] = score;
        }
      }
    }
  });
  return { docs, scores };
}

function readingsOf(index: CatalogIndex, word: string): Reading[] {
  const literal = segmentsOf(index).flatMap(([{ text }, start]) =>
    literalReadings(text, start, word),
  );
  if (literal.some((reading) => isPublished(index, reading))) return literal;
  const slips = allowedSlips(word);
  if (slips === 0) return [];
  return segmentsOf(index).flatMap(([{ text, letters }, start]) =>
    nearTerms(text, letters, word, slips).map(({ row, distance }) => ({
      text,
      start,
      row,
      closeness: distance === 1 ? oneSlip : twoSlips,
    })),
  );
}

/** The word itself and longer words with that prefix; a single letter matches only itself. */
function literalReadings(text: Postings, start: number, word: string): Reading[] {
  if (word.length === 1) {
    const row = termRow(text, word);
    return row < 0 ? [] : [{ text, start, row, closeness: exact }];
  }
  const readings: Reading[] = [];
  const [from, to] = prefixRange(text, word);
  for (let row = from; row < to; row += 1) {
    const same = row === from && stringAt(text.terms, row) === word;
    readings.push({ text, start, row, closeness: same ? exact : beginning });
  }
  return readings;
}

function isPublished(index: CatalogIndex, { text, start, row }: Reading): boolean {
  return docsOf(text, row).some((doc) => hasBit(index.published, start + doc));
}
