import { addAll, addBit, emptyBits, keepOnly, type Bits } from "./bits.ts";
import { docsOf, type Postings, termCount } from "./postings.ts";
import { stringAt } from "./string-column.ts";

/** The cards of one facet value; a rare value has a list only and no bitset. */
export interface ValueDocs {
  /** The value's position in arrays that count all values. */
  number: number;
  docs: Uint32Array<ArrayBuffer>;
  bits: Bits | undefined;
}

/** Facets in both directions: the cards of each value, and the values of each card. */
export interface FacetColumns {
  /** By facet code, including `kind` and `in_stock`, then by value. */
  values: Map<string, Map<string, ValueDocs>>;
  /** The total number of values. */
  size: number;
  /** The start of each document's values in `numbers`, with one entry more at the end. */
  starts: Uint32Array<ArrayBuffer>;
  numbers: Uint32Array<ArrayBuffer>;
}

/** Cards, or variants, with their facets. */
interface Faceted {
  readonly facets: Postings;
  readonly size: number;
}

/** Documents of the overlay are numbered after the base's. */
export function facetColumns(base: Faceted, overlay: Faceted): FacetColumns {
  const lists = new Map<string, Uint32Array<ArrayBuffer>>();
  for (let row = 0; row < termCount(base.facets); row += 1) {
    lists.set(stringAt(base.facets.terms, row), docsOf(base.facets, row));
  }
  for (let row = 0; row < termCount(overlay.facets); row += 1) {
    const term = stringAt(overlay.facets.terms, row);
    const added = docsOf(overlay.facets, row).map((doc) => base.size + doc);
    const before = lists.get(term) ?? new Uint32Array();
    const all = new Uint32Array(before.length + added.length);
    all.set(before);
    all.set(added, before.length);
    lists.set(term, all);
  }
  const size = base.size + overlay.size;
  const values: FacetColumns["values"] = new Map();
  let number = 0;
  for (const [term, docs] of lists) {
    const colon = term.indexOf(":");
    const code = term.slice(0, colon);
    const ofCode = values.get(code) ?? new Map<string, ValueDocs>();
    values.set(code, ofCode);
    ofCode.set(term.slice(colon + 1), { number, docs, bits: bitsOf(docs, size) });
    number += 1;
  }
  return { values, size: lists.size, ...byDocument([...lists.values()], size) };
}

/** The documents of `published` with any of these values. The caller may change the returned set. */
export function docsWithAny(
  { values }: FacetColumns,
  published: Bits,
  code: string,
  wanted: Iterable<string>,
): Bits {
  const any = published.slice().fill(0);
  for (const value of wanted) {
    const withValue = values.get(code)?.get(value);
    if (withValue?.bits !== undefined) addAll(any, withValue.bits);
    else for (const doc of withValue?.docs ?? []) addBit(any, doc);
  }
  keepOnly(any, published);
  return any;
}

/** Lists the values of each document. They are adjacent in memory, so reading them costs one cache miss. */
function byDocument(lists: Uint32Array[], size: number): Pick<FacetColumns, "starts" | "numbers"> {
  const starts = new Uint32Array(size + 1);
  for (const docs of lists) {
    for (let at = 0; at < docs.length; at += 1) starts[docs[at]! + 1]! += 1;
  }
  for (let doc = 0; doc < size; doc += 1) starts[doc + 1]! += starts[doc]!;
  const next = starts.slice();
  const numbers = new Uint32Array(starts[size]!);
  lists.forEach((docs, number) => {
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at]!;
      numbers[next[doc]!] = number;
      next[doc]! += 1;
    }
  });
  return { starts, numbers };
}

/** A list needs less memory and time than a bitset if fewer than one card in 32 has the value. */
function bitsOf(docs: Uint32Array, size: number): Bits | undefined {
  if (docs.length * 32 < size) return undefined;
  const bits = emptyBits(size);
  for (let at = 0; at < docs.length; at += 1) addBit(bits, docs[at]!);
  return bits;
}
