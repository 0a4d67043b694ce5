import { type Reference, requireReferences } from "#shared/http/references.ts";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { storable } from "#functions/admin-content/input.ts";
import { pageShelf } from "#functions/admin-content/page-shelf.ts";
import { storyReferencesOf } from "#functions/admin-content/references.ts";
import { type Shelf, saveDocument } from "#functions/admin-content/save-document.ts";
import { storyShelf } from "#functions/admin-content/story-shelf.ts";
import { type Document, edited, published, unpublished } from "#shared/domain/document.ts";
import { exportedRecords } from "#shared/domain/exported-records.ts";
import { StoryContent } from "#shared/domain/interior-story.ts";
import { PageContent } from "#shared/domain/page.ts";
import { invalidField } from "#shared/http/errors.ts";
import { parsed } from "#shared/http/validation.ts";
import { LivePages, LiveStories, Pages, Stories } from "#shared/storage/content.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ImportRecord, type Importing, type Outcome, requireNotNewer } from "./importing.ts";

/** How one kind of document is read and brought in. */
interface Desk {
  readonly shelf: Shelf;
  readonly row: z.ZodType<Document & { live_copy: object | null }>;
  readonly content: z.ZodType<object>;
  find(table: Table, id: string): Promise<Document | undefined>;
  findLive(table: Table, slug: string): Promise<object | undefined>;
  references(content: object): Reference[];
}

type Content = Pick<Document, "slug" | "title">;

export const importPage: ImportRecord = documentImport({
  shelf: pageShelf,
  row: z.strictObject(exportedRecords.content.page.shape),
  content: PageContent,
  find: (table, id) => table.get(Pages, { id }),
  findLive: (table, slug) => table.get(LivePages, { slug }),
  references: () => [],
});

export const importStory: ImportRecord = documentImport({
  shelf: storyShelf,
  row: z.strictObject(exportedRecords.content.story.shape),
  content: StoryContent,
  find: (table, id) => table.get(Stories, { id }),
  findLive: (table, slug) => table.get(LiveStories, { slug }),
  references: (content) => storyReferencesOf(content as StoryContent),
});

function documentImport(desk: Desk): ImportRecord {
  const contentOf = (record: object) => desk.content.parse(record) as Content;

  return async (data, importing) => {
    const { live_copy, ...sent } = parsed(desk.row, data);
    const { table } = importing;
    if (sent.live && sent.live.version !== sent.version && !live_copy) {
      throw invalidField("live_copy", "What the public sees of it is missing.");
    }
    const working = contentOf(sent);
    const seen = sent.live ? contentOf(live_copy ?? sent) : null;

    const before = await desk.find(table, sent.id);
    const stored = before?.live ? await desk.findLive(table, before.live.slug) : undefined;
    const seenBefore = stored ? contentOf(stored) : null;
    if (
      before &&
      isDeepStrictEqual(contentOf(before), working) &&
      isDeepStrictEqual(seenBefore, seen)
    ) {
      return "unchanged";
    }
    if (before) requireNotNewer(before, sent, importing);
    await requireReferences(table, desk.references(working));
    const safe = storable(desk.content, working) as Content;
    const safeSeen = seen && (storable(desk.content, seen) as Content);
    const isSeenAnew = !isDeepStrictEqual(seenBefore, seen);
    return before
      ? change(before, safe, isSeenAnew, safeSeen, importing)
      : create(sent, safe, safeSeen, importing);
  };

  /** As it was in the shop that it comes from: what the public sees first, what staff have written since after it. */
  async function create(
    sent: Document,
    working: Content,
    seen: Content | null,
    { table, doing }: Importing,
  ): Promise<Outcome> {
    const { shelf } = desk;
    const whole = { ...sent, ...working };
    if (sent.live && seen && sent.live.version !== sent.version) {
      const { version } = sent.live;
      const first = { ...sent, ...seen, version, live: { slug: seen.slug, version } };
      await saveDocument(shelf, "publish", undefined, first, table, doing);
      await saveDocument(shelf, "update", first, whole, table, doing);
    } else {
      await saveDocument(shelf, seen ? "publish" : "create", undefined, whole, table, doing);
    }
    return "created";
  }

  /** Step by step, as staff would. */
  async function change(
    before: Document,
    working: Content,
    isSeenAnew: boolean,
    seen: Content | null,
    { table, doing }: Importing,
  ): Promise<Outcome> {
    const { shelf } = desk;
    let document = before;
    const save = async (verb: "update" | "publish" | "unpublish", after: Document) => {
      await saveDocument(shelf, verb, document, after, table, doing);
      document = after;
    };
    if (!seen && document.live) await save("unpublish", unpublished(document, doing.now));
    if (seen && isSeenAnew) {
      await save("publish", published({ ...document, ...seen }, doing.now));
    }
    if (!isDeepStrictEqual(contentOf(document), working)) {
      await save("update", edited(document, working, doing.now));
    }
    return "updated";
  }
}
