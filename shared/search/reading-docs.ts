import type { Reading } from "./parsed-query.ts";
import type { TermDocs } from "./search-terms.ts";
import { anyField, fieldScores, outsideBody } from "./text-fields.ts";

/**
 * The documents that contain all terms of a phrase, with the score of the weakest term and the fields of the last term.
 *
 * @param isMeant which documents to look at
 */
export function eachPhraseDoc(
  { terms, fields: among }: Reading,
  visit: (doc: number, score: number, fields: number) => void,
  isMeant: (doc: number) => boolean = () => true,
): void {
  // The last word is what names a kind: the reading "study chair" needs a chair, which the room makes a study's.
  const last = terms.length - 1;
  const before = among === anyField ? anyField : outsideBody;
  for (const { segment, start } of terms[0] ?? []) {
    const { docs, fields, offsets } = segment.text;
    const rows = terms.map((term) => term.find((docs) => docs.segment === segment)?.row);
    if (rows.includes(undefined)) continue;
    const positions = rows.map((row) => offsets[row!]!);
    const ends = rows.map((row) => offsets[row! + 1]!);
    const lengths = ends.map((end, term) => end - positions[term]!);
    // Each document of the rarest term is looked up among the documents of the other terms.
    const rarest = lengths.indexOf(Math.min(...lengths));
    for (let at = positions[rarest]!; at < ends[rarest]!; at += 1) {
      const doc = docs[at]!;
      if (!isMeant(start + doc)) continue;
      let score = Infinity;
      let lastBits = 0;
      for (let term = 0; term <= last && score > 0; term += 1) {
        const place = term === rarest ? at : firstFrom(docs, doc, positions[term]!, ends[term]!);
        positions[term] = place;
        const bits = place < ends[term]! && docs[place] === doc ? fields[place]! : 0;
        const isHere = (bits & (term === last ? among : before)) !== 0;
        score = isHere ? Math.min(score, fieldScores[bits]!) : 0;
        lastBits = bits;
      }
      if (score > 0) visit(start + doc, score, lastBits);
    }
  }
}

/** The first position from `from` on, before `end`, of a document at or after `doc`. Near positions are found fastest. */
function firstFrom(docs: Uint32Array, doc: number, from: number, end: number): number {
  let step = 1;
  let low = from;
  while (low + step < end && docs[low + step - 1]! < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Visits the documents that match a reading. */
export function eachDoc(reading: Reading, visit: (doc: number) => void): void {
  if (reading.terms.length > 1) eachPhraseDoc(reading, visit);
  else eachTermDoc(reading.terms[0] ?? [], visit, reading.fields);
}

export function eachTermDoc(
  term: readonly TermDocs[],
  visit: (doc: number) => void,
  among = anyField,
): void {
  for (const { segment, start, row } of term) {
    const { offsets, docs, fields } = segment.text;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) {
      if ((fields[at]! & among) !== 0) visit(start + docs[at]!);
    }
  }
}
