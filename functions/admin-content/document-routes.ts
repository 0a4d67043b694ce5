import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import type { DocumentKind, Draft } from "#shared/application/content/document-kinds.ts";
import {
  type ContentOf,
  type DocumentCall,
  type DocumentStep,
  documentStore,
  readDraft,
  requirePublisher,
  stepDocument,
} from "#shared/application/content/document-store.ts";
import {
  type ContentDocument,
  documentState,
  unpublished,
} from "#shared/domain/content/document.ts";
import { listRoute } from "#functions/list-route.ts";
import { previewRoutes } from "#functions/preview-route.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { type Route, route, staff } from "#shared/http/route.ts";
import { PublishedVersion, versionPrefix } from "#shared/storage/content/content-edits.ts";
import type { Table } from "#shared/storage/table.ts";

/** The parameters of the routes of one kind of document. */
interface DocumentRoutes {
  readonly path: "/admin/pages" | "/admin/interiors" | "/admin/homepage";
  /** The document's noun with its article, such as "a page". */
  readonly one: string;
  /** The response schemas of a document and of a version. */
  readonly record: z.ZodObject;
  readonly version: z.ZodObject;
  /** The members that staff write, and how they become stored content. */
  readonly input: z.ZodObject;
  readonly contentOf: ContentOf;
  readonly examples: { readonly record: Record<string, unknown>; readonly patch: object };
  /** The list of documents; undefined if there is only one. */
  readonly list?: {
    readonly plural: string;
    readonly row: z.ZodType;
    /** The index partition that lists the documents. */
    readonly partition: string;
  };
}

/** A document in a path: that of a single document has no id. */
type Named = { readonly id?: string };
type NamedVersion = Named & { readonly version: number };

/** The back office routes of one kind of document. */
export function documentRoutes(
  kind: DocumentKind,
  { path, one, record, version: versionRecord, input, contentOf, examples, list }: DocumentRoutes,
): Route<Shop<"table" | "randomBytes">>[] {
  const { single } = kind;
  const address = single ? path : `${path}/{id}`;
  const shape = single ? {} : byId.shape;
  const params: z.ZodType<Named> = z.object(shape);
  const ofVersion: z.ZodType<NamedVersion> = z.object({ ...shape, version: VersionNumber });
  const read = (table: Table, { id = "" }: Named) => readDraft(kind, table, id);
  const first = (call: { params: Named }, { table }: Shop<"table">) => read(table, call.params);
  const answerOf = (data: Draft) => ({ data, version: data.version });
  const response = { status: 200, data: record };

  const step = async (call: DocumentCall, step: DocumentStep, { table }: Shop<"table">) =>
    answerOf(await stepDocument(kind, call, step, table));

  const untilPublished = "Changes the draft; publishing makes it public.";
  const edited = {
    path,
    one,
    permissions: contentPermissions,
    record,
    input,
    examples,
    store: documentStore(kind, contentOf),
    summaries: { get: `Get the draft of ${one}`, remove: `Delete ${one} with its versions` },
    descriptions: {
      create: `Creates a draft. Publish it to make it public. ${publisherOnly}`,
      get: single
        ? "Before the first save it has no sections and `version` 0."
        : "Returns the version that staff edit. The public reads the published copy.",
      replace: `${untilPublished} ${publisherOnly}`,
      change: `${untilPublished} ${publisherOnly}`,
      remove:
        "Deleting a published document also requires the permission `content.publish`. Returns " +
        "409 while another record refers to the document.",
    },
  };
  const draftRoutes = single
    ? recordRoutes({ ...edited, single: true })
    : recordRoutes({
        ...edited,
        errors: { create: ["already_exists"], edit: ["already_exists"], remove: ["in_use"] },
      });

  const publish = route({
    method: "POST",
    path: `${address}/publish`,
    summary: `Publish ${one}`,
    description:
      "Makes the draft public and keeps a numbered version of it. " +
      (single ? "" : "If the slug has changed, the old one redirects to the new one. ") +
      "Publishing an unchanged draft changes nothing.",
    access: staff("content.publish"),
    request: { params, headers: ifMatch },
    response,
    errors: ["version_mismatch"],
    first,
    async handle(call, shop: Shop<"table">) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      const change = (before: Draft) => kind.published(before, call.now);
      return step(call, { verb: "publish", expected, change }, shop);
    },
  });

  const unpublish = route({
    method: "POST",
    path: `${address}/unpublish`,
    summary: `Unpublish ${one}`,
    description: "Removes the published copy, but not the draft and the versions.",
    access: staff("content.publish"),
    request: { params, headers: ifMatch },
    response,
    errors: ["version_mismatch"],
    first,
    handle: (call, shop: Shop<"table">) =>
      step(
        call,
        {
          verb: "unpublish",
          expected: call.headers["if-match"],
          // A single document has no such route.
          change: (before) => unpublished(before as ContentDocument, call.now),
        },
        shop,
      ),
  });

  const versions = listRoute({
    path: `${address}/versions`,
    summary: `List the published versions of ${one}, newest first`,
    description: "Each publication creates a version. Any version can be restored into the draft.",
    access: staff("content.view"),
    params,
    row: PublishedVersion,
    async list({ params }, { table }: Shop<"table">) {
      orNotFound(single?.unwritten ?? (await read(table, params)));
      const partition = kind.partition(params.id ?? "");
      const range = { partition, prefix: versionPrefix, newestFirst: true };
      return { range, page: (at) => table.page(kind.versions, range, at) };
    },
    // Each kind's versions extend this schema.
    shown: (records) => records as PublishedVersion[],
  });

  // Each kind's versions have the content of its drafts.
  const readVersion = (table: Table, { id = "", version }: NamedVersion) =>
    table.get(kind.versions, { id, version }) as Promise<
      (PublishedVersion & { content: object }) | undefined
    >;

  const version = route({
    method: "GET",
    path: `${address}/versions/{version}`,
    summary: `Get a published version of ${one}`,
    description: "Returns the content as it was published.",
    access: staff("content.view"),
    request: { params: ofVersion },
    response: { status: 200, data: versionRecord },
    first: ({ params }, { table }: Shop<"table">) => readVersion(table, params),
    async handle({ first }) {
      const data = orNotFound(first);
      return { data, version: data.version };
    },
  });

  const restore = route({
    method: "POST",
    path: `${address}/versions/{version}/restore`,
    summary: `Copy a version of ${one} into the draft`,
    description: `${untilPublished} ${publisherOnly}`,
    access: staff("content.edit"),
    request: { params: ofVersion, headers: ifMatch },
    response,
    errors: single ? ["version_mismatch"] : ["already_exists", "version_mismatch"],
    first,
    async handle(call, shop: Shop<"table">) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      const { content } = orNotFound(await readVersion(shop.table, call.params));
      const change = (before: Draft) => {
        if (before.publish_at !== null) requirePublisher(call.permissions);
        return kind.next(before, content, call.now);
      };
      return step(call, { verb: "restore", expected, change }, shop);
    },
  });

  const previews = previewRoutes<Shop<"table" | "randomBytes">, Draft>({
    path,
    single: single !== undefined,
    one,
    permission: "content.edit",
    // The link of a single document names only its kind, so the document is not read.
    read: async (id, { table }) => single?.unwritten ?? read(table, { id }),
    named: (draft) => ({ kind: kind.kind, ...kind.namesOf(draft) }),
    slug: (draft) => [...kind.slugsOf(draft)][0] ?? null,
  });

  return [
    ...(list ? [listOf(kind, path, list)] : []),
    ...draftRoutes,
    ...previews,
    publish,
    ...(single ? [] : [unpublish]),
    versions,
    version,
    restore,
  ];
}

const listOf = (
  { drafts }: DocumentKind,
  path: string,
  { plural, row, partition }: NonNullable<DocumentRoutes["list"]>,
) =>
  listRoute({
    path,
    summary: `List ${plural}, including drafts, newest first`,
    description: "With `status`, pages may be shorter than `per_page`.",
    access: staff("content.view"),
    query: CursorPage.extend({ status: documentState.status.optional() }),
    row,
    list(_call, { table }: Shop<"table">) {
      const range = { index: "gsi1", partition, newestFirst: true } as const;
      return { range, page: (at) => table.page(drafts, range, at) };
    },
    shown: (records, { query }) =>
      records.filter(({ status }) => status === (query.status ?? status)),
  });

/** The permissions that the routes of content require. */
export const contentPermissions = { view: "content.view", edit: "content.edit" } as const;

/** Descriptions of the routes of a single record that has no draft. */
export const liveDescriptions = {
  get: "Before the first save, returns what the public sees by default, with `version` 0.",
  replace: "Changes are public within five seconds.",
};

/** The response of a single record. */
export const withVersion = (record: z.ZodObject) =>
  record.extend({ version: z.int().min(0).meta({ description: "0 before the first save" }) });

/** Addition to the descriptions of routes that may change what the schedule publishes. */
const publisherOnly =
  "Also requires `content.publish` while `publish_at` is set, and to set it or `unpublish_at`.";

/** A version number in a path. */
const VersionNumber = z.coerce.number().int().min(1).max(1e9);
