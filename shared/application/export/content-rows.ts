import { membersOf } from "#shared/domain/base/members.ts";
import type { FaqGroup } from "#shared/domain/content/content.ts";
import type { Redirect } from "#shared/domain/content/redirect.ts";
import type { ExportRow } from "#shared/domain/export/export.ts";
import { type ContentRecord, exportRow } from "#shared/domain/export/exported-records.ts";
import type { ContentDocument } from "#shared/domain/content/document.ts";
import { HomeDrafts } from "#shared/storage/content/content-edits.ts";
import {
  PublishedAnnouncement,
  PublishedHome,
  PublishedMenus,
  PublishedPages,
  PublishedSofaLanding,
  PublishedStories,
  Pages,
  Stories,
  pageList,
  storyList,
} from "#shared/storage/content/content.ts";
import { readFaqs } from "#shared/storage/content/faqs.ts";
import { readRedirects } from "#shared/storage/content/redirects.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ReadPortion, inOnePortion, byPages, inSequence } from "./portions.ts";

/** Small batches, because a document may be as large as 256 KB. */
const documentsPerBatch = 10;

const row = (record: ContentRecord, data: object) => exportRow("content", record, data);

/** The site's content: drafts and published copies, without earlier versions. */
export function contentRows(table: Table): ReadPortion {
  const index = "gsi1";
  const limit = documentsPerBatch;
  return inSequence([
    byPages(async (after) => {
      const found = await table.page(Stories, { index, partition: storyList }, { limit, after });
      const { published } = await table.getMany({
        published: publishedSlugs(found.records).map((slug) => at(PublishedStories, { slug })),
      });
      return { ...found, rows: withPublished("story", found.records, published) };
    }),
    byPages(async (after) => {
      const found = await table.page(Pages, { index, partition: pageList }, { limit, after });
      const { published } = await table.getMany({
        published: publishedSlugs(found.records).map((slug) => at(PublishedPages, { slug })),
      });
      return { ...found, rows: withPublished("page", found.records, published) };
    }),
    inOnePortion(() => singles(table)),
  ]);
}

/** Whether the published copy differs from the draft. */
const isBehind = ({ published, version }: ContentDocument) =>
  published !== null && published.version !== version;

/**
 * Returns the slugs of the documents' published copies. The documents come from an eventually consistent index, so a
 * slug may be outdated. `withPublished` drops a copy that does not belong to any of the documents.
 */
const publishedSlugs = (documents: readonly ContentDocument[]) =>
  documents.flatMap(({ published }) => published?.slug ?? []);

function withPublished(
  record: "page" | "story",
  documents: readonly ContentDocument[],
  published: readonly ({ id: string } | undefined)[],
): ExportRow[] {
  const byId = new Map(published.flatMap((copy) => (copy ? [[copy.id, copy] as const] : [])));
  return documents.map((document) =>
    row(record, {
      ...document,
      published_copy: isBehind(document) ? byId.get(document.id) : null,
    }),
  );
}

async function singles(table: Table): Promise<ExportRow[]> {
  const [home, published, faqs, sofa_landing, menus, announcement, redirects] = await Promise.all([
    table.get(HomeDrafts, {}),
    table.get(PublishedHome, {}),
    readFaqs(table),
    table.get(PublishedSofaLanding, {}),
    table.get(PublishedMenus, {}),
    table.get(PublishedAnnouncement, {}),
    readRedirects(table),
  ]);
  const isPublished = home && published && home.version === home.published_version;
  const found = {
    // An import reads the file from its beginning, so each record precedes the records that refer to it.
    faqs: faqs.version > 0 ? { ...faqs, groups: faqs.groups.map(groupOf) } : undefined,
    home: home && { ...home, published_copy: isPublished ? null : published },
    sofa_landing,
    menus,
    announcement,
    redirects:
      redirects.version > 0
        ? { ...redirects, redirects: redirects.redirects.map(redirectOf) }
        : undefined,
  };
  return membersOf(found).flatMap(([record, data]) => (data ? [row(record, data)] : []));
}

const groupOf = ({ slug, title, items }: FaqGroup): FaqGroup => ({ slug, title, items });
const redirectOf = ({ from, to, status }: Redirect): Redirect => ({ from, to, status });
