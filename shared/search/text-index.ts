import * as z from "zod";
import { parsedBy } from "#shared/domain/base/parsed-json.ts";
import { countBits, emptyBits } from "./bits.ts";
import { type CatalogIndex, catalogIndex, docsOfKind } from "./catalog-index.ts";
import { byRelevance } from "./catalog-page.ts";
import { type IndexEntry, emptySegment, segmentOf } from "./segment.ts";
import type { Synonyms } from "./synonyms.ts";
import { type MatchLevel, searchText } from "./text-search.ts";

/** A text that is found by the same rules as cards, such as a page or the name of a category. */
export interface IndexedText {
  readonly kind: string;
  readonly name: string;
  readonly subtitle: string;
  readonly body: string;
}

const Row = z.object({
  id: z.string(),
  kind: z.string(),
  slug: z.string(),
  name: z.string(),
  price: z.null(),
});

/** An index of a few texts, made when they are first searched. */
export const textIndexOf = (texts: readonly IndexedText[]): CatalogIndex =>
  catalogIndex(segmentOf(texts.map(entryOf)), emptySegment);

function entryOf({ kind, name, subtitle, body }: IndexedText, position: number): IndexEntry {
  // Texts that match equally keep their order.
  const id = String(position).padStart(6, "0");
  return {
    card: parsedBy(Row, { id, kind, slug: id, name, price: null }),
    facets: {},
    seats: [],
    width_mm: null,
    depth_mm: null,
    height_mm: null,
    in_stock: false,
    sold_out: false,
    published_at: "",
    popularity: -position,
    related_ids: [],
    skus: [],
    looks: [],
    variants: [],
    text: { name, kind: "", noun: "", attributes: "", subtitle, context: "", body },
  };
}

/** The positions of the texts that match, the best first. */
export function foundTexts(
  index: CatalogIndex,
  query: string,
  { kind, synonyms }: { kind?: string | undefined; synonyms: Synonyms },
): { positions: number[]; match: MatchLevel } {
  const within = docsOfKind(index, kind);
  const soldOut = emptyBits(index.size);
  const { docs, levels, match } = searchText(index, query, { within, soldOut, synonyms });
  const total = countBits(docs);
  return { positions: byRelevance(index, levels, docs, { offset: 0, limit: total, total }), match };
}
