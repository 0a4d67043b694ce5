import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { createOnce, creationHeaders } from "#shared/http/create-once.ts";
import { found } from "#shared/http/edit.ts";
import { AppError, invalidField } from "#shared/http/errors.ts";
import { requireVersion } from "#shared/http/if-match.ts";
import { type CursorMeta, type CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { apiPrefix } from "#shared/http/route.ts";
import { doingOf } from "#shared/http/staff-call.ts";
import { recordActivity } from "#shared/storage/activity.ts";
import { onFresh } from "#shared/storage/on-fresh.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

/** A document that holds entries, which staff change one by one and the public sees as soon as they are saved. */
export interface EntryDocument<Document extends { version: number }> {
  /** Of the list, below the prefix. */
  readonly path: string;
  readonly kind: string;
  readonly empty: Document;
  find(table: Table): Promise<Document | undefined>;
  /** What is stored. Throws AppError `validation_failed`, `payload_too_large`. */
  checked(document: object): Document;
  put(after: Document, before: Document | undefined): Write;
  /** By their names, so that the diff of a change names the entry and not its place. */
  byName(document: Document): object;
}

interface Writing<Document> {
  readonly call: Parameters<typeof doingOf>[0];
  readonly table: Table;
  /** The one that is written about, as the activity log names it. */
  readonly entry: { readonly id: string; readonly label: string };
  /** All but the version. Throws AppError. */
  change(document: Document): object | Promise<object>;
}

/** Throws Refused when the document is not as it was read any more. */
async function write<Document extends { version: number }>(
  of: EntryDocument<Document>,
  before: Document | undefined,
  verb: "create" | "update" | "delete",
  { call, table, entry, change }: Writing<Document>,
  further: readonly { write: Write }[] = [],
): Promise<Document> {
  const was = before ?? of.empty;
  const after = of.checked({ ...(await change(was)), version: was.version + 1 });
  const states = { before: of.byName(was), after: of.byName(after) };
  await table.transact([
    ...further.map(({ write }) => write),
    of.put(after, before),
    recordActivity(doingOf(call), `${of.kind}.${verb}`, { kind: of.kind, ...entry }, states),
  ]);
  return after;
}

/** Saves what a change makes of the document, on a fresh read when somebody else wrote in between. */
export function saveEntry<Document extends { version: number }>(
  of: EntryDocument<Document>,
  verb: "update" | "delete",
  writing: Writing<Document> & {
    readonly call: {
      readonly first: Document | undefined;
      readonly headers: { readonly "if-match"?: number | undefined };
    };
  },
): Promise<Document> {
  const { call, table } = writing;
  return onFresh(
    call.first,
    () => of.find(table),
    async (before) => {
      requireVersion(call.headers["if-match"], before?.version ?? 0);
      return write(of, before, verb, writing);
    },
  );
}

/** Adds an entry, once for each `Idempotency-Key`: the document that holds it, its id, and the answer's headers. */
export async function addEntry<Document extends { version: number }>(
  of: EntryDocument<Document>,
  writing: Writing<Document> & { readonly call: Parameters<typeof createOnce>[1] },
): Promise<{ document: Document; id: string; headers: Record<string, string> }> {
  const { call, table, entry } = writing;
  let written: Document | undefined;
  const made = await createOnce(`POST ${of.path}`, call, table, entry.id, async (further) => {
    written = await write(of, await of.find(table), "create", writing, further);
  });
  const headers = creationHeaders(`${apiPrefix}${of.path}`, made);
  return { document: written ?? found(await of.find(table)), id: made.id, headers };
}

/** One page of entries that are kept together. Throws AppError `validation_failed` on a cursor to nowhere. */
export function entriesPage<Entry extends object>(
  list: string,
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  { per_page, cursor }: z.output<typeof CursorPage>,
): { data: Entry[]; meta: z.output<typeof CursorMeta> } {
  const scope = { attribute: "pk", value: list };
  const after = keyOfCursor(cursor, scope)?.["sk"];
  const start = after === undefined ? 0 : 1 + entries.findIndex((entry) => nameOf(entry) === after);
  if (after !== undefined && start === 0) {
    throw invalidField("cursor", "The cursor field is invalid.");
  }
  const data = entries.slice(start, start + per_page);
  const last = data.at(-1);
  const next = last && start + per_page < entries.length ? { sk: nameOf(last) } : undefined;
  return { data, meta: { per_page, next_cursor: cursorOf(next, scope) } };
}

/**
 * Refuses to replace an entry that is not as it was read; that its neighbours changed does not matter.
 *
 * @throws AppError `version_mismatch`
 */
export function requireUnchanged(read: unknown, now: unknown, version: number): void {
  if (isDeepStrictEqual(read, now)) return;
  throw new AppError("version_mismatch", { details: { current_version: version } });
}
