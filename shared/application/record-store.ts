import type * as z from "zod";
import { type AuditedCall, auditContextOf } from "./audit-context.ts";
import { isUnchanged } from "./edit.ts";
import { type CreatingCall, once } from "./once.ts";
import { requirePictures } from "./pictures.ts";
import { referencesIn, requireReferences } from "./require-references.ts";
import { newReferences } from "../domain/base/references.ts";
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

interface WritingCall extends AuditedCall {
  readonly permissions: readonly string[];
}

/** The write that a call of staff makes. */
export const writeBy = <Deps>(call: WritingCall, deps: Deps): RecordWrite<Deps> => ({
  deps,
  audit: auditContextOf(call),
  permissions: call.permissions,
});

interface Creating<Stored, Before, Shown> {
  /** The path of the list, below the API prefix. */
  readonly path: string;
  /** What the store has read before the creation, and how it is read again. */
  readonly known: { readonly first: Before; again(): Promise<Before> };
  /** The response that shows a record. */
  shown(stored: Stored): Promise<Shown>;
}

/**
 * Creates a record of a store once per idempotency key.
 *
 * @returns the response, with the headers of a creation
 * @throws AppError `idempotency_key_reused`, and what the store throws
 */
export async function createRecord<
  Deps extends { readonly table: Table },
  Input,
  Stored,
  Before,
  Shown extends { data: unknown; version: number },
>(
  store: RecordStore<Deps, Input, Stored, Before>,
  call: CreatingCall & WritingCall & { readonly body: Input },
  { path, known, shown }: Creating<Stored, Before, Shown>,
  deps: Deps,
) {
  const { body, now } = call;
  const id = store.newId(body, now);
  const at = (created: string) => `${path}/${created}`;
  const creation = { route: `POST ${path}`, id, at, known, replay: "answer" } as const;
  return once<Shown, Before>(creation, call, deps.table, async (bindTo, before) => {
    let answer: Shown | undefined;
    const bind = async (stored: Stored) => bindTo((answer = await shown(stored)));
    await store.create(body, { ...writeBy(call, deps), id, before, bind });
    if (!answer) throw new TypeError(`${path} creates a record without the writes of \`bind\``);
    return answer;
  });
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
  /**
   * For a record of which there is one: its kind and id in the activity log, and what it is before the first save,
   * when its version is 0.
   */
  readonly single?: { readonly kind: string; readonly unwritten: object };
  labelOf(record: z.output<Schema>): string;
  /**
   * The content to store: what staff wrote, with its HTML sanitized. Default: as it was sent.
   *
   * @throws AppError `validation_failed`, `payload_too_large`
   */
  content?(sent: object): object;
  /**
   * Checks a record before it is stored.
   *
   * @param before undefined for a new record
   * @returns further writes of the same transaction
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
  const { entity, prefix, single } = kind;
  const name = single?.kind ?? entity.name;
  const idOf = ({ id, slug }: Row) => single?.kind ?? id ?? slug ?? "";
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
    const references = after ? await required(before, after, deps) : [];
    const moves = before !== undefined && (!after || keyOf(before) !== keyOf(after));
    const verb = before || single ? (after ? "update" : "delete") : "create";
    const target = { kind: name, id: idOf(row), label: kind.labelOf(row) };
    await deps.table.transact([
      ...references,
      ...(moves ? [remove(entity, before, is("version", before.version))] : []),
      ...(after && (!before || moves) ? [claimed(after)] : []),
      ...(after && before && !moves ? [putRow(after, is("version", before.version))] : []),
      ...(after ? ((await kind.check?.(after, before, deps)) ?? []) : []),
      recordActivity(audit, `${name}.${verb}`, target, { before, after }),
      ...bound,
    ]);
  }
  /** Requires the new references and pictures of a record. Returns writes for the transaction that stores it. */
  async function required(before: Row | undefined, after: Row, { table }: Deps): Promise<Write[]> {
    if (entity.refers) {
      const known = before ? referencesIn(entity, before) : [];
      return requireReferences(table, newReferences(known, referencesIn(entity, after)));
    }
    if (entity.showsPictures) await requirePictures(table, before, after);
    return [];
  }
  /** Stores a row under a new key. Only a slug can already be taken, because ids are unique. */
  const claimed = (row: Row): TransactionWrite => {
    const write = putRow(row, isNew);
    const refused = () =>
      new AppError("already_exists", {
        message: `Another ${name.replaceAll("_", " ")} has this slug.`,
        details: { path: "slug", slug: row.slug },
      });
    return prefix || single ? write : { write, refused };
  };

  return {
    // The kinds in the activity log that are no entities are listed by hand.
    ...(!single && { logs: name }),
    // Without a prefix, the key is the slug, which the input contains.
    newId: (input, now) => (prefix ? newId(prefix, now) : idOf(input as unknown as Row)),
    async read(id, { table }) {
      // The key of these entities is the id or the slug; that of a single record has no member.
      const row = await table.get(entity, (prefix ? { id } : { slug: id }) as Id);
      // Before the first save, a single record has the members that are written out here.
      return row ?? (single && ({ ...single.unwritten, version: 0 } as unknown as Row));
    },
    async create(input, write) {
      // The input and the members that `newRow` adds make a complete row.
      const content = kind.content?.(input) ?? input;
      const created = newRow(content, write.audit.now, prefix && write.id) as unknown as Row;
      await save(undefined, created, write, await write.bind(created));
      return created;
    },
    async update(found, change, write) {
      // Every stored row of this entity has the members of `Row`.
      const before = found as Row;
      const version = before.version + 1;
      const content = kind.content?.({ ...before, ...change }) ?? change;
      const after = { ...before, ...content, version, updated_at: write.audit.now.toISOString() };
      const isStored = before.version > 0;
      if (isStored && isUnchanged(before, after)) return before;
      await save(isStored ? before : undefined, after, write);
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
