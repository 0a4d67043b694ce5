import type { Condition } from "#shared/storage/conditions.ts";
import type { Key } from "#shared/storage/entity.ts";
import { checkTransaction } from "#shared/storage/limits.ts";
import { AnyItem } from "#shared/storage/upload/media.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import {
  Refused,
  type TransactionWrite,
  type Write,
  errorOf,
  writeOf,
} from "#shared/storage/writes.ts";

type Members = Record<string, unknown>;

const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/**
 * Returns a table that accepts writes but does not store them. A read of an item returns it as earlier writes would
 * have left it, and conditions are checked as in the real table. Queries ignore these writes: they return only stored
 * items.
 */
export function rehearsalOf(table: Table): Table {
  /** Items as read, or as writes would have left them; null: deleted or missing. */
  const known = new Map<string, Members | null>();

  async function read(keys: readonly Key[]): Promise<(Members | undefined)[]> {
    const unread = keys.filter((key) => !known.has(nameOf(key)));
    if (unread.length > 0) {
      const { items } = await table.getMany({ items: unread.map((key) => at(AnyItem, key)) });
      for (const [position, key] of unread.entries()) {
        known.set(nameOf(key), items[position] ?? null);
      }
    }
    return keys.map((key) => known.get(nameOf(key)) ?? undefined);
  }

  async function transact(items: readonly TransactionWrite[]): Promise<void> {
    const writes = items.map(writeOf);
    checkTransaction(writes);
    const before = await read(writes.map(keyOf));
    const failures = writes.flatMap((write, position) =>
      !write.condition || holds(write.condition, before[position])
        ? []
        : [{ write, conflictingItem: before[position] }],
    );
    const [first, ...others] = failures;
    if (first) throw errorOf(items, new Refused([first, ...others]));
    for (const [position, write] of writes.entries()) {
      if (write.kind === "check") continue;
      known.set(nameOf(keyOf(write)), after(write, before[position]));
    }
  }

  return {
    ...table,
    transact,
    async get(of, id) {
      const [item] = await read([of.key(id)]);
      return item && at(of, id).toRecord(item);
    },
    async getMany(groups) {
      await read(Object.values(groups).flatMap((reads) => reads.map(({ key }) => key)));
      const answers = Object.entries(groups).map(([group, reads]) => [
        group,
        reads.map(({ key, toRecord }) => {
          const item = known.get(nameOf(key));
          return item ? toRecord(item) : undefined;
        }),
      ]);
      return Object.fromEntries(answers) as never;
    },
    async write(write) {
      await transact([write]);
      return known.get(nameOf(keyOf(writeOf(write)))) ?? undefined;
    },
    clear: async () => undefined,
  };
}

const keyOf = (write: Write): Key =>
  write.kind === "put" ? { pk: write.item.pk, sk: write.item.sk } : write.key;

function after(write: Exclude<Write, { kind: "check" }>, before: Members = {}): Members | null {
  if (write.kind === "remove") return null;
  if (write.kind === "put") return write.item;
  if (write.kind !== "update") return before;
  const item = { ...before };
  const { set = {}, add = {}, remove = [] } = write.changes;
  Object.assign(item, set);
  for (const [name, by] of Object.entries(add)) item[name] = Number(item[name] ?? 0) + by;
  for (const name of remove) delete item[name];
  return item;
}

function holds(condition: Condition, item: Members | undefined): boolean {
  switch (condition.kind) {
    case "and":
      return condition.parts.every((part) => holds(part, item));
    case "or":
      return condition.parts.some((part) => holds(part, item));
    case "present":
    case "absent": {
      const isThere = condition.path === "pk" ? item !== undefined : has(item, condition.path);
      return isThere === (condition.kind === "present");
    }
    case "compare":
      return compares(condition, item);
  }
}

function compares(
  { path, operator, value }: Extract<Condition, { kind: "compare" }>,
  item: Members | undefined,
): boolean {
  const actual = memberAt(item, path);
  if (operator === "=") return actual === value;
  // A missing value differs from every value, and is neither greater nor less than it.
  if (operator === "<>") return actual !== value;
  if (actual === undefined || actual === null || value === null) return false;
  if (operator === ">=") return actual >= value;
  return operator === ">" ? actual > value : actual < value;
}

const has = (item: Members | undefined, path: string) => memberAt(item, path) !== undefined;

function memberAt(item: Members | undefined, path: string) {
  let value: unknown = item;
  for (const name of path.split(".")) value = (value as Members | undefined)?.[name];
  return value as string | number | boolean | null | undefined;
}
