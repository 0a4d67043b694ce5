import { expect, test } from "vitest";
import * as z from "zod";
import { entity, itemOf, recordOf } from "#shared/storage/entity.ts";

const Notes = entity({
  name: "note",
  schema: z.object({
    id: z.string(),
    author: z.string().nullable(),
    text: z.string().trim(),
    pinned: z.boolean().default(false),
    expires: z.int(),
  }),
  key: ({ id }: { id: string }) => ({ pk: `NOTE#${id}`, sk: "NOTE" }),
  indexes: {
    gsi1: ({ author, id }) => (author === null ? undefined : { pk: `AUTHOR#${author}`, sk: id }),
  },
  ttl: ({ expires }) => expires,
});
const aNote = { id: "n1", author: "ada", text: " hello ", expires: 1_800_000_000 };

test("a stored item has its keys, kind, index keys and time to live", () => {
  expect(itemOf(Notes, aNote)).toEqual({
    pk: "NOTE#n1",
    sk: "NOTE",
    entity: "note",
    gsi1pk: "AUTHOR#ada",
    gsi1sk: "n1",
    ttl: 1_800_000_000,
    id: "n1",
    author: "ada",
    text: "hello",
    pinned: false,
    expires: 1_800_000_000,
  });
});

test("an item that the stream's reader passes on names the cause of its write", () => {
  const Streamed = entity({ ...Notes, key: ({ id }) => ({ pk: `PAGE#${id}`, sk: "NOTE" }) });
  expect(itemOf(Streamed, aNote)).toMatchObject({ cause: { trigger: "command" } });
  expect(recordOf(Streamed, itemOf(Streamed, aNote))).not.toHaveProperty("cause");
});

test("a record without an index key is not in the index", () => {
  const item = itemOf(Notes, { ...aNote, author: null });
  expect(item).not.toHaveProperty("gsi1pk");
  expect(item).not.toHaveProperty("gsi1sk");
});

test("a record that was read has no storage attributes", () => {
  expect(recordOf(Notes, itemOf(Notes, aNote))).toEqual({ ...aNote, text: "hello", pinned: false });
});

test("members outside the entity's schema are not stored", () => {
  expect(itemOf(Notes, { ...aNote, cost: 12 } as typeof aNote)).not.toHaveProperty("cost");
});

test("a record that does not match its schema is never stored", () => {
  expect(() => itemOf(Notes, { ...aNote, expires: 1.5 })).toThrow(z.ZodError);
});
