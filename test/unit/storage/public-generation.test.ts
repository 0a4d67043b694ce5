import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { isNew, present } from "#shared/storage/conditions.ts";
import { entity } from "#shared/storage/entity.ts";
import { PublicGeneration } from "#shared/storage/public-generation.ts";
import { Refused, type Write, check, put, remove, update } from "#shared/storage/writes.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const kind = (name: string, isPublic: boolean) =>
  entity({
    name,
    isPublic,
    schema: z.object({ id: z.string(), text: z.string() }),
    key: ({ id }: { id: string }) => ({ pk: `${name}#${id}`, sk: "RECORD" }),
  });
const Posters = kind("poster", true);
const Notes = kind("note", false);
const record = (id: string) => ({ id, text: "Text" });

let here: TestTable;
beforeAll(async () => {
  here = await startTestTable();
});
afterAll(() => here.stop());

/** The number by which some work raises the generation. */
async function raisedBy(work: () => Promise<unknown>): Promise<number> {
  const generation = async () => (await here.table.get(PublicGeneration, {}))?.generation ?? 0;
  const before = await generation();
  await work();
  return (await generation()) - before;
}
const transact = (...writes: Write[]) => raisedBy(() => here.table.transact(writes));
const write = (one: Write) => raisedBy(() => here.table.write(one));

describe("the public generation", () => {
  test("is incremented once by each transaction that changes public records", async () => {
    const both = [put(Posters, record("a")), put(Posters, record("b")), put(Notes, record("a"))];
    expect(await transact(...both)).toBe(1);
    expect(await transact(update(Posters, { id: "a" }, { set: { text: "New" } }))).toBe(1);
    expect(await transact(remove(Posters, { id: "b" }))).toBe(1);
  });

  test("is incremented by a single write and by a batch of writes to public records", async () => {
    expect(await write(put(Posters, record("c")))).toBe(1);
    expect(await write(update(Posters, { id: "c" }, { set: { text: "New" } }))).toBe(1);
    expect(await write(remove(Posters, { id: "c" }))).toBe(1);
    const many = Array.from({ length: 30 }, (_, count) => put(Posters, record(`m${count}`)));
    expect(await raisedBy(() => here.table.writeMany(many))).toBe(1);
  });

  test("is unchanged if a transaction only checks public records or is refused", async () => {
    await here.table.write(put(Posters, record("d")));
    const exists = check(Posters, { id: "d" }, present("pk"));
    expect(await transact(exists, put(Notes, record("d")))).toBe(0);
    const refused = () => here.table.transact([put(Posters, record("d"), isNew)]);
    expect(await raisedBy(() => expect(refused()).rejects.toThrow(Refused))).toBe(0);
  });

  test("is unchanged if only other records change", async () => {
    expect(await write(put(Notes, record("e")))).toBe(0);
    expect(await transact(put(Notes, record("f")), remove(Notes, { id: "e" }))).toBe(0);
    expect(await raisedBy(() => here.table.writeMany([put(Notes, record("g"))]))).toBe(0);
  });
});
