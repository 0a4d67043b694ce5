import { FacetCode, type Facet, type FacetLabel } from "#shared/domain/catalog/card.ts";
import { ColorGroup, colorGroupHex } from "#shared/domain/catalog/material.ts";
import { inWords } from "#shared/domain/base/names.ts";
import { countBits, popCount, eachBit, hasBit, type Bits } from "./bits.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import type { FacetColumns, ValueDocs } from "./facet-columns.ts";

const noValues: ReadonlyMap<string, ValueDocs> = new Map();
const noWords = new Uint32Array();

const titles: Record<FacetCode, string> = {
  category: "Category",
  collection: "Collection",
  room: "Room",
  style: "Style",
  material: "Material",
  color: "Colour",
  tag: "Tag",
  seats: "Seats",
};

/** The facets of a kind, in display order. */
export function facetCodes(kind: string | undefined): readonly FacetCode[] {
  return kind === "product"
    ? FacetCode.options.filter((code) => code !== "seats")
    : FacetCode.options;
}

type Counts = ReadonlyMap<string, number>;

/**
 * A facet's values with their counts, the most frequent first. Selected values are listed even with a count of 0, so
 * that they can be deselected.
 */
export function facetOf(
  index: CatalogIndex,
  code: FacetCode,
  counts: Counts,
  chosen: readonly string[],
): Facet {
  const listed = new Map([...chosen.map((value): [string, number] => [value, 0]), ...counts]);
  const values = Array.from(listed, ([value, count]) => {
    const { label, swatch = code === "color" ? shadeOf(value) : undefined } = labelOf(
      index.labels[code] ?? {},
      value,
    );
    return { value, label, count, ...(swatch && { swatch }) };
  });
  values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { code, label: titles[code], values };
}

/** How many of these documents have each value of these facets. Values with a count of 0 are left out. */
export function valueCounts(
  index: CatalogIndex,
  docs: Bits,
  codes: readonly FacetCode[],
): ReadonlyMap<FacetCode, Counts> {
  const whole = index.wholes.find((one) => one.docs === docs);
  if (whole === undefined) return counted(index, docs, codes);
  const missing = codes.filter((code) => !whole.counts.has(code));
  for (const [code, counts] of counted(index, docs, missing)) whole.counts.set(code, counts);
  return new Map(codes.map((code) => [code, whole.counts.get(code) ?? new Map()]));
}

/**
 * Counts in the cheaper way. The cost of counting card by card grows with `docs`; the cost of counting value by value
 * grows with the whole catalog.
 */
function counted(
  { facets, size }: CatalogIndex,
  docs: Bits,
  codes: readonly FacetCode[],
): Map<FacetCode, Counts> {
  const ofFacets = codes.map((code) => [code, facets.values.get(code) ?? noValues] as const);
  let steps = 0;
  for (const [, values] of ofFacets) {
    for (const value of values.values()) steps += value.bits?.length ?? value.docs.length;
  }
  const perCard = facets.numbers.length / Math.max(1, size);
  const byCard = countBits(docs) * perCard < steps ? countByCard(facets, docs) : undefined;
  const occupied = byCard === undefined ? occupiedWords(docs) : noWords;
  const counts = new Map<FacetCode, Counts>();
  for (const [code, values] of ofFacets) {
    const ofFacet = new Map<string, number>();
    for (const [name, value] of values) {
      const count = byCard?.[value.number] ?? countCommon(value, docs, occupied);
      if (count > 0) ofFacet.set(name, count);
    }
    counts.set(code, ofFacet);
  }
  return counts;
}

function countByCard({ starts, numbers, size }: FacetColumns, docs: Bits): Uint32Array {
  const counts = new Uint32Array(size);
  eachBit(docs, (doc) => {
    const end = starts[doc + 1]!;
    for (let at = starts[doc]!; at < end; at += 1) counts[numbers[at]!]! += 1;
  });
  return counts;
}

function countCommon({ docs: list, bits }: ValueDocs, docs: Bits, occupied: Uint32Array): number {
  let count = 0;
  if (bits === undefined) {
    for (let at = 0; at < list.length; at += 1) if (hasBit(docs, list[at]!)) count += 1;
    return count;
  }
  for (let at = 0; at < occupied.length; at += 1) {
    const word = occupied[at]!;
    count += popCount(bits[word]! & docs[word]!);
  }
  return count;
}

function occupiedWords(docs: Bits): Uint32Array {
  const words = new Uint32Array(docs.length);
  let size = 0;
  for (let word = 0; word < docs.length; word += 1) {
    if (docs[word] !== 0) {
      words[size] = word;
      size += 1;
    }
  }
  return words.subarray(0, size);
}

/** Values also come from queries, so one may equal an inherited member's name, such as `constructor`. */
function labelOf(labels: Record<string, FacetLabel>, value: string): FacetLabel {
  const known = Object.hasOwn(labels, value) ? labels[value] : undefined;
  return known ?? { label: inWords(value) };
}

function shadeOf(value: string): FacetLabel["swatch"] {
  const group = ColorGroup.options.find((known) => known === value);
  return group && { hex: colorGroupHex[group], image: null };
}
