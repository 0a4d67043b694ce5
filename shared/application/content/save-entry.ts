import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import type { RecordStore, RecordWrite } from "#shared/application/record-store.ts";
import type { RowMarks } from "#shared/domain/base/versioned-rows.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Write } from "#shared/storage/writes.ts";

/**
 * A kind of entries, such as FAQ groups, that are stored as rows of their own and validated together. They have no
 * drafts: a saved change is public.
 */
export interface EntrySet<Entry extends object, Input> {
  readonly kind: string;
  read(table: Table): Promise<Kept<Entry>>;
  /** The id of an entry in a path. */
  idOf(entry: Entry | Input): string;
  /** The label of an entry in the activity log. */
  labelOf(entry: Entry): string;
  /** Throws AppError `validation_failed`, or `payload_too_large` when the entries are too large to store. */
  check(entries: readonly Entry[]): void;
  /**
   * Returns the writes that replace the stored entries by the new ones, and the entries that are stored afterwards. If
   * nothing changes, there are no writes.
   */
  changes(
    before: Kept<Entry>,
    entries: readonly Entry[],
    now: Date,
  ): { writes: Write[]; after: Kept<Entry> };
  /** Adds an entry. Throws AppError if the set would be invalid with it. */
  added(kept: Kept<Entry>, input: Input, write: EntryWrite): Promise<EntryEdit<Entry>>;
  /** Changes an entry. Throws AppError if the set would be invalid with the changed entry. */
  changed(at: Placed<Entry>, change: Partial<Input>, write: EntryWrite): Promise<EntryEdit<Entry>>;
  /**
   * Checks that no record refers to an entry that is deleted, and returns writes that repeat the check in the
   * transaction. Throws AppError `in_use`.
   */
  removed?(entry: Entry, write: EntryWrite): Promise<readonly Write[]>;
}

type EntryShop = Shop<"table" | "settings", CommerceGroup>;

type EntryWrite = RecordWrite<EntryShop>;

/** All entries of a set in their order, as they were read. */
export interface Kept<Entry> {
  readonly entries: readonly (Entry & RowMarks)[];
  readonly version: number;
}

/** An entry, its index, and the other entries of its set. */
export interface Placed<Entry> {
  readonly entry: Entry & RowMarks;
  readonly others: readonly (Entry & RowMarks)[];
  readonly index: number;
  readonly kept: Kept<Entry>;
}

/** The result of an edit: all entries of the set as they will be stored. */
export interface EntryEdit<Entry> {
  readonly entries: readonly Entry[];
  /** Further writes for the transaction that stores the entries. */
  readonly further?: readonly Write[];
  /** The id of the edited entry. */
  readonly id: string;
}

/** The record store of a set of entries. Each write validates all entries of the set. */
export function entryStore<Entry extends object, Input>(
  of: EntrySet<Entry, Input>,
): RecordStore<Shop<"table" | "settings", CommerceGroup>, Input, Placed<Entry>, Kept<Entry>> {
  function find(kept: Kept<Entry>, id: string): Placed<Entry> | undefined {
    const index = kept.entries.findIndex((entry) => of.idOf(entry) === id);
    const entry = kept.entries[index];
    return entry && { entry, index, kept, others: kept.entries.filter((other) => other !== entry) };
  }
  function placed(kept: Kept<Entry>, id: string): Placed<Entry> {
    const found = find(kept, id);
    if (!found) throw new TypeError(`The set has no ${of.kind} ${id}`);
    return found;
  }

  return {
    newId: (input) => of.idOf(input),
    read: async (id, { table }) => find(await of.read(table), id),
    beforeCreation: ({ table }) => of.read(table),
    async create(input, write) {
      const { before } = write;
      const { entries, id, further = [] } = await of.added(before, input, write);
      of.check(entries);
      const { writes, after } = of.changes(before, entries, write.audit.now);
      const created = placed(after, id);
      await write.deps.table.transact([
        ...(await write.bind(created)),
        ...writes,
        ...further,
        activity(of, write, "create", { entry: created.entry, before, after }),
      ]);
      return created;
    },
    async update(at, change, write) {
      const { entries, id, further = [] } = await of.changed(at, change, write);
      of.check(entries);
      const before = at.kept;
      const { writes, after } = of.changes(before, entries, write.audit.now);
      if (writes.length === 0) return at;
      await write.deps.table.transact([
        ...writes,
        ...further,
        activity(of, write, "update", { entry: at.entry, before, after }),
      ]);
      return placed(after, id);
    },
    async remove({ entry, others, kept: before }, write) {
      const further = (await of.removed?.(entry, write)) ?? [];
      const { writes, after } = of.changes(before, others, write.audit.now);
      await write.deps.table.transact([
        ...writes,
        ...further,
        activity(of, write, "delete", { entry, before, after }),
      ]);
    },
  };
}

/**
 * Returns the activity row of an edit. Its diff names entries by their label, because an entry's index changes when
 * entries move.
 */
function activity<Entry extends object, Input>(
  of: EntrySet<Entry, Input>,
  { audit }: EntryWrite,
  verb: "create" | "update" | "delete",
  { entry, before, after }: { entry: Entry; before: Kept<Entry>; after: Kept<Entry> },
): Write {
  const byLabel = ({ entries }: Kept<Entry>) =>
    Object.fromEntries(
      entries.map(({ version: _version, created_at: _at, ...content }) => [
        // The cast is safe: `labelOf` reads only what staff wrote, not the members that are removed here.
        of.labelOf(content as unknown as Entry),
        content,
      ]),
    );
  const target = { kind: of.kind, id: of.idOf(entry), label: of.labelOf(entry) };
  return recordActivity(audit, `${of.kind}.${verb}`, target, {
    before: byLabel(before),
    after: byLabel(after),
  });
}
