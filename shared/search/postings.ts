import { lowerBound, stringAt, stringColumn, type StringColumn } from "./string-column.ts";

/**
 * Sorted terms. Each has the documents that contain it, in ascending order, and the fields in which they contain it.
 */
export interface Postings {
  terms: StringColumn;
  /** The start of each term's documents, with one entry more at the end. */
  offsets: Uint32Array<ArrayBuffer>;
  docs: Uint32Array<ArrayBuffer>;
  /** Parallel to `docs`: field bits, whose meaning the owner defines. */
  fields: Uint8Array<ArrayBuffer>;
}

type Draft = Map<string, { docs: number[]; fields: number[] }>;

/** Collects postings; documents must be added in ascending order. */
export function postingsDraft() {
  const draft: Draft = new Map();
  return {
    add(term: string, doc: number, field: number): void {
      const list = draft.get(term);
      if (list === undefined) draft.set(term, { docs: [doc], fields: [field] });
      else if (list.docs.at(-1) === doc) list.fields[list.fields.length - 1]! |= field;
      else {
        list.docs.push(doc);
        list.fields.push(field);
      }
    },
    finish: (): Postings => finish(draft),
  };
}

function finish(draft: Draft): Postings {
  const terms = [...draft.keys()].sort();
  const offsets = new Uint32Array(terms.length + 1);
  terms.forEach((term, row) => {
    offsets[row + 1] = offsets[row]! + draft.get(term)!.docs.length;
  });
  const docs = new Uint32Array(offsets[terms.length]!);
  const fields = new Uint8Array(docs.length);
  terms.forEach((term, row) => {
    const list = draft.get(term)!;
    docs.set(list.docs, offsets[row]);
    fields.set(list.fields, offsets[row]);
  });
  return { terms: stringColumn(terms), offsets, docs, fields };
}

export function termCount(postings: Postings): number {
  return postings.offsets.length - 1;
}

/** The rows of the terms with this prefix, as a half-open range. */
export function prefixRange(postings: Postings, prefix: string): [from: number, to: number] {
  const at = (row: number) => stringAt(postings.terms, row);
  const size = termCount(postings);
  const from = lowerBound(size, at, prefix);
  // U+FFFF is not a character, so no term of letters and digits sorts after it.
  return [from, lowerBound(size, at, `${prefix}\u{ffff}`)];
}

/** The row of exactly this term, or -1. */
export function termRow(postings: Postings, term: string): number {
  const at = (row: number) => stringAt(postings.terms, row);
  const row = lowerBound(termCount(postings), at, term);
  return row < termCount(postings) && at(row) === term ? row : -1;
}

export function docsOf(postings: Postings, row: number): Uint32Array<ArrayBuffer> {
  return postings.docs.subarray(postings.offsets[row], postings.offsets[row + 1]);
}
