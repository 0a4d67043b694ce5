import { pagesOf } from "#shared/search/documents.ts";
import type { IndexDocuments } from "#shared/search/index-format.ts";
import { type PageEntry, pageEntry, storyEntry } from "#shared/domain/listing/page-entry.ts";
import type { PublishedStory } from "#shared/domain/content/interior-story.ts";
import type { PublishedPage } from "#shared/domain/content/page.ts";
import type { IndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";

/** Where the published records are read. */
export interface CatalogDeps {
  readonly published: IndexedCatalog;
}

/** The entries of all published pages and stories. */
export async function allPageEntries({ published }: CatalogDeps): Promise<PageEntry[]> {
  const [pages, stories] = await Promise.all([published.allPages(), published.allStories()]);
  return entriesOf(pages, stories);
}

/** The index entries of all pages and stories, after the pages and stories with these slugs have changed. */
export async function changedPages(
  before: IndexDocuments,
  slugs: { pages: readonly string[]; stories: readonly string[] },
  { published }: CatalogDeps,
): Promise<PageEntry[]> {
  const changed = { page: new Set(slugs.pages), interior: new Set(slugs.stories) };
  const kept = pagesOf(before).filter(({ type, teaser }) => !changed[type].has(teaser.slug));
  const [pages, stories] = await Promise.all([
    published.pages([...changed.page]),
    published.stories([...changed.interior]),
  ]);
  return [...kept, ...entriesOf(pages, stories)];
}

const entriesOf = (
  pages: readonly PublishedPage[],
  stories: readonly PublishedStory[],
): PageEntry[] => [...pages.map(pageEntry), ...stories.map(storyEntry)];
