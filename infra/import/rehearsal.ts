import type { Condition } from "#shared/storage/conditions.ts";
import type { Key } from "#shared/storage/entity.ts";
import { AnyItem } from "#shared/storage/media.ts";
import { type Table, at } from "#shared/storage/table.ts";
import { Refused, type Write } from "#shared/storage/writes.ts";

type Members = Record<string, unknown>;

const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/**
 * A table that takes writes to heart without storing them: it reads what they would have left, and refuses what the
 * real one would refuse. Queries alone see only what is stored.
 */
export function rehearsalOf(table: Table): Table {
  /** What became of items; null: gone. */
  const changed = new Map<string, Members | null>();

  async function found(key: Key): Promise<Members | undefined> {
    const name = nameOf(key);
    const known = changed.get(name);
    return known === undefined ? await table.get(AnyItem, key) : (known ?? undefined);
  }

  async function transact(writes: readonly Write[]): Promise<void> {
    const before = await Promise.all(writes.map((write) => found(keyOf(write))));
    const failures = writes.flatMap((write, position) =>
      !write.condition || holds(write.condition, before[position])
        ? []
        : [{ write, found: before[position] }],
    );
    if (failures.length > 0) throw new Refused(failures);
    for (const [position, write] of writes.entries()) {
      if (write.kind === "check") continue;
      changed.set(nameOf(keyOf(write)), after(write, before[position]));
    }
  }

  return {
    ...table,
    transact,
    async get(of, id) {
      const item = await found(of.key(id));
      return item && at(of, id).toRecord(item);
    },
    async getMany(groups) {
      const answered = Object.entries(groups).map(async ([group, reads]) => [
        group,
        await Promise.all(
          reads.map(async ({ key, toRecord }) => {
            const item = await found(key);
            return item && toRecord(item);
          }),
        ),
      ]);
      return Object.fromEntries(await Promise.all(answered)) as never;
    },
    async write(write) {
      await transact([write]);
      return changed.get(nameOf(keyOf(write))) ?? undefined;
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
  const found = memberAt(item, path);
  if (operator === "=") return found === value;
  // What is not there differs from everything and is neither more nor less.
  if (operator === "<>") return found !== value;
  if (found === undefined || found === null || value === null) return false;
  if (operator === ">=") return found >= value;
  return operator === ">" ? found > value : found < value;
}

const has = (item: Members | undefined, path: string) => memberAt(item, path) !== undefined;

function memberAt(item: Members | undefined, path: string) {
  let value: unknown = item;
  for (const name of path.split(".")) value = (value as Members | undefined)?.[name];
  return value as string | number | boolean | null | undefined;
}
