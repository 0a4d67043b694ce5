import type { RecordReference } from "#shared/domain/base/references.ts";
import { requireReferences } from "#shared/application/require-references.ts";
import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { storable } from "#shared/application/content/document-input.ts";
import { type DocumentKind, pages, stories } from "#shared/application/content/document-kinds.ts";
import { readDraft } from "#shared/application/content/document-store.ts";
import { saveDocument } from "#shared/application/content/save-document.ts";
import {
  type ContentDocument,
  nextDraft,
  published,
  unpublished,
} from "#shared/domain/content/document.ts";
import { editedTimes, noTimes } from "#shared/domain/base/publication-schedule.ts";
import type { PublicationTimes } from "#shared/domain/base/publication-times.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";
import { PublishedPages, PublishedStories } from "#shared/storage/content/content.ts";
import type { Table } from "#shared/storage/table.ts";
import { importedRows } from "./imported-rows.ts";
import {
  type ImportRecord,
  type Importing,
  type Outcome,
  completed,
  idOf,
  requireNotNewer,
} from "./importing.ts";

/** How to import one kind of document. */
interface ImportedKind {
  readonly kind: DocumentKind;
  readonly row: z.ZodType<ContentDocument & { published_copy: object | null }>;
  findPublished(table: Table, slug: string): Promise<object | undefined>;
  /**
   * Whether a record must exist to which an imported document refers; others may follow in the file. An import contains
   * no picture files, so pictures are not required.
   */
  requires(reference: RecordReference): boolean;
}

type Content = Pick<ContentDocument, "slug" | "title">;

export const importPage: ImportRecord = documentImport({
  kind: pages,
  row: importedRows.content.page,
  findPublished: (table, slug) => table.get(PublishedPages, { slug }),
  // FAQ groups and the pages to which rails link may follow in the file.
  requires: ({ kind }) => kind === "product" || kind === "sofa",
});

export const importStory: ImportRecord = documentImport({
  kind: stories,
  row: importedRows.content.story,
  findPublished: (table, slug) => table.get(PublishedStories, { slug }),
  requires: () => true,
});

function documentImport({ kind, row, findPublished, requires }: ImportedKind): ImportRecord {
  const contentOf = (record: object) => kind.content.parse(record) as Content;

  return async (data, importing) => {
    const { table } = importing;
    const before = (await readDraft(kind, table, idOf(data) ?? "")) as ContentDocument | undefined;
    const { published_copy, ...sent } = parsed(row, completed(data, before, importing));
    if (sent.published && sent.published.version !== sent.version && !published_copy) {
      throw invalidField("published_copy", "The published copy is missing.");
    }
    const draft = contentOf(sent);
    const seen = sent.published ? contentOf(published_copy ?? sent) : null;

    const stored = before?.published
      ? await findPublished(table, before.published.slug)
      : undefined;
    const publishedBefore = stored ? contentOf(stored) : null;
    const times = editedTimes(noTimes, sent);
    if (
      before &&
      isDeepStrictEqual(
        { ...contentOf(before), ...editedTimes(before, {}) },
        { ...draft, ...times },
      ) &&
      isDeepStrictEqual(publishedBefore, seen)
    ) {
      return "unchanged";
    }
    if (before) requireNotNewer(before, sent, importing);
    await requireReferences(table, (kind.drafts.refers?.references(draft) ?? []).filter(requires));
    const safe = storable(kind.content, draft) as Content;
    const safePublished = seen && (storable(kind.content, seen) as Content);
    const isPublishedChanged = !isDeepStrictEqual(publishedBefore, seen);
    return before
      ? change(
          before,
          { ...safe, ...times },
          { content: safePublished, isChanged: isPublishedChanged },
          importing,
        )
      : create(sent, safe, safePublished, importing);
  };

  /** Stores the published copy and then the draft, which may be newer, so that both are as in the exported shop. */
  async function create(
    sent: ContentDocument,
    draft: Content,
    seen: Content | null,
    { table, audit }: Importing,
  ): Promise<Outcome> {
    const whole = { ...sent, ...draft };
    if (sent.published && seen && sent.published.version !== sent.version) {
      const { version } = sent.published;
      const first = { ...sent, ...seen, version, published: { slug: seen.slug, version } };
      await saveDocument(kind, "publish", { before: undefined, after: first }, { table, audit });
      await saveDocument(kind, "update", { before: first, after: whole }, { table, audit });
    } else {
      await saveDocument(
        kind,
        seen ? "publish" : "create",
        { before: undefined, after: whole },
        { table, audit },
      );
    }
    return "created";
  }

  /** Stores the changes step by step, as staff would. */
  async function change(
    before: ContentDocument,
    draft: Content & PublicationTimes,
    {
      content: seen,
      isChanged: isPublishedChanged,
    }: { content: Content | null; isChanged: boolean },
    { table, audit }: Importing,
  ): Promise<Outcome> {
    let document = before;
    const save = async (verb: "update" | "publish" | "unpublish", after: ContentDocument) => {
      await saveDocument(kind, verb, { before: document, after }, { table, audit });
      document = after;
    };
    if (!seen && document.published) await save("unpublish", unpublished(document, audit.now));
    if (seen && isPublishedChanged) {
      await save("publish", published({ ...document, ...seen }, audit.now));
    }
    if (!isDeepStrictEqual({ ...contentOf(document), ...editedTimes(document, {}) }, draft)) {
      await save("update", nextDraft(document, draft, audit.now));
    }
    return "updated";
  }
}
