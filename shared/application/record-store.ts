import type * as z from "zod";
import { isUnchanged } from "./edit.ts";
import { requirePictures } from "./pictures.ts";
import { newId, type IdPrefix } from "../domain/base/ids.ts";
import { AppError } from "../domain/request/app-error.ts";
import { type Condition, is, isNew } from "../storage/conditions.ts";
import type { Entity } from "../storage/entity.ts";
import { type AuditContext, recordActivity } from "../storage/staff/activity.ts";
import type { Table } from "../storage/table.ts";
import { type TransactionWrite, type Write, put, remove } from "../storage/writes.ts";

/** A write of staff to one record. */
export interface RecordWrite<Deps> {
  readonly deps: Deps;
  readonly audit: AuditContext;
  /** The permissions of the staff user's role. */
  readonly permissions: readonly string[];
}

/** The creation of a record. */
export interface RecordCreation<Deps, Stored, Before = undefined> extends RecordWrite<Deps> {
  /** The id of the new record. */
  readonly id: string;
  /** The result of `beforeCreation`. */
  readonly before: Before;
  /**
   * The writes that bind the caller's `Idempotency-Key` to the new record. They belong to the transaction that creates
   * the record.
   */
  bind(created: Stored): Promise<Write[]>;
}

/**
 * How records of one kind are read and stored. Each write stores its activity record in the same transaction. On a
 * conflict it throws Refused, and the caller repeats it with a fresh read.
 */
export interface RecordStore<Deps, Input, Stored, Before = undefined> {
  /** The kind of its records in the activity log. */
  readonly logs?: string;
  newId(input: Input, now: Date): string;
  /** Must not write: the caller's session may not be verified yet. */
  read(id: string, deps: Deps): Promise<Stored | undefined>;
  /** Reads what `create` receives as `before`. It runs concurrently with the session check. */
  beforeCreation?(deps: Deps): Promise<Before>;
  /** @throws AppError `validation_failed`, `already_exists` */
  create(input: Input, write: RecordCreation<Deps, Stored, Before>): Promise<Stored>;
  /**
   * @param change all members of the input for a PUT, some for a PATCH
   * @returns the changed record; `before` itself if nothing changed
   * @throws AppError `validation_failed`, `already_exists`, `in_use`
   */
  update(before: Stored, change: Partial<Input>, write: RecordWrite<Deps>): Promise<Stored>;
  /** @throws AppError `in_use`, `forbidden` */
  remove(before: Stored, write: RecordWrite<Deps>): Promise<void>;
}

/** The members that `rowStore` adds to every record, besides those that staff write. */
export interface RowState {
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A record that is one row, without copies, counters or claims in other rows. */
export interface RowKind<Schema extends z.ZodObject, Id, Deps> {
  readonly entity: Entity<Schema, Id>;
  /** The prefix of the records' ids; left out if the records' key is their `slug`. */
  readonly prefix?: IdPrefix;
  labelOf(record: z.output<Schema>): string;
  /**
   * Checks a record before it is stored.
   *
   * @param before undefined for a new record
   * @returns further writes of the same transaction, such as those of `requireReferences`
   * @throws AppError `validation_failed`
   */
  check?(
    after: z.output<Schema>,
    before: z.output<Schema> | undefined,
    deps: Deps,
  ): Promise<readonly Write[]>;
}

/**
 * Stores each record as one row of its entity. If the slug changes, the row moves to another key. The change is refused
 * if another record has the new slug.
 */
export function rowStore<
  Input extends object,
  Schema extends z.ZodObject,
  Id,
  Deps extends { readonly table: Table },
>(kind: RowKind<Schema, Id, Deps>): RecordStore<Deps, Input, z.output<Schema>> {
  type Row = z.output<Schema> & RowState & Id & { readonly id?: string; readonly slug?: string };
  const { entity, prefix } = kind;
  const { name } = entity;
  const idOf = ({ id, slug }: Row) => id ?? slug ?? "";
  const keyOf = (row: Row) => JSON.stringify(entity.key(row));
  // TypeScript does not know the input type of a generic schema; a stored row is valid input of its own schema.
  const putRow = (row: Row, condition: Condition) =>
    put(entity, row as z.input<Schema> & Id, condition);

  async function save(
    before: Row | undefined,
    after: Row | undefined,
    { deps, audit }: RecordWrite<Deps>,
    bound: readonly Write[] = [],
  ): Promise<void> {
    const row = after ?? before;
    if (!row) return;
    if (after && entity.showsPictures) await requirePictures(deps.table, before, after);
    const moves = before !== undefined && (!after || keyOf(before) !== keyOf(after));
    const verb = before ? (after ? "update" : "delete") : "create";
    const target = { kind: name, id: idOf(row), label: kind.labelOf(row) };
    await deps.table.transact([
      ...(moves ? [remove(entity, before, is("version", before.version))] : []),
      ...(after && (!before || moves) ? [claimed(after)] : []),
      ...(after && before && !moves ? [putRow(after, is("version", before.version))] : []),
      ...(after ? ((await kind.check?.(after, before, deps)) ?? []) : []),
      recordActivity(audit, `${name}.${verb}`, target, { before, after }),
      ...bound,
    ]);
  }
  /** Stores a row under a new key. Only a slug can already be taken, because ids are unique. */
  const claimed = (row: Row): TransactionWrite => {
    const write = putRow(row, isNew);
    const refused = () =>
      new AppError("already_exists", {
        message: `Another ${name.replaceAll("_", " ")} has this slug.`,
        details: { path: "slug", slug: row.slug },
      });
    return prefix ? write : { write, refused };
  };

  return {
    logs: name,
    // Without a prefix, the key is the slug, which the input contains.
    newId: (input, now) => (prefix ? newId(prefix, now) : idOf(input as unknown as Row)),
    // The key of these entities is either the id or the slug.
    read: (id, { table }) => table.get(entity, (prefix ? { id } : { slug: id }) as Id),
    async create(input, write) {
      // The input and the members that `newRow` adds make a complete row.
      const created = newRow(input, write.audit.now, prefix && write.id) as unknown as Row;
      await save(undefined, created, write, await write.bind(created));
      return created;
    },
    async update(found, change, write) {
      // Every stored row of this entity has the members of `Row`.
      const before = found as Row;
      const version = before.version + 1;
      const after = { ...before, ...change, version, updated_at: write.audit.now.toISOString() };
      if (isUnchanged(before, after)) return before;
      await save(before, after, write);
      return after;
    },
    // `before` is a row of this entity.
    remove: (before, write) => save(before as Row, undefined, write),
  };
}

/** The first version of a record that is one row. */
export const newRow = <Input extends object>(input: Input, now: Date, id?: string) => {
  const at = now.toISOString();
  return { ...(id !== undefined && { id }), ...input, version: 1, created_at: at, updated_at: at };
};
