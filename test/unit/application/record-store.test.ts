import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { type RecordWrite, rowStore } from "#shared/application/record-store.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { isNew } from "#shared/storage/conditions.ts";
import { entity } from "#shared/storage/entity.ts";
import { openActivityLog } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused, check } from "#shared/storage/writes.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const state = { version: z.int(), created_at: z.string(), updated_at: z.string() };
const Rooms = entity({
  name: "room",
  schema: z.object({ slug: z.string(), name: z.string(), ...state }),
  key: ({ slug }: { slug: string }) => ({ pk: "ROOMS", sk: slug }),
});
const Notes = entity({
  name: "room_note",
  schema: z.object({ id: z.string(), text: z.string(), ...state }),
  key: ({ id }: { id: string }) => ({ pk: "NOTES", sk: id }),
});

let fixture: TestTable;
let write: RecordWrite<{ table: Table }>;
beforeAll(async () => {
  fixture = await startTestTable();
  const audit = { actor: { id: newId("stf", noon) }, requestId: "request", now: noon };
  write = { deps: { table: fixture.table }, audit, permissions: [] };
});
afterAll(() => fixture.stop());

const rooms = rowStore<
  { slug: string; name: string },
  typeof Rooms.schema,
  { slug: string },
  { table: Table }
>({
  entity: Rooms,
  labelOf: ({ name }) => name,
});
const create = (slug: string) =>
  rooms.create(
    { slug, name: "Studio" },
    { ...write, id: slug, before: undefined, bind: async () => [] },
  );
const actionsOn = async (id: string) => {
  const scope = { target: { kind: "room", id } };
  const { records } = await openActivityLog(fixture.table).list(scope, { limit: 9 });
  return records.map(({ action }) => action).toSorted();
};

test("a record with its slug as key is stored, read, changed and deleted, and each write is logged", async () => {
  const created = await create("one");
  expect(created).toMatchObject({ slug: "one", version: 1, created_at: noon.toISOString() });
  expect(await rooms.read("one", write.deps)).toEqual(created);
  const changed = await rooms.update(created, { name: "Gallery" }, write);
  expect(changed).toEqual({ ...created, name: "Gallery", version: 2 });
  expect(await rooms.update(changed, { name: "Gallery" }, write)).toBe(changed);
  await rooms.remove(changed, write);
  expect(await rooms.read("one", write.deps)).toBeUndefined();
  expect(await actionsOn("one")).toEqual(["room.create", "room.delete", "room.update"]);
});

test("a new slug moves the record to another key, and the slug of another record is refused", async () => {
  const [one, other] = [await create("two"), await create("three")];
  const taken = { code: "already_exists" };
  await expect(create("three")).rejects.toMatchObject(taken);
  await expect(rooms.update(one, { slug: "three" }, write)).rejects.toMatchObject(taken);
  expect(await rooms.read("three", write.deps)).toEqual(other);
  const moved = await rooms.update(one, { slug: "four" }, write);
  expect(await rooms.read("four", write.deps)).toEqual(moved);
  expect(await rooms.read("two", write.deps)).toBeUndefined();
});

test("changing, moving or deleting a record with an outdated version is refused as a conflict", async () => {
  const outdated = await create("five");
  await rooms.update(outdated, { name: "Gallery" }, write);
  await expect(rooms.update(outdated, { name: "Shop" }, write)).rejects.toThrow(Refused);
  await expect(rooms.update(outdated, { slug: "six" }, write)).rejects.toThrow(Refused);
  await expect(rooms.remove(outdated, write)).rejects.toThrow(Refused);
});

test("the writes that a record's check returns are part of the transaction that stores the record", async () => {
  const notes = rowStore<{ text: string }, typeof Notes.schema, { id: string }, { table: Table }>({
    entity: Notes,
    prefix: "note",
    labelOf: ({ text }) => text,
    check: async ({ text }) => [check(Rooms, { slug: text }, isNew)],
  });
  const add = (text: string) => {
    const id = notes.newId({ text }, noon);
    return notes.create({ text }, { ...write, id, before: undefined, bind: async () => [] });
  };
  expect(await add("free")).toMatchObject({ text: "free", version: 1 });
  await create("used");
  await expect(add("used")).rejects.toThrow(Refused);
});

test("a single record has version 0 before the first save, which is logged as a change and refused if another was faster", async () => {
  const Signs = entity({
    name: "sign",
    schema: z.object({ text: z.string(), version: z.int() }),
    key: () => ({ pk: "SIGN", sk: "SIGN" }),
  });
  const sign = rowStore<{ text: string }, typeof Signs.schema, unknown, { table: Table }>({
    entity: Signs,
    single: { kind: "door_sign", unwritten: { text: "" } },
    labelOf: () => "Door sign",
    content: ({ text }: { text: string }) => ({ text: text.trim() }),
  });
  const unwritten = await sign.read("", write.deps);
  if (!unwritten) throw new TypeError("A single record can always be read");
  expect(unwritten).toEqual({ text: "", version: 0 });
  const saved = await sign.update(unwritten, { text: " " }, write);
  expect(saved).toMatchObject({ text: "", version: 1 });
  expect(await sign.update(saved, { text: "  " }, write)).toBe(saved);
  await expect(sign.update(unwritten, { text: "Open" }, write)).rejects.toThrow(Refused);
  expect(await sign.read("", write.deps)).toEqual({ text: "", version: 1 });
  const scope = { target: { kind: "door_sign", id: "door_sign" } };
  const { records } = await openActivityLog(fixture.table).list(scope, { limit: 9 });
  expect(records.map(({ action }) => action)).toEqual(["door_sign.update"]);
});

test("a record of an entity that shows pictures is refused while a new picture is not in the media library", async () => {
  const Halls = entity({
    name: "hall",
    showsPictures: true,
    schema: z.object({ slug: z.string(), cover: z.string(), ...state }),
    key: ({ slug }: { slug: string }) => ({ pk: "HALLS", sk: slug }),
  });
  const halls = rowStore<
    { slug: string; cover: string },
    typeof Halls.schema,
    { slug: string },
    { table: Table }
  >({ entity: Halls, labelOf: ({ slug }) => slug });
  const cover = `media://uploads/${newId("med", noon)}/320.webp`;
  await expect(
    halls.create(
      { slug: "one", cover },
      { ...write, id: "one", before: undefined, bind: async () => [] },
    ),
  ).rejects.toMatchObject({ code: "validation_failed" });
  expect(await halls.read("one", write.deps)).toBeUndefined();
});
