import type { FaqGroup } from "#shared/domain/content.ts";
import type { Redirect } from "#shared/domain/redirect.ts";
import type { ExportRow } from "#shared/domain/export.ts";
import { type ContentRecord, exportRow } from "#shared/domain/exported-records.ts";
import type { Document } from "#shared/domain/document.ts";
import { HomeDrafts } from "#shared/storage/content-edits.ts";
import {
  LiveAnnouncement,
  LiveHome,
  LiveMenus,
  LivePages,
  LiveSofaLanding,
  LiveStories,
  Pages,
  Stories,
  pageList,
  storyList,
} from "#shared/storage/content.ts";
import { readFaqs } from "#shared/storage/faqs.ts";
import { readRedirects } from "#shared/storage/redirects.ts";
import { type Table, at } from "#shared/storage/table.ts";
import { type ReadPortion, atOnce, byPages, inTurn } from "./portions.ts";

/** A document may be 256 KB. */
const documentsAtOnce = 10;

const row = (record: ContentRecord, data: object) => exportRow("content", record, data);

/** The site's own words, working copies and what the public sees of them; versions of old are left behind. */
export function contentRows(table: Table): ReadPortion {
  const index = { index: "gsi1", limit: documentsAtOnce } as const;
  return inTurn([
    byPages(async (after) => {
      const found = await table.query(Stories, { ...index, partition: storyList, after });
      const { live } = await table.getMany({
        live: liveSlugs(found.records).map((slug) => at(LiveStories, { slug })),
      });
      return { ...found, rows: withLive("story", found.records, live) };
    }),
    byPages(async (after) => {
      const found = await table.query(Pages, { ...index, partition: pageList, after });
      const { live } = await table.getMany({
        live: liveSlugs(found.records).map((slug) => at(LivePages, { slug })),
      });
      return { ...found, rows: withLive("page", found.records, live) };
    }),
    atOnce(() => singles(table)),
  ]);
}

/** Whether the public sees another thing than the working copy. */
const isBehind = ({ live, version }: Document) => live !== null && live.version !== version;

/** An index lags by moments, and its documents are as they were then; a live copy that is not theirs is left out. */
const liveSlugs = (documents: readonly Document[]) =>
  documents.flatMap(({ live }) => live?.slug ?? []);

function withLive(
  record: "page" | "story",
  documents: readonly Document[],
  live: readonly ({ id: string } | undefined)[],
): ExportRow[] {
  const byId = new Map(live.flatMap((copy) => (copy ? [[copy.id, copy] as const] : [])));
  return documents.map((document) =>
    row(record, {
      ...document,
      live_copy: isBehind(document) ? byId.get(document.id) : null,
    }),
  );
}

async function singles(table: Table): Promise<ExportRow[]> {
  const [home, live, faqs, sofa_landing, menus, announcement, redirects] = await Promise.all([
    table.get(HomeDrafts, {}),
    table.get(LiveHome, {}),
    readFaqs(table),
    table.get(LiveSofaLanding, {}),
    table.get(LiveMenus, {}),
    table.get(LiveAnnouncement, {}),
    readRedirects(table),
  ]);
  const isLive = home && live && home.version === home.live_version;
  const found = {
    // What others refer to comes first: a file is read back from its beginning.
    faqs: faqs.version > 0 ? { ...faqs, groups: faqs.groups.map(groupOf) } : undefined,
    home: home && { ...home, live_copy: isLive ? null : live },
    sofa_landing,
    menus,
    announcement,
    redirects:
      redirects.version > 0
        ? { ...redirects, redirects: redirects.redirects.map(redirectOf) }
        : undefined,
  };
  return Object.entries(found).flatMap(([record, data]) =>
    data ? [row(record as ContentRecord, data)] : [],
  );
}

const groupOf = ({ slug, title, items }: FaqGroup): FaqGroup => ({ slug, title, items });
const redirectOf = ({ from, to, status }: Redirect): Redirect => ({ from, to, status });
