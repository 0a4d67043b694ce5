import * as z from "zod";
import {
  type Document,
  documentState,
  nextDraft,
  newState,
  published,
  unpublished,
} from "#shared/domain/content/document.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type SomeTimes,
  changedActions,
  editedTimes,
  noTimes,
  publicationTimesInput,
  timeProblems,
} from "#shared/domain/base/publication-schedule.ts";
import { covers } from "#shared/domain/staff/covers.ts";
import { previewRoute } from "#functions/preview-route.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import { change, isUnchanged } from "#shared/application/edit.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidFields,
  orNotFound,
} from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import {
  type Reference,
  newReferences,
  requireReferences,
  requireUnused,
} from "#shared/application/references.ts";
import { type Route, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { PublishedVersion, versionPrefix } from "#shared/storage/content/content-edits.ts";
import type { Target } from "#shared/storage/catalog/references.ts";
import type { QueryOptions, Table } from "#shared/storage/table.ts";
import type { Deps } from "./deps.ts";
import {
  type DocumentStorage,
  type Verb,
  saveDocument,
} from "#shared/application/content/save-document.ts";

type Content = Pick<Document, "slug" | "title">;
interface Rows<Row> {
  records: Row[];
  next: Record<string, unknown> | undefined;
}
type PageOfRows = Pick<QueryOptions, "limit" | "after">;

/** The parameters of the routes of one kind of document. */
export interface DocumentKind {
  readonly path: "/admin/pages" | "/admin/interiors";
  readonly prefix: "page" | "story";
  readonly plural: string;
  readonly storage: DocumentStorage;
  /** Response schemas: a whole document, and a row of the list. */
  readonly record: z.ZodObject;
  readonly row: z.ZodType;
  readonly input: z.ZodObject;
  readonly examples: { readonly record: Record<string, unknown>; readonly patch: object };
  /** The index partition that lists the documents, and the partition of one document with its versions. */
  readonly listPartition: string;
  partition(id: string): string;
  find(table: Table, id: string): Promise<Document | undefined>;
  list(table: Table, page: PageOfRows): Promise<Rows<Document>>;
  versions(table: Table, id: string, page: PageOfRows): Promise<Rows<PublishedVersion>>;
  version(
    table: Table,
    id: string,
    version: number,
  ): Promise<(PublishedVersion & { content: Content }) | undefined>;
  /** The response schema of a version. */
  readonly versionRecord: z.ZodObject;
  /** Converts a request body to stored content. Throws AppError `validation_failed`. */
  content(sent: object, now: Date): Content;
  references(content: Content): Reference[];
  /** The ids and slugs, of the draft and of the published copy, by which other records may refer to the document. */
  targets(document: Document): Target[];
}

/** The back office routes of one kind of document. */
export function documentRoutes(kind: DocumentKind): Route<Deps>[] {
  const { path, plural, storage, record } = kind;
  const one = storage.kind;
  const first = ({ params }: { params: { id: string } }, { table }: Deps) =>
    kind.find(table, params.id);
  const answerOf = (data: Document) => ({ data, version: data.version });
  const request = { params: byId, headers: ifMatch };
  const response = { status: 200, data: record };

  /** Applies a change to a document. On conflict, reads the document again and retries. */
  const save = (
    call: Parameters<typeof auditContextOf>[0] & {
      params: { id: string };
      first: Document | undefined;
    },
    { table }: Deps,
    expected: ExpectedVersion,
    { verb, ...edit }: { verb: Verb; change(before: Document): Document },
  ) =>
    change(call.first, () => kind.find(table, call.params.id), expected, {
      ...edit,
      save: (before, after) =>
        saveDocument(storage, verb, { before, after }, { table, audit: auditContextOf(call) }),
    }).then(answerOf);

  const list = route({
    method: "GET",
    path,
    summary: `List ${plural}, including drafts, newest first`,
    description: "With `status`, pages may be shorter than `per_page`.",
    access: staff("content.view"),
    request: { query: CursorPage.extend({ status: documentState.status.optional() }) },
    response: { status: 200, data: z.array(kind.row), meta: CursorMeta },
    async handle({ query }, { table }: Deps) {
      const place = { attribute: "gsi1pk", value: kind.listPartition };
      const after = keyOfCursor(query.cursor, place);
      const { records, next } = await kind.list(table, { limit: query.per_page, after });
      return {
        data: records.filter(({ status }) => status === (query.status ?? status)),
        meta: { per_page: query.per_page, next_cursor: cursorOf(next, place) },
      };
    },
  });

  const untilPublished = "Changes the draft. Publish it to make the change public.";
  const input = kind.input.extend(publicationTimesInput);
  const store: RecordStore<Deps, SomeTimes, Document> = {
    newId: (_input, now) => newId(kind.prefix, now),
    read: (id, { table }) => kind.find(table, id),
    async create(input, { id, audit, permissions, deps: { table }, bind }) {
      const content = kind.content(input, audit.now);
      const times = editedTimes(noTimes, input);
      requireTimes(undefined, times, { permissions, now: audit.now });
      const created = { id, ...content, ...newState(audit.now), ...times };
      const references = await requireReferences(table, kind.references(content));
      const further = [...references, ...(await bind(created))];
      await saveDocument(
        storage,
        "create",
        { before: undefined, after: created },
        { table, audit, further },
      );
      return created;
    },
    async update(before, change, { audit, permissions, deps: { table } }) {
      const content = kind.content({ ...before, ...change }, audit.now);
      const after = nextDraft(before, { ...content, ...editedTimes(before, change) }, audit.now);
      if (isUnchanged(before, after)) return before;
      requireTimes(before, after, { permissions, now: audit.now });
      const added = newReferences(kind.references(before), kind.references(content));
      const references = await requireReferences(table, added);
      await saveDocument(
        storage,
        "update",
        { before, after },
        { table, audit, further: references },
      );
      return after;
    },
    async remove(before, { audit, permissions, deps: { table } }) {
      if (before.published) requirePublisher(permissions);
      const unused = await requireUnused(table, ...kind.targets(before));
      await saveDocument(
        storage,
        "delete",
        { before, after: undefined },
        { table, audit, further: unused },
      );
      await table.clear(kind.partition(before.id));
    },
  };
  const draftRoutes = recordRoutes({
    path,
    one: `a ${one}`,
    permissions: { view: "content.view", edit: "content.edit" },
    record,
    input,
    examples: kind.examples,
    summaries: { get: `Get the draft of a ${one}`, remove: `Delete a ${one} with its versions` },
    descriptions: {
      create: `Creates a draft. Publish it to make it public. ${publisherOnly}`,
      get: "Returns the version that staff edit. The public reads the published copy.",
      replace: `${untilPublished} ${publisherOnly}`,
      change: `${untilPublished} ${publisherOnly}`,
      remove:
        "Deleting a published document also requires the permission `content.publish`. Returns " +
        "409 while another record refers to the document.",
    },
    errors: { create: ["already_exists"], edit: ["already_exists"], remove: ["in_use"] },
    store,
  });

  const publish = route({
    method: "POST",
    path: `${path}/{id}/publish`,
    summary: `Publish a ${one}`,
    description:
      "Makes the draft public and keeps a numbered version of it. If the slug has changed, the " +
      "old one redirects to the new one. Publishing an unchanged draft changes nothing.",
    access: staff("content.publish"),
    request,
    response,
    errors: ["version_mismatch"],
    first,
    async handle(call, deps: Deps) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      const change = (before: Document) => published(before, call.now);
      return save(call, deps, expected, { verb: "publish", change });
    },
  });

  const unpublish = route({
    method: "POST",
    path: `${path}/{id}/unpublish`,
    summary: `Unpublish a ${one}`,
    description: "Removes the published copy, but not the draft and the versions.",
    access: staff("content.publish"),
    request,
    response,
    errors: ["version_mismatch"],
    first,
    handle: (call, deps: Deps) =>
      save(call, deps, call.headers["if-match"], {
        verb: "unpublish",
        change: (before) => unpublished(before, call.now),
      }),
  });

  const versions = route({
    method: "GET",
    path: `${path}/{id}/versions`,
    summary: `List the published versions of a ${one}, newest first`,
    description: "Each publication creates a version. Any version can be restored into the draft.",
    access: staff("content.view"),
    request: { params: byId, query: CursorPage },
    response: { status: 200, data: z.array(PublishedVersion), meta: CursorMeta },
    first,
    async handle({ first, params, query }, { table }: Deps) {
      const { id } = orNotFound(first);
      const place = { attribute: "pk", value: kind.partition(params.id), prefix: versionPrefix };
      const after = keyOfCursor(query.cursor, place);
      const { records, next } = await kind.versions(table, id, { limit: query.per_page, after });
      return {
        data: records,
        meta: { per_page: query.per_page, next_cursor: cursorOf(next, place) },
      };
    },
  });

  const version = route({
    method: "GET",
    path: `${path}/{id}/versions/{version}`,
    summary: `Get a published version of a ${one}`,
    description: "Returns the content as it was published.",
    access: staff("content.view"),
    request: { params: byId.extend({ version: VersionNumber }) },
    response: { status: 200, data: kind.versionRecord },
    first: ({ params: { id, version } }, { table }: Deps) => kind.version(table, id, version),
    async handle({ first }) {
      const data = orNotFound(first);
      return { data, version: data.version };
    },
  });

  const restore = route({
    method: "POST",
    path: `${path}/{id}/versions/{version}/restore`,
    summary: `Copy a version of a ${one} into the draft`,
    description: `${untilPublished} ${publisherOnly}`,
    access: staff("content.edit"),
    request: { ...request, params: byId.extend({ version: VersionNumber }) },
    response,
    errors: ["already_exists", "version_mismatch"],
    first,
    async handle(call, deps: Deps) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      const { id, version } = call.params;
      const { content } = orNotFound(await kind.version(deps.table, id, version));
      const change = (before: Document) => {
        if (before.publish_at !== null) requirePublisher(call.permissions);
        return nextDraft(before, content, call.now);
      };
      return save(call, deps, expected, { verb: "restore", change });
    },
  });

  const preview = previewRoute<Deps, Document>({
    path,
    one: `a ${one}`,
    permission: "content.edit",
    read: (id, { table }) => kind.find(table, id),
    target: ({ id, slug, title }) => ({ kind: one, id, slug, label: title }),
  });

  return [list, ...draftRoutes, preview, publish, unpublish, versions, version, restore];
}

/** Addition to the descriptions of routes that may change what the schedule publishes. */
export const publisherOnly =
  "Also requires `content.publish` to set `publish_at` or `unpublish_at`, and while `publish_at` is set.";

/**
 * Checks the times of an edit. Editing a draft that the schedule will publish requires `content.publish`, because the
 * edit will become public.
 *
 * @throws AppError `forbidden`, `validation_failed`
 */
export function requireTimes(
  before: SomeTimes | undefined,
  after: SomeTimes,
  { permissions, now }: { permissions: readonly string[]; now: Date },
): void {
  const isTimed = typeof before?.publish_at === "string";
  if (isTimed || changedActions(before, after).length > 0) requirePublisher(permissions);
  const problems = timeProblems(before, after, now);
  if (problems.length > 0) throw invalidFields(problems);
}

function requirePublisher(permissions: readonly string[]): void {
  if (covers(permissions, "content.publish")) return;
  throw new AppError("forbidden", { details: { permission: "content.publish" } });
}

/** A version number in a path. */
export const VersionNumber = z.coerce.number().int().min(1).max(1e9);
