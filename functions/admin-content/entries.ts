import type { RowMarks } from "#shared/domain/base/versioned-rows.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { orNotFound } from "#shared/application/edit.ts";
import { requireVersion } from "#shared/application/edit.ts";
import type { Call } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

/**
 * Entries that are stored as rows of their own and validated together. Changes are public as soon as they are saved.
 */
export interface EntrySet<Entry extends object> {
  /** Path of the list, below the prefix. */
  readonly path: string;
  readonly kind: string;
  readonly read: (table: Table) => Promise<Kept<Entry>>;
  /** The id of an entry in a path. */
  readonly idOf: (entry: Entry) => string;
  /** The label of an entry in the activity log. */
  readonly labelOf: (entry: Entry) => string;
  /** Throws AppError `validation_failed`, or `payload_too_large` when the entries are too large to store. */
  readonly check: (entries: readonly Entry[]) => void;
  /** The writes that turn the stored entries into the new ones. */
  readonly changes: (
    before: Kept<Entry>,
    entries: readonly Entry[],
    now: Date,
  ) => { writes: Write[]; after: Kept<Entry> };
}

/** All entries as read, in order. */
export interface Kept<Entry> {
  readonly entries: readonly (Entry & RowMarks)[];
  readonly version: number;
}

/** One entry, and all entries. */
export interface Placed<Entry> {
  readonly entry: Entry & RowMarks;
  readonly others: readonly (Entry & RowMarks)[];
  readonly index: number;
}

/** Throws AppError `not_found`. */
export function placed<Entry extends object>(
  of: Pick<EntrySet<Entry>, "idOf">,
  { entries }: Kept<Entry>,
  id: string,
): Placed<Entry> {
  const index = entries.findIndex((entry) => of.idOf(entry) === id);
  const entry = orNotFound(entries[index]);
  return { entry, index, others: entries.filter((other) => other !== entry) };
}

type EntryCall = Pick<Call, "actor" | "requestId" | "now">;

/** All entries after an edit, and the edited one. */
export interface Edited<Entry> {
  readonly entries: readonly Entry[];
  readonly id: string;
  /** Further writes of the same transaction. */
  readonly further?: readonly Write[];
}

/**
 * Applies a change to an entry, and retries on conflict with the entries read again.
 *
 * @param expected the version from `If-Match`
 * @returns all entries after it, and the entry's new id
 */
export function saveEntry<Entry extends object>(
  of: EntrySet<Entry>,
  call: EntryCall & { readonly first: Kept<Entry>; readonly params: { readonly id: string } },
  table: Table,
  edit: {
    readonly expected: number | undefined;
    change(at: Placed<Entry>): Edited<Entry> | Promise<Edited<Entry>>;
  },
): Promise<{ kept: Kept<Entry>; id: string }> {
  const readAgain = () => of.read(table);
  return retryOnConflict(call.first, readAgain, async (before) => {
    const at = placed(of, before, call.params.id);
    requireVersion(edit.expected, at.entry.version);
    const { entries, id, further = [] } = await edit.change(at);
    of.check(entries);
    const { writes, after } = of.changes(before, entries, call.now);
    if (writes.length === 0) return { kept: before, id };
    await table.transact([
      ...writes,
      ...further,
      activity(of, call, "update", at.entry, { before, after }),
    ]);
    return { kept: after, id };
  });
}

/** Deletes an entry, and retries on conflict with the entries read again. */
export function deleteEntry<Entry extends object>(
  of: EntrySet<Entry>,
  call: EntryCall & { readonly first: Kept<Entry>; readonly params: { readonly id: string } },
  table: Table,
  {
    expected,
    guard,
  }: {
    expected: number | undefined;
    /** Further writes that guard references to the entry. Throws AppError `in_use`. */
    guard?(entry: Entry): Promise<readonly Write[]>;
  },
): Promise<void> {
  const readAgain = () => of.read(table);
  return retryOnConflict(call.first, readAgain, async (before) => {
    const { entry, others } = placed(of, before, call.params.id);
    requireVersion(expected, entry.version);
    const further = (await guard?.(entry)) ?? [];
    const { writes, after } = of.changes(before, others, call.now);
    const states = { before, after };
    await table.transact([...writes, ...further, activity(of, call, "delete", entry, states)]);
  });
}

/**
 * Adds an entry, once for each `Idempotency-Key`.
 *
 * @param adding.change returns all entries with the new one. Throws AppError
 * @param adding.answerOf returns the response for the entry
 */
export function addEntry<Entry extends object, Data>(
  of: EntrySet<Entry>,
  call: EntryCall & Parameters<typeof answerOnce>[1],
  table: Table,
  adding: {
    readonly id: string;
    change(before: Kept<Entry>): readonly Entry[] | Promise<readonly Entry[]>;
    /** Further writes of the same transaction. Throws AppError. */
    further?(): Promise<readonly Write[]>;
    readonly answerOf: (at: Placed<Entry>) => { data: Data; version: number };
  },
): ReturnType<typeof answerOnce<Data>> {
  const { id } = adding;
  const creation = {
    route: `POST ${of.path}`,
    id,
    at: (created: string) => `${of.path}/${created}`,
  };
  return answerOnce(creation, call, table, async (bind) => {
    const before = await of.read(table);
    const entries = await adding.change(before);
    of.check(entries);
    const further = (await adding.further?.()) ?? [];
    const { writes, after } = of.changes(before, entries, call.now);
    const at = placed(of, after, id);
    const answer = adding.answerOf(at);
    await table.transact([
      ...bind(answer),
      ...writes,
      ...further,
      activity(of, call, "create", at.entry, { before, after }),
    ]);
    return answer;
  });
}

/** The diff identifies entries by label, not by index. */
function activity<Entry extends object>(
  of: EntrySet<Entry>,
  call: EntryCall,
  verb: "create" | "update" | "delete",
  entry: Entry,
  { before, after }: { before: Kept<Entry>; after: Kept<Entry> },
): Write {
  const byLabel = ({ entries }: Kept<Entry>) =>
    Object.fromEntries(
      entries.map(({ version: _version, created_at: _at, ...content }) => [
        of.labelOf(content as unknown as Entry),
        content,
      ]),
    );
  const target = { kind: of.kind, id: of.idOf(entry), label: of.labelOf(entry) };
  return recordActivity(auditContextOf(call), `${of.kind}.${verb}`, target, {
    before: byLabel(before),
    after: byLabel(after),
  });
}
