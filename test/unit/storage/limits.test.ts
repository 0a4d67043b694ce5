import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import {
  type Condition,
  either,
  every,
  expressionScope,
  is,
  isNew,
} from "#shared/storage/conditions.ts";
import { entity } from "#shared/storage/entity.ts";
import { InvalidRequest } from "#shared/storage/limits.ts";
import type { KeyRange, StorageKey } from "#shared/storage/pages.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, check, put, remove, update } from "#shared/storage/writes.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const Crates = entity({
  name: "crate",
  schema: z.object({ id: z.string(), dock: z.string().nullable(), held: z.unknown() }),
  key: ({ id }: { id: string }) => ({ pk: id, sk: id }),
  indexes: {
    gsi1: ({ dock, id }) => (dock === null ? undefined : { pk: dock, sk: id }),
  },
});

let here: TestTable;
beforeAll(async () => {
  here = await startTestTable();
});
afterAll(() => here.stop());

let made = 0;
const aCrate = (overrides: { id?: string; dock?: string; held?: unknown } = {}) =>
  put(Crates, { id: `crate-${(made += 1)}`, dock: null, held: null, ...overrides });
const crates = (count: number) => Array.from({ length: count }, () => aCrate());
const nested = (levels: number): unknown => (levels === 0 ? "end" : [nested(levels - 1)]);
const inDock = { index: "gsi1", partition: "DOCK" } as const;
const long = "é".repeat(513);
const longer = "é".repeat(1_025);
const tooBig = "x".repeat(400 * 1_024);

const update1 = (changes: Parameters<typeof update>[2], condition?: Condition) => (table: Table) =>
  table.write(update(Crates, { id: "one" }, changes, condition));
const write = (of: () => Write) => (table: Table) => table.write(of());
const transact = (of: () => Write[]) => (table: Table) => table.transact(of());
const query = (range: KeyRange, page?: { limit?: number; after?: StorageKey }) => (table: Table) =>
  table.page(Crates, range, page);

type Call = (table: Table) => Promise<unknown>;

const refused: [what: string, rule: string, call: Call][] = [
  ["a get of an empty key", "pk is an empty string", (table) => table.get(Crates, { id: "" })],
  ["a get of a long sort key", "sk is longer", (table) => table.get(Crates, { id: long })],
  [
    "an empty key in a batch of reads",
    "pk is an empty string",
    (table) => table.getMany({ crates: [at(Crates, { id: "one" }), at(Crates, { id: "" })] }),
  ],
  ["a query with an empty partition key", "pk is an empty string", query({ partition: "" })],
  ["a query with a long partition key", "pk is longer", query({ partition: longer })],
  [
    "an index query with an empty partition key",
    "gsi1pk is an empty string",
    query({ ...inDock, partition: "" }),
  ],
  [
    "a query with an empty prefix",
    "sk is an empty string",
    query({ partition: "one", prefix: "" }),
  ],
  [
    "an index query with an empty prefix",
    "gsi1sk is an empty string",
    query({ ...inDock, prefix: "" }),
  ],
  ["a query with a long prefix", "sk is longer", query({ partition: "one", prefix: long })],
  [
    "a range from an empty key",
    "sk is an empty string",
    query({ partition: "a", between: ["", "b"] }),
  ],
  [
    "a range to an empty key",
    "sk is an empty string",
    query({ partition: "a", between: ["b", ""] }),
  ],
  [
    "a range whose end precedes its start",
    "the upper bound",
    query({ partition: "a", between: ["b", "a"] }),
  ],
  ["a page of zero records", "at least one record", query({ partition: "a" }, { limit: 0 })],
  [
    "a page that starts after an empty key",
    "sk is an empty string",
    query({ partition: "a" }, { after: { pk: "a", sk: "" } }),
  ],
  [
    "a read of all items under an empty partition key",
    "pk is an empty string",
    (table) => table.getPartition("", { crates: Crates }),
  ],
  ["a clear of an empty partition key", "pk is an empty string", (table) => table.clear("")],

  ["a put under an empty key", "pk is an empty string", write(() => aCrate({ id: "" }))],
  ["a removal of an empty key", "pk is an empty string", write(() => remove(Crates, { id: "" }))],
  [
    "an item with an empty index key",
    "gsi1pk is an empty string",
    write(() => aCrate({ dock: "" })),
  ],
  ["an item with a long index key", "gsi1pk is longer", write(() => aCrate({ dock: longer }))],
  [
    "an update to an empty index key",
    "gsi1pk is an empty string",
    update1({ set: { gsi1pk: "" } }),
  ],
  [
    "an update of an index key to null",
    "gsi1pk is not a string",
    update1({ set: { gsi1pk: null } }),
  ],
  ["an update of the key", "cannot change the primary key", update1({ set: { pk: "two" } })],
  ["an update without changes", "changes nothing", update1({})],
  ["an update to undefined", "held is set to undefined", update1({ set: { held: undefined } })],
  [
    "an attribute changed twice",
    "same attribute twice",
    update1({ set: { held: 1 }, remove: ["held"] }),
  ],
  [
    "an attribute that is changed together with its member",
    "same attribute twice",
    update1({ set: { held: {}, "held.name": 1 } }),
  ],
  ["an attribute without a name", "has no name", update1({ set: { "held.": 1 } })],
  ["an empty condition", "expression is empty", update1({ set: { held: 1 } }, every())],
  [
    "an expression over 4 KB",
    "longer than 4 KB",
    update1({ remove: Array.from({ length: 1_000 }, (_, number) => `name${number}`) }),
  ],
  [
    "a condition of many operators",
    "more than 300 operators",
    update1({ set: { held: 1 } }, either(...Array.from({ length: 151 }, () => is("a", 1)))),
  ],
  ["an item over 400 KB", "larger than 400 KB", write(() => aCrate({ held: tooBig }))],
  ["an update over 400 KB", "larger than 400 KB", update1({ set: { held: tooBig } })],
  ["NaN", "not finite", write(() => aCrate({ held: { deep: [Number.NaN] } }))],
  ["infinity", "not finite", update1({ add: { held: Number.POSITIVE_INFINITY } })],
  ["a number beyond the safe integers", "safe integers", write(() => aCrate({ held: 2 ** 53 }))],
  ["a number too close to 0", "too close to 0", write(() => aCrate({ held: 1e-131 }))],
  ["a number of 39 digits", "more than 38 digits", write(() => aCrate({ held: 10n ** 38n }))],
  ["an empty set", "an empty set", write(() => aCrate({ held: new Set() }))],
  ["a map with an empty name", "an empty name", write(() => aCrate({ held: { "": 1 } }))],
  [
    "a map with the name __proto__, which the SDK loses",
    "a map with the name __proto__",
    write(() => aCrate({ held: JSON.parse('{"__proto__":1}') as unknown })),
  ],
  [
    "an attribute with the name __proto__, which the SDK loses",
    "an attribute is named __proto__",
    update1({ set: { ["__proto__"]: 1 } }),
  ],
  [
    "an update that sets __proto__ inside a map",
    "an attribute is named __proto__",
    update1({ set: { "held.__proto__": 1 } }),
  ],
  ["a value nested too deeply", "32 levels", write(() => aCrate({ held: nested(32) }))],

  ["a transaction without writes", "1 to 100 writes, not 0", transact(() => [])],
  ["a transaction of 101 writes", "1 to 100 writes, not 101", transact(() => crates(101))],
  [
    "an item that occurs twice in a transaction",
    "same item is written twice",
    transact(() => [aCrate({ id: "twin" }), aCrate({ id: "twin" })]),
  ],
  [
    "a condition check and a write of the same item",
    "same item is written twice",
    transact(() => [check(Crates, { id: "twin" }, isNew), aCrate({ id: "twin" })]),
  ],
  [
    "a transaction over 4 MB",
    "at most 4 MB",
    transact(() => crates(12).map(() => aCrate({ held: "x".repeat(390_000) }))),
  ],
  [
    "an empty key in a transaction",
    "pk is an empty string",
    transact(() => [aCrate(), aCrate({ id: "" })]),
  ],
  [
    "an item that occurs twice in a batch of writes",
    "same item is written twice",
    (table) => table.writeMany([aCrate({ id: "twin" }), aCrate({ id: "twin" })]),
  ],
  [
    "an oversized item in a batch of writes",
    "larger than 400 KB",
    (table) => table.writeMany([aCrate({ held: tooBig })]),
  ],
];

describe("a request that DynamoDB would refuse throws before it is sent:", () => {
  test.each(refused)("%s", async (_what, rule, call) => {
    const { result, calls } = await here.proxy.record(() =>
      call(here.table).catch((error: unknown) => error),
    );
    expect(result).toBeInstanceOf(InvalidRequest);
    expect((result as Error).message).toContain(rule);
    expect(calls).toEqual([]);
  });
});

/** Writes at DynamoDB's exact limits. */
const taken: [what: string, call: Call][] = [
  [
    "keys of 2,048 and 1,024 bytes",
    write(() => aCrate({ id: "k".repeat(1_024), dock: "é".repeat(1_024) })),
  ],
  ["a value with 32 levels", write(() => aCrate({ held: nested(31) }))],
  ["numbers at the ends of the range", write(() => aCrate({ held: [2 ** 53 - 1, 1e-130, -0] }))],
  ["a transaction of 100 writes", transact(() => crates(100))],
  [
    "a condition of 300 operators",
    update1({ set: { held: 1 } }, either(isNew, ...Array.from({ length: 149 }, () => is("a", 1)))),
  ],
  ["an empty string outside a key", write(() => aCrate({ held: { text: "", list: [""] } }))],
  [
    "attribute names that an expression can contain only as placeholders",
    update1({ set: { "été-2026": 1, "a b": 2, select: 3, n0: 4 } }),
  ],
];

test.each(taken)("DynamoDB accepts %s", async (_what, call) => {
  await expect(call(here.table)).resolves.not.toThrow();
});

test("the computed size of an item equals the size that DynamoDB computes", async () => {
  const held = { list: Array.from({ length: 1_000 }, () => true), name: "é" };
  const [id, itself] = ["to-the-byte", ["pk", "sk", "entity", "crate", "id", "dock", "held"]];
  const names = itself.join("").length + 3 * id.length + 1;
  const lists = 3 + (1 + "list".length + 3 + 1_000 * 2) + (1 + "name".length + 2);
  const rest = 400 * 1_024 - names - lists - (1 + "rest".length);
  const crate = (length: number) => aCrate({ id, held: { ...held, rest: "x".repeat(length) } });
  await here.table.write(crate(rest));
  await expect(here.table.write(crate(rest + 1))).rejects.toThrow("larger than 400 KB");
});

test("every accepted item is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (held) => {
      const crate = { id: "anything", dock: null, held };
      try {
        await here.table.write(put(Crates, crate));
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidRequest);
        return;
      }
      expect(await here.table.get(Crates, crate)).toEqual(JSON.parse(JSON.stringify(crate)));
    }),
    { numRuns: 60 },
  );
});

test("no index is read with strong consistency, which DynamoDB refuses", async () => {
  const { calls } = await here.proxy.record(() => here.table.page(Crates, inDock));
  expect(calls.map(({ consistent }) => consistent)).toEqual([false]);
});

test("expressions use placeholders for attribute names, so that no reserved word occurs", () => {
  const anyName = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((name) => !name.includes("."));
  fc.assert(
    fc.property(fc.uniqueArray(anyName, { minLength: 1, maxLength: 40 }), (names) => {
      const scope = expressionScope();
      const expression = scope.update({ remove: names });
      expect(expression).toMatch(/^REMOVE #\w+(?:, #\w+)*$/);
      const known = Object.values(scope.attributes().ExpressionAttributeNames ?? {});
      expect(known.toSorted()).toEqual(names.toSorted());
    }),
  );
});
