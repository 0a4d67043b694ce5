import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import {
  type DocumentCall,
  type DocumentStep,
  type StoredDocumentKind,
  documentStore,
  requirePublisher,
  stepDocument,
} from "#shared/application/content/document-store.ts";
import {
  type Document,
  documentState,
  nextDraft,
  published,
  unpublished,
} from "#shared/domain/content/document.ts";
import { publicationTimesInput } from "#shared/domain/base/publication-schedule.ts";
import { previewRoutes } from "#functions/preview-route.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { type Route, route, staff } from "#shared/http/route.ts";
import { PublishedVersion, versionPrefix } from "#shared/storage/content/content-edits.ts";
import type { StorageKey } from "#shared/storage/pages.ts";
import type { Table } from "#shared/storage/table.ts";

type Content = Pick<Document, "slug" | "title">;
interface Rows<Row> {
  records: Row[];
  next: Record<string, unknown> | undefined;
}
interface PageOfRows {
  readonly limit: number;
  readonly after: StorageKey | undefined;
}

/** The parameters of the routes of one kind of document. */
export interface DocumentKind extends StoredDocumentKind {
  readonly path: "/admin/pages" | "/admin/interiors";
  readonly plural: string;
  /** Response schemas: a whole document, and a row of the list. */
  readonly record: z.ZodObject;
  readonly row: z.ZodType;
  readonly input: z.ZodObject;
  readonly examples: { readonly record: Record<string, unknown>; readonly patch: object };
  /** The index partition that lists the documents. */
  readonly listPartition: string;
  list(table: Table, page: PageOfRows): Promise<Rows<Document>>;
  versions(table: Table, id: string, page: PageOfRows): Promise<Rows<PublishedVersion>>;
  version(
    table: Table,
    id: string,
    version: number,
  ): Promise<(PublishedVersion & { content: Content }) | undefined>;
  /** The response schema of a version. */
  readonly versionRecord: z.ZodObject;
}

/** The back office routes of one kind of document. */
export function documentRoutes(kind: DocumentKind): Route<Shop<"table" | "randomBytes">>[] {
  const { path, plural, storage, record } = kind;
  const one = storage.kind;
  const first = ({ params }: { params: { id: string } }, { table }: Shop<"table">) =>
    kind.find(table, params.id);
  const answerOf = (data: Document) => ({ data, version: data.version });
  const request = { params: byId, headers: ifMatch };
  const response = { status: 200, data: record };

  const step = async (call: DocumentCall, step: DocumentStep, { table }: Shop<"table">) =>
    answerOf(await stepDocument(kind, call, step, table));

  const list = route({
    method: "GET",
    path,
    summary: `List ${plural}, including drafts, newest first`,
    description: "With `status`, pages may be shorter than `per_page`.",
    access: staff("content.view"),
    request: { query: CursorPage.extend({ status: documentState.status.optional() }) },
    response: { status: 200, data: z.array(kind.row), meta: CursorMeta },
    async handle({ query }, { table }: Shop<"table">) {
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
    store: documentStore(kind),
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
    async handle(call, shop: Shop<"table">) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      const change = (before: Document) => published(before, call.now);
      return step(call, { verb: "publish", expected, change }, shop);
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
    handle: (call, shop: Shop<"table">) =>
      step(
        call,
        {
          verb: "unpublish",
          expected: call.headers["if-match"],
          change: (before) => unpublished(before, call.now),
        },
        shop,
      ),
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
    async handle({ first, params, query }, { table }: Shop<"table">) {
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
    first: ({ params: { id, version } }, { table }: Shop<"table">) =>
      kind.version(table, id, version),
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
    async handle(call, shop: Shop<"table">) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      const { id, version } = call.params;
      const { content } = orNotFound(await kind.version(shop.table, id, version));
      const change = (before: Document) => {
        if (before.publish_at !== null) requirePublisher(call.permissions);
        return nextDraft(before, content, call.now);
      };
      return step(call, { verb: "restore", expected, change }, shop);
    },
  });

  const previews = previewRoutes<Shop<"table" | "randomBytes">, Document>({
    path,
    one: `a ${one}`,
    permission: "content.edit",
    read: (id, { table }) => kind.find(table, id),
    named: ({ id, title }) => ({ kind: one, id, label: title }),
    slug: ({ slug }) => slug,
  });

  return [list, ...draftRoutes, ...previews, publish, unpublish, versions, version, restore];
}

/** Addition to the descriptions of routes that may change what the schedule publishes. */
export const publisherOnly =
  "Also requires `content.publish` to set `publish_at` or `unpublish_at`, and while `publish_at` is set.";

/** A version number in a path. */
export const VersionNumber = z.coerce.number().int().min(1).max(1e9);
