import * as z from "zod";
import { type RecordStore, createRecord, writeBy } from "#shared/application/record-store.ts";
import { listRoute } from "#functions/list-route.ts";
import { Slug } from "#shared/domain/base/names.ts";
import {
  type ExpectedVersion,
  type ErrorCode,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import type { Permission } from "#shared/domain/staff/permission.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Route, route, staff } from "#shared/http/route.ts";
import type { Readable } from "#shared/storage/entity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";

type Action = "create" | "get" | "replace" | "change" | "remove";

/** A record as the API returns it. */
type Shown = Readonly<Record<string, unknown>> & { readonly version: number };

/** The path parameter of one record. */
type Named = Readonly<Record<string, string>>;

const paramsOf = { id: byId, slug: z.object({ slug: Slug }) };

/** A list of all records in the order of their keys. */
interface RecordList {
  readonly summary: string;
  readonly description: string;
  readonly entity: Readable;
  /** The partition of the table that holds the records. */
  readonly partition: string;
}

/** What the routes of a record need, whether there is one or there are many. */
interface EditedRecord<Deps, Input extends z.ZodObject, Stored> {
  /** The path of the list. The path of one record ends in `/{id}`, or in `/{slug}`. */
  readonly path: string;
  /** The record's noun with its article, such as "a coupon"; used in summaries. */
  readonly one: string;
  /** The schema of the response. */
  readonly record: z.ZodObject;
  /** The schema of the members that staff write. The bodies of PUT and PATCH are derived from it. */
  readonly input: Input;
  /** Replacements for the default summaries. */
  readonly summaries?: { readonly [Of in Action]?: string };
  /** Converts a stored record to the response. Default: the response is the stored record. */
  shown?(stored: Stored, now: Date): Shown;
  /**
   * Like `shown`, but with members that require further reads. Responses contain these members, too; PUT and PATCH
   * compare the body with `shown` only.
   */
  completed?(stored: Stored, deps: Deps): Promise<Shown>;
}

/** A kind of record that staff edit. */
export interface RecordKind<
  Deps extends { readonly table: Table },
  Input extends z.ZodObject,
  Stored,
  Before,
> extends EditedRecord<Deps, Input, Stored> {
  readonly single?: never;
  readonly name?: "id" | "slug";
  readonly permissions: {
    readonly view: Permission;
    readonly edit: Permission;
    /** Permission for DELETE. Default: the `edit` permission. */
    readonly delete?: Permission;
  };
  readonly examples: { readonly record: z.input<Input>; readonly patch: object };
  readonly descriptions: { readonly [Of in Action]: string };
  /** Error codes besides those that every record's routes have. */
  readonly errors?: {
    readonly create?: readonly ErrorCode[];
    readonly edit?: readonly ErrorCode[];
    readonly remove?: readonly ErrorCode[];
  };
  /** Undefined if a separate route returns the list. */
  readonly list?: RecordList;
  readonly store: RecordStore<Deps, z.output<Input>, Stored, Before>;
}

/** A record of which there is one, such as the menus: it is read and replaced. */
export interface SingleRecord<Deps, Input extends z.ZodObject, Stored> extends EditedRecord<
  Deps,
  Input,
  Stored
> {
  readonly single: true;
  readonly permissions: { readonly view: Permission; readonly edit: Permission };
  readonly examples: { readonly record: z.input<Input> };
  readonly descriptions: { readonly get: string; readonly replace: string };
  /** Its `read` returns the record before the first save, too, with version 0. */
  readonly store: Pick<RecordStore<Deps, z.output<Input>, Stored>, "read" | "update">;
}

/**
 * The routes of a kind of record that staff edit: list, create with `Idempotency-Key` and `Location`, get, and replace,
 * update and delete with `If-Match`. Those of a single record are get and replace.
 */
export function recordRoutes<
  Deps extends { readonly table: Table },
  Input extends z.ZodObject,
  Stored,
  Before = undefined,
>(
  kind: RecordKind<Deps, Input, Stored, Before> | SingleRecord<Deps, Input, Stored>,
): Route<Deps>[] {
  const { path, one, permissions, record, input, summaries = {} } = kind;
  const form = editForm(input, record);
  const name = kind.single ? null : (kind.name ?? "id");
  const params: z.ZodType<Named> = name ? paramsOf[name] : z.object({});
  const address = name ? `${path}/{${name}}` : path;
  const idOf = (call: { params: Named }) => (name && call.params[name]) ?? "";

  const shown = (stored: Stored, now: Date) =>
    // The cast is safe: without `shown`, `Shown` is the type of the stored record.
    kind.shown ? kind.shown(stored, now) : (stored as unknown as Shown);
  async function answerOf(stored: Stored, deps: Deps, now: Date) {
    const data = kind.completed ? await kind.completed(stored, deps) : shown(stored, now);
    return { data, version: data.version };
  }
  const first = (call: { params: Named }, deps: Deps) => kind.store.read(idOf(call), deps);

  /** Runs a write. On conflict it reads the record again and retries. */
  const withRetries = <Result>(
    call: { params: Named; first: Stored | undefined; now: Date },
    deps: Deps,
    expected: ExpectedVersion,
    attempt: (before: Stored) => Promise<Result>,
  ): Promise<Result> =>
    retryOnConflict(
      call.first,
      () => first(call, deps),
      async (read) => {
        const before = orNotFound(read);
        requireVersion(expected, shown(before, call.now).version);
        return attempt(before);
      },
    );

  const get = route({
    method: "GET",
    path: address,
    summary: summaries.get ?? `Get ${one}`,
    description: kind.descriptions.get,
    access: staff(permissions.view),
    request: { params },
    response: { status: 200, data: record },
    first,
    handle: async (call, deps: Deps) => answerOf(orNotFound(call.first), deps, call.now),
  });

  const replace = route({
    method: "PUT",
    path: address,
    summary: summaries.replace ?? `Replace ${one}`,
    description: kind.descriptions.replace,
    access: staff(permissions.edit),
    request: { params, headers: ifMatch, body: form.put.meta({ example: kind.examples.record }) },
    response: { status: 200, data: record },
    errors: [...(kind.single ? [] : (kind.errors?.edit ?? [])), "version_mismatch"],
    first,
    async handle(call, deps: Deps) {
      // Without `If-Match`, a retry must not overwrite a change that was stored since the first read.
      const expected = call.headers["if-match"] ?? shown(orNotFound(call.first), call.now).version;
      const after = await withRetries(call, deps, expected, (before) =>
        kind.store.update(
          before,
          form.replaced(call.body, shown(before, call.now)),
          writeBy(call, deps),
        ),
      );
      return answerOf(after, deps, call.now);
    },
  });

  if (kind.single) return [get, replace];

  const { examples, store, descriptions, errors = {} } = kind;
  // The cast is safe: without `beforeCreation`, the type `Before` is undefined.
  const beforeCreation = async (deps: Deps) => (await store.beforeCreation?.(deps)) as Before;

  const create = route({
    method: "POST",
    path,
    summary: summaries.create ?? `Add ${one}`,
    description: descriptions.create,
    access: staff(permissions.edit),
    request: { body: input.meta({ example: examples.record }) },
    response: { status: 201, data: record },
    ...(errors.create && { errors: errors.create }),
    idempotent: true,
    first: async (_call, deps: Deps) => ({ before: await beforeCreation(deps) }),
    async handle(call, deps: Deps) {
      // The cast is safe: the route has parsed the body with this schema.
      const body = call.body as z.output<Input>;
      const known = { first: call.first.before, again: () => beforeCreation(deps) };
      const shown = (stored: Stored) => answerOf(stored, deps, call.now);
      return createRecord(store, { ...call, body }, { path, known, shown }, deps);
    },
  });

  const change = route({
    method: "PATCH",
    path: address,
    summary: summaries.change ?? `Update ${one}`,
    description: descriptions.change,
    access: staff(permissions.edit),
    request: { params, headers: ifMatch, body: form.patch.meta({ example: examples.patch }) },
    response: { status: 200, data: record },
    errors: [...(errors.edit ?? []), "version_mismatch"],
    first,
    async handle(call, deps: Deps) {
      const after = await withRetries(call, deps, call.headers["if-match"], (before) =>
        store.update(before, form.patched(call.body, shown(before, call.now)), writeBy(call, deps)),
      );
      return answerOf(after, deps, call.now);
    },
  });

  const remove = route({
    method: "DELETE",
    path: address,
    summary: summaries.remove ?? `Delete ${one}`,
    description: descriptions.remove,
    access: staff(kind.permissions.delete ?? permissions.edit),
    request: { params, headers: ifMatch },
    response: { status: 204 },
    errors: [...(errors.remove ?? []), "version_mismatch"],
    first,
    handle: (call, deps: Deps) =>
      withRetries(call, deps, call.headers["if-match"], (before) =>
        store.remove(before, writeBy(call, deps)),
      ),
  });

  const routes = [create, get, replace, change, remove];
  if (kind.list) {
    const { entity, partition, ...texts } = kind.list;
    const range = { partition };
    routes.unshift(
      listRoute({
        path,
        ...texts,
        access: staff(permissions.view),
        row: record,
        list: (_call, { table }: Deps) => ({ range, page: (at) => table.page(entity, range, at) }),
      }),
    );
  }
  const { logs } = store;
  return routes.map((each) => ({ ...each, ...(logs !== undefined && { logs }) }));
}
