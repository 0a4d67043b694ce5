import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { entity, projection } from "#shared/storage/entity.ts";
import { type KeyRange, type PageOptions, endAt, sortKeyAt } from "#shared/storage/pages.ts";
import { at } from "#shared/storage/reads.ts";
import { put } from "#shared/storage/writes.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const Crates = entity({
  name: "crate",
  schema: z.object({ dock: z.string(), id: z.string(), kind: z.string(), filling: z.string() }),
  key: ({ dock, id }: { dock: string; id: string }) => ({ pk: `DOCK#${dock}`, sk: `CRATE#${id}` }),
  indexes: { gsi1: ({ dock, id }) => ({ pk: `YARD#${dock}`, sk: id }) },
});
const Kinds = projection(Crates, ["id", "kind"]);
type Crate = z.output<typeof Crates.schema>;

const numberOf = (id: number) => String(id).padStart(3, "0");
const kinds = ["oak", "teak", "ash", "elm"];
/** A dock of crates whose kinds alternate. */
async function aDock(dock: string, count: number, filling = ""): Promise<Crate[]> {
  const crates = Array.from({ length: count }, (_, number) => ({
    dock,
    id: numberOf(number),
    kind: kinds[number % kinds.length]!,
    filling,
  }));
  // One by one: together, large ones would exceed a request's size.
  await (filling === ""
    ? here.table.writeMany(crates.map((crate) => put(Crates, crate)))
    : Promise.all(crates.map((crate) => here.table.write(put(Crates, crate)))));
  return crates;
}

let here: TestTable;
let hundred: Crate[];
let large: Crate[];
beforeAll(async () => {
  here = await startTestTable();
  hundred = await aDock("hundred", 100);
  // A request returns a few of them.
  large = await aDock("large", 11, "x".repeat(250_000));
});
afterAll(() => here.stop());

const inTable: KeyRange = { partition: "DOCK#hundred", prefix: "CRATE#" };
const inIndex: KeyRange = { index: "gsi1", partition: "YARD#hundred", newestFirst: true };
const heavy: KeyRange = { partition: "DOCK#large" };

/** Reads a page, and the limits of its requests. */
async function pageOf(range: KeyRange, options?: PageOptions<Crate, Crate>) {
  const { result, calls } = await here.proxy.record(() => here.table.page(Crates, range, options));
  return { ...result, ids: result.records.map(({ id }) => id), requests: calls.length };
}

/** Reads all pages one after the other. */
async function everyPage(range: KeyRange, options: PageOptions<Crate, Crate>) {
  const ids: string[][] = [];
  let after: PageOptions<Crate, Crate>["after"];
  do {
    const page = await here.table.page(Crates, range, { ...options, after });
    ids.push(page.records.map(({ id }) => id));
    after = page.next;
  } while (after);
  return ids;
}

const isOak = ({ kind }: { kind: string }) => kind === "oak";
const idsOf = (crates: readonly Crate[]) => crates.map(({ id }) => id);

describe("a page of a range", () => {
  test("holds the whole range without a limit, in one request while it is below 1 MB", async () => {
    expect(await pageOf(inTable)).toMatchObject({
      ids: idsOf(hundred),
      next: undefined,
      read: 100,
      requests: 1,
    });
    expect(await pageOf(heavy)).toMatchObject({ ids: idsOf(large), next: undefined, requests: 3 });
  });

  test("holds as many records as the limit says, with one request", async () => {
    const { ids, next, requests } = await pageOf(inTable, { limit: 7 });
    expect([ids, requests]).toEqual([idsOf(hundred.slice(0, 7)), 1]);
    const second = await pageOf(inTable, { limit: 7, after: next });
    expect(second.ids).toEqual(idsOf(hundred.slice(7, 14)));
    expect((await pageOf(inIndex, { limit: 3 })).ids).toEqual(["099", "098", "097"]);
  });

  test("ends before the limit once a request has returned 1 MB", async () => {
    const pages = await everyPage(heavy, { limit: 9 });
    expect(pages.flat()).toEqual(idsOf(large));
    expect(pages[0]!.length).toBeLessThan(9);
  });

  test.each([
    ["the table", inTable, false],
    ["an index, newest first", inIndex, true],
  ])(
    "goes on behind its last record, even if a request read more: %s",
    async (_, range, reversed) => {
      const oaks = idsOf(hundred.filter(isOak));
      for (const limit of [1, 4, 24, 25]) {
        const pages = await everyPage(range, { limit, matches: isOak, most: 1_000 });
        expect(pages.flat()).toEqual(reversed ? oaks.toReversed() : oaks);
        for (const page of pages.slice(0, -2)) expect(page).toHaveLength(limit);
      }
    },
  );

  test("ends behind its last record in an index for a projection, too", async () => {
    const options = { limit: 3, matches: isOak, most: 100 };
    const first = await here.table.page(Kinds, inIndex, options);
    const second = await here.table.page(Kinds, inIndex, { ...options, after: first.next });
    const ids = [...first.records, ...second.records].map(({ id }) => id);
    expect(ids).toEqual(["096", "092", "088", "084", "080", "076"]);
    expect(first.records[0]).toEqual({ id: "096", kind: "oak" });
  });

  test("reads no more rows than the limit, if the filter leaves records out and nothing else is said", async () => {
    expect(await pageOf(inTable, { limit: 8, matches: isOak })).toMatchObject({
      ids: ["000", "004"],
      read: 8,
      requests: 1,
      next: { pk: "DOCK#hundred", sk: "CRATE#007" },
    });
  });

  test("reads twice as many rows with each request if few match, up to the most rows", async () => {
    const none = { matches: () => false };
    const page = await pageOf(inTable, { limit: 5, most: 60, ...none });
    // 5, 10, 20, and what is left of 60.
    expect(page).toMatchObject({ ids: [], read: 60, requests: 4 });
    expect(page.next).toEqual({ pk: "DOCK#hundred", sk: "CRATE#059" });
    const rest = await pageOf(inTable, { limit: 5, most: 60, after: page.next, ...none });
    expect(rest).toMatchObject({ ids: [], read: 40, next: undefined });
  });

  test("reads on after 1 MB while nothing matches, and ends there once something does", async () => {
    const isLast = ({ id }: Crate) => id === "010";
    const last = await pageOf(heavy, { limit: 9, most: 90, matches: isLast });
    expect(last).toMatchObject({ ids: ["010"], next: undefined });
    expect(last.requests).toBeGreaterThan(1);
    const isFirst = ({ id }: Crate) => id === "000";
    const first = await pageOf(heavy, { limit: 9, most: 90, matches: isFirst });
    expect(first).toMatchObject({ ids: ["000"], requests: 1 });
    expect(first.next).toBeDefined();
  });

  test("without a bound of rows, finds the first matching records in requests of up to 1 MB", async () => {
    const found = await pageOf(inTable, { limit: 3, matches: isOak, most: Infinity });
    expect(found).toMatchObject({ ids: ["000", "004", "008"], requests: 1 });
  });

  test("holds the records that rows stand for, without rows that stand for none", async () => {
    const read = async (rows: { id: string }[]) => {
      const keys = rows.map(({ id }) => at(Crates, { dock: "large", id }));
      const { crates } = await here.table.getMany({ crates: keys });
      return crates.map((crate) => crate && { name: `crate ${crate.id}` });
    };
    const matches = ({ name }: { name: string }) => !name.endsWith("1");
    const range = { partition: "DOCK#hundred", between: ["CRATE#006", "CRATE#020"] } as const;
    const page = await here.table.page(Kinds, range, { limit: 20, read, matches });
    expect(page.records.map(({ name }) => name)).toEqual(
      ["006", "007", "008", "009", "010"].map((id) => `crate ${id}`),
    );
    expect(page).toMatchObject({ read: 15, next: undefined });
  });

  test("can start after a record of which only the keys are known", async () => {
    for (const range of [inIndex, { partition: "DOCK#hundred" }]) {
      const first = await here.table.page(Crates, range, { limit: 2 });
      const sortKey = sortKeyAt(range, first.next!);
      expect(endAt(range, sortKey, Crates.key(first.records[1]!))).toEqual(first.next);
    }
  });
});
