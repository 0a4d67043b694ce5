import type { PageEntry, PageType } from "#shared/domain/listing/page-entry.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import type { Synonyms } from "./synonyms.ts";
import { foundTexts, textIndexOf } from "./text-index.ts";
import type { MatchLevel } from "./text-search.ts";

export interface FoundPages {
  /** All pages that match, the best first. */
  pages: PageEntry[];
  match: MatchLevel;
}

const indexes = new WeakMap<readonly PageEntry[], CatalogIndex>();

/** Searches pages and interior stories. */
export function searchPages(
  entries: readonly PageEntry[],
  query: string,
  { type, synonyms }: { type: PageType | undefined; synonyms: Synonyms },
): FoundPages {
  let index = indexes.get(entries);
  if (index === undefined) {
    index = textIndexOf(
      entries.map(({ type: kind, teaser: { title, excerpt }, text }) => ({
        kind,
        name: title,
        subtitle: excerpt ?? "",
        body: text,
      })),
    );
    indexes.set(entries, index);
  }
  const { positions, match } = foundTexts(index, query, { kind: type, synonyms });
  return { pages: positions.map((position) => entries[position]!), match };
}
