import type * as z from "zod";
import type { Changes, Condition } from "./conditions.ts";
import { type Entity, type Item, type Key, itemOf, storedCause } from "./entity.ts";

type RecordSchema = z.ZodObject;

/** One write, alone or in a transaction. Created by `put`, `update`, `remove` and `check`. */
export type Write = {
  readonly entity: Entity;
  readonly condition: Condition | undefined;
} & (
  | { readonly kind: "put"; readonly item: Item }
  | { readonly kind: "update"; readonly key: Key; readonly changes: Changes }
  | { readonly kind: "remove" | "check"; readonly key: Key }
);

/** Stores the whole record. Throws ZodError when it does not match its schema. */
export function put<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  record: z.input<Schema> & Id,
  condition?: Condition,
): Write {
  return { kind: "put", entity: of, item: itemOf(of, record), condition };
}

/**
 * Stores a whole record without having read its row. Unlike `put` it keeps members that a later release has added to
 * the row. Only for entities without entries in the indexes.
 */
export function replace<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  record: z.input<Schema> & Id,
  condition?: Condition,
): Write {
  const { pk, sk, ...set } = itemOf(of, record);
  return { kind: "update", entity: of, key: { pk, sk }, changes: { set }, condition };
}

/** Changes single attributes. Without a condition, it creates a missing item. */
export function update<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  id: Id,
  changes: Changes,
  condition?: Condition,
): Write {
  if (changes.set && "ttl" in changes.set && of.ttl === undefined) {
    throw new TypeError(`Updates of ${of.name} set its ttl, which its entity must declare.`);
  }
  const key = of.key(id);
  const set = { ...changes.set, ...storedCause(key) };
  return { kind: "update", entity: of, key, changes: { ...changes, set }, condition };
}

export function remove<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  id: Id,
  condition?: Condition,
): Write {
  return { kind: "remove", entity: of, key: of.key(id), condition };
}

/** Writes nothing; the transaction succeeds only if the condition holds. */
export function check<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  id: Id,
  condition: Condition,
): Write {
  return { kind: "check", entity: of, key: of.key(id), condition };
}

interface Failure {
  readonly write: Write;
  readonly conflictingItem: Record<string, unknown> | undefined;
}

/** A write whose condition failed. Neither it nor its transaction was stored. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** Private, so that a log of the error does not contain the records. */
  readonly #failures: readonly [Failure, ...Failure[]];

  /** @param failures in the order of the writes */
  constructor(failures: readonly [Failure, ...Failure[]]) {
    super(`Refused by: ${failures.map(({ write }) => write.entity.name).join(", ")}`);
    this.#failures = failures;
  }

  get failures(): readonly Failure[] {
    return this.#failures;
  }

  /** The first refused write of the transaction. It determines the error. */
  get first(): Failure {
    return this.#failures[0];
  }
}

/** A write with the error that its transaction throws if it is refused. */
interface Refusable {
  readonly write: Write;
  /** The error for a caller, if this write is the first that was refused. */
  refused(refusal: Refused): Error;
}

/**
 * A write of a transaction. The first refused write decides what the transaction throws: Refused for a plain Write, its
 * own error for a Refusable. Only after Refused is the transaction retried with fresh reads. So plain writes come
 * first.
 */
export type TransactionWrite = Write | Refusable;

export const writeOf = (item: TransactionWrite): Write => ("write" in item ? item.write : item);

/** The error that a transaction of these items throws when some of its writes were refused. */
export function errorOf(items: readonly TransactionWrite[], refusal: Refused): Error {
  const { write } = refusal.first;
  const item = items.find((each) => writeOf(each) === write);
  return item && "write" in item ? item.refused(refusal) : refusal;
}

/** Ignores a refusal: another writer's change stays. @returns whether the write was stored */
export async function unlessRefused(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
