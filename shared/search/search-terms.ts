import { hasBit } from "./bits.ts";
import { segmentsOf, type CatalogIndex } from "./catalog-index.ts";
import { prefixRange, termRow } from "./postings.ts";
import { remembered } from "./remembered.ts";
import type { Segment } from "./segment.ts";
import { stringAt } from "./string-column.ts";
import { allowedSlips, editDistance, nearTerms } from "./typos.ts";
import { shortestStem, stemOf } from "./words.ts";

/** The documents of a term in one segment, of which at least one is published. */
export interface TermDocs {
  readonly segment: Segment;
  /** The number of the segment's first document. */
  readonly start: number;
  readonly row: number;
}

/**
 * Maximum number of terms that a prefix or a misspelling stands for. If there are more, those in the most documents
 * count.
 */
const mostTerms = 64;

/** The memoized lookup of rows by term, for each segment. The same words and synonyms are looked up again and again. */
const rowsOf = new WeakMap<Segment, (term: string) => number>();

function rowOf(segment: Segment, term: string): number {
  let rows = rowsOf.get(segment);
  if (rows === undefined) {
    rows = remembered((text) => termRow(segment.text, text));
    rowsOf.set(segment, rows);
  }
  return rows(term);
}

/** The documents that contain exactly this term, in each segment. */
export function exactTerm(index: CatalogIndex, term: string): TermDocs[] {
  return segmentsOf(index).flatMap(([segment, start]) => {
    const docs = { segment, start, row: rowOf(segment, term) };
    return docs.row >= 0 && isPublished(index, docs) ? [docs] : [];
  });
}

/** Other terms with the same stem, such as "reclining" for "recliner". */
export function sameStemTerms(index: CatalogIndex, word: string): TermDocs[] {
  const stem = stemOf(word);
  if (stem.length < shortestStem) return [];
  return termsWithPrefix(index, stem).filter(({ segment, row }) => {
    const term = stringAt(segment.text.terms, row);
    return term !== word && stemOf(term) === stem;
  });
}

/** Longer terms with this prefix. */
export const longerTerms = (index: CatalogIndex, prefix: string): TermDocs[] =>
  prefix.length < 2
    ? []
    : termsWithPrefix(index, prefix).filter(({ segment, row }) => {
        const { offsets } = segment.text.terms;
        return offsets[row + 1]! - offsets[row]! > Buffer.byteLength(prefix);
      });

function termsWithPrefix(index: CatalogIndex, prefix: string): TermDocs[] {
  const longer = segmentsOf(index).flatMap(([segment, start]) => {
    const [from, to] = prefixRange(segment.text, prefix);
    return Array.from({ length: to - from }, (_, at) => ({ segment, start, row: from + at }));
  });
  return commonest(longer.filter((docs) => isPublished(index, docs)));
}

/** The terms from which this word differs by the fewest typing errors, and the number of these errors. */
export function misspelledTerms(
  index: CatalogIndex,
  word: string,
): { terms: TermDocs[]; slips: number } {
  const allowed = allowedSlips(word);
  if (allowed === 0) return { terms: [], slips: 0 };
  const near = segmentsOf(index).flatMap(([segment, start]) =>
    nearTerms(segment.text, segment.letters, word, allowed)
      .map(({ row, distance }) => ({ segment, start, row, distance }))
      .filter((docs) => isPublished(index, docs)),
  );
  const slips = Math.min(...near.map(({ distance }) => distance));
  return { terms: commonest(near.filter(({ distance }) => distance === slips)), slips };
}

/** The words of a list from which this word differs by the fewest typing errors, and the number of these errors. */
export function misspelledAmong(
  words: Iterable<string>,
  word: string,
): { words: string[]; slips: number } {
  const allowed = allowedSlips(word);
  const near = Array.from(words).flatMap((known) => {
    if (allowed === 0 || Math.abs(known.length - word.length) > allowed) return [];
    const distance = editDistance(word, known, allowed);
    return distance <= allowed ? [{ known, distance }] : [];
  });
  const slips = Math.min(...near.map(({ distance }) => distance));
  return { words: near.flatMap(({ known, distance }) => (distance === slips ? known : [])), slips };
}

function isPublished({ published }: CatalogIndex, { segment, start, row }: TermDocs): boolean {
  const { offsets, docs } = segment.text;
  for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) {
    if (hasBit(published, start + docs[at]!)) return true;
  }
  return false;
}

function commonest<Term extends TermDocs>(terms: Term[]): Term[] {
  if (terms.length <= mostTerms) return terms;
  const size = ({ segment: { text }, row }: Term) => text.offsets[row + 1]! - text.offsets[row]!;
  return terms.toSorted((one, other) => size(other) - size(one)).slice(0, mostTerms);
}
