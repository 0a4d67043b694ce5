import * as z from "zod";
import {
  type Document,
  documentState,
  edited,
  newState,
  published,
  unpublished,
} from "#shared/domain/content/document.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { covers } from "#shared/domain/staff/permission.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import type { EditForm } from "#shared/domain/request/edit-form.ts";
import { change as changeRecord, edit, orNotFound } from "#shared/application/edit.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import {
  type Reference,
  requireReferences,
  requireUnused,
} from "#shared/application/references.ts";
import { type Route, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { PublishedVersion, versionPrefix } from "#shared/storage/content/content-edits.ts";
import type { Target } from "#shared/storage/catalog/references.ts";
import type { QueryOptions, Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { type Shelf, type Verb, saveDocument } from "#shared/application/content/save-document.ts";

type Content = Pick<Document, "slug" | "title">;
interface Rows<Row> {
  records: Row[];
  next: Record<string, unknown> | undefined;
}
type PageOfRows = Pick<QueryOptions, "limit" | "after">;

/** What the routes of one kind of document are parameterized with. */
export interface DocumentKind {
  readonly path: "/admin/pages" | "/admin/interiors";
  readonly prefix: "page" | "story";
  readonly plural: string;
  readonly shelf: Shelf;
  /** Response schemas: a whole document, and a row of the list. */
  readonly record: z.ZodType<Document>;
  readonly row: z.ZodType;
  readonly input: z.ZodType<object>;
  readonly form: Pick<EditForm<z.ZodObject>, "put" | "patch" | "replaced" | "patched">;
  /** Examples of a PUT and a PATCH body. */
  readonly examples: { readonly put: object; readonly patch: object };
  /** The index partition that lists the documents, and the partition of one document with its versions. */
  readonly listPartition: string;
  partition(id: string): string;
  find(table: Table, id: string): Promise<Document | undefined>;
  list(table: Table, page: PageOfRows): Promise<Rows<Document>>;
  versions(table: Table, id: string, page: PageOfRows): Promise<Rows<PublishedVersion>>;
  version(table: Table, id: string, version: number): Promise<{ content: Content } | undefined>;
  /** Converts a request body to stored content. Throws AppError `validation_failed`. */
  content(sent: object, now: Date): Content;
  references(content: Content): Reference[];
  /** The names that others may refer to it by: the draft's and the published copy's. */
  targets(document: Document): Target[];
}

/** The back office routes of one kind of document. */
export function documentRoutes(kind: DocumentKind): Route<Deps>[] {
  const { path, plural, shelf, record } = kind;
  const one = shelf.kind;
  const first = ({ params }: { params: { id: string } }, { table }: Deps) =>
    kind.find(table, params.id);
  const answerOf = (data: Document) => ({ data, version: data.version });
  const request = { params: byId, headers: ifMatch };
  const response = { status: 200, data: record };

  /** Applies a change to a document, and retries on conflict with the document read again. */
  function save(
    call: Parameters<typeof auditContextOf>[0] & {
      params: { id: string };
      first: Document | undefined;
    },
    { table }: Deps,
    verb: Verb,
    expected: number | undefined,
    change: (before: Document, keep: (writes: Write[]) => void) => Document | Promise<Document>,
  ) {
    let further: Write[] = [];
    const keep = (writes: Write[]) => {
      further = writes;
    };
    const readAgain = () => kind.find(table, call.params.id);
    const save = (before: Document, after: Document) =>
      saveDocument(shelf, verb, before, after, table, auditContextOf(call), further);
    return changeRecord(call.first, readAgain, expected, {
      change: (before) => change(before, keep),
      save,
    }).then(answerOf);
  }

  const list = route({
    method: "GET",
    path,
    summary: `List ${plural}, drafts included, newest first`,
    description: "`status` applies to each page, so a page may hold fewer entries than `per_page`.",
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

  const create = route({
    method: "POST",
    path,
    summary: `Add a ${one}`,
    description: "Creates a draft. It is not public until it is published.",
    access: staff("content.edit"),
    request: { body: kind.input },
    response: { status: 201, data: record },
    errors: ["already_exists"],
    idempotent: true,
    async handle(call, { table }: Deps) {
      const content = kind.content(call.body, call.now);
      const id = newId(kind.prefix, call.now);
      const created = { id, ...content, ...newState(call.now) };
      const creation = { route: `POST ${path}`, id, at: (created: string) => `${path}/${created}` };
      return answerOnce(creation, call, table, async (bind) => {
        const answer = answerOf(created);
        const references = await requireReferences(table, kind.references(content));
        const further = [...references, ...bind(answer)];
        await saveDocument(
          shelf,
          "create",
          undefined,
          created,
          table,
          auditContextOf(call),
          further,
        );
        return answer;
      });
    },
  });

  const get = route({
    method: "GET",
    path: `${path}/{id}`,
    summary: `Get the draft of a ${one}`,
    description: "The version that staff edit. The public reads the published copy.",
    access: staff("content.view"),
    request: { params: byId },
    response,
    first,
    handle: async (call) => answerOf(orNotFound(call.first)),
  });

  const untilPublished = "Changes the draft; the published copy changes when it is published.";
  const replace = route({
    method: "PUT",
    path: `${path}/{id}`,
    summary: `Replace a ${one}`,
    description: untilPublished,
    access: staff("content.edit"),
    request: { ...request, body: kind.form.put.meta({ example: kind.examples.put }) },
    response,
    errors: ["already_exists", "version_mismatch"],
    first,
    async handle(call, deps: Deps) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      return save(call, deps, "update", expected, async (before, keep) => {
        const content = kind.content(kind.form.replaced(call.body, before), call.now);
        keep(await requireReferences(deps.table, kind.references(content)));
        return edited(before, content, call.now);
      });
    },
  });

  const change = route({
    method: "PATCH",
    path: `${path}/{id}`,
    summary: `Update a ${one}`,
    description: untilPublished,
    access: staff("content.edit"),
    request: { ...request, body: kind.form.patch.meta({ example: kind.examples.patch }) },
    response,
    errors: ["already_exists", "version_mismatch"],
    first,
    handle: (call, deps: Deps) =>
      save(call, deps, "update", call.headers["if-match"], async (before, keep) => {
        const patch = kind.form.patched(call.body, before);
        const content = kind.content({ ...before, ...patch }, call.now);
        // The target of an unchanged reference may have been deleted.
        const touched = kind
          .references(content)
          .filter(({ path }) => Object.hasOwn(patch, path.split(".")[0] ?? ""));
        keep(await requireReferences(deps.table, touched));
        return edited(before, content, call.now);
      }),
  });

  const remove = route({
    method: "DELETE",
    path: `${path}/{id}`,
    summary: `Delete a ${one} with its versions`,
    description:
      "Deleting a published document also requires the permission `content.publish`. Refused " +
      "while anything refers to it.",
    access: staff("content.edit"),
    request,
    response: { status: 204 },
    errors: ["in_use", "version_mismatch"],
    first,
    async handle(call, { table }: Deps) {
      const { id } = call.params;
      const readAgain = () => kind.find(table, id);
      await edit(call.first, readAgain, call.headers["if-match"], async (before) => {
        if (before.published && !covers(call.permissions, "content.publish")) {
          throw new AppError("forbidden", { details: { permission: "content.publish" } });
        }
        const unused = await requireUnused(table, ...kind.targets(before));
        await saveDocument(shelf, "delete", before, undefined, table, auditContextOf(call), unused);
      });
      await table.clear(kind.partition(id));
    },
  });

  const publish = route({
    method: "POST",
    path: `${path}/{id}/publish`,
    summary: `Publish a ${one}`,
    description:
      "The draft becomes the published copy and a numbered version. A new slug leaves a " +
      "redirect from the old one. Publishing an unchanged draft changes nothing.",
    access: staff("content.publish"),
    request,
    response,
    errors: ["version_mismatch"],
    first,
    async handle(call, deps: Deps) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      return save(call, deps, "publish", expected, (before) => published(before, call.now));
    },
  });

  const unpublish = route({
    method: "POST",
    path: `${path}/{id}/unpublish`,
    summary: `Unpublish a ${one}`,
    description: "Removes the published copy; the draft and the versions stay.",
    access: staff("content.publish"),
    request,
    response,
    errors: ["version_mismatch"],
    first,
    handle: (call, deps: Deps) =>
      save(call, deps, "unpublish", call.headers["if-match"], (before) =>
        unpublished(before, call.now),
      ),
  });

  const versions = route({
    method: "GET",
    path: `${path}/{id}/versions`,
    summary: `List the published versions of a ${one}, newest first`,
    description: "A version is numbered at each publishing, and can be restored into the draft.",
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

  const restore = route({
    method: "POST",
    path: `${path}/{id}/versions/{version}/restore`,
    summary: `Copy a version of a ${one} into the draft`,
    description: untilPublished,
    access: staff("content.edit"),
    request: { ...request, params: byId.extend({ version: VersionNumber }) },
    response,
    errors: ["already_exists", "version_mismatch"],
    first,
    async handle(call, deps: Deps) {
      const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
      const { id, version } = call.params;
      const { content } = orNotFound(await kind.version(deps.table, id, version));
      return save(call, deps, "restore", expected, (before) => edited(before, content, call.now));
    },
  });

  return [list, create, get, replace, change, remove, publish, unpublish, versions, restore];
}

/** A version number in a path. */
export const VersionNumber = z.coerce.number().int().min(1).max(1e9);
