import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { publicRecords } from "#functions/public-records.ts";
import type { Call } from "#shared/http/route.ts";
import { entity } from "#shared/storage/entity.ts";
import { put } from "#shared/storage/writes.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const Rooms = entity({
  name: "room",
  schema: z.object({ slug: z.string(), city: z.string(), published: z.boolean() }),
  key: ({ slug }: { slug: string }) => ({ pk: "ROOMS", sk: slug }),
});
const [list, get] = publicRecords({
  path: "/rooms",
  one: "a room",
  many: "rooms",
  descriptions: { list: "All rooms.", get: "One room." },
  entity: Rooms,
  partition: "ROOMS",
  record: Rooms.schema,
  visible: ({ published }) => published,
  filters: { city: z.string() },
});

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
  const rooms = [
    { slug: "delhi", city: "Delhi", published: true },
    { slug: "goa", city: "Goa", published: true },
    { slug: "goa-beach", city: "Goa", published: true },
    { slug: "goa-hidden", city: "Goa", published: false },
  ];
  await fixture.table.transact(rooms.map((room) => put(Rooms, room)));
});
afterAll(() => fixture.stop());

/** The part of a call that these routes read. */
const callOf = (call: Partial<Call>) => ({ now: noon, query: {}, params: {}, ...call }) as Call;
const listed = async (query: object) => {
  const { data, meta } = z
    .object({ data: z.array(z.object({ slug: z.string() })), meta: z.looseObject({}) })
    .parse(await list?.handle(callOf({ query }), fixture));
  return { slugs: data.map(({ slug }) => slug), meta };
};
const one = (slug: string) => get?.handle(callOf({ params: { slug } }), fixture);

test("the list and the detail of public records never show a hidden record", async () => {
  expect((await listed({})).slugs).toEqual(["delhi", "goa", "goa-beach"]);
  expect(await one("goa")).toMatchObject({ data: { slug: "goa" } });
  await expect(one("goa-hidden")).rejects.toMatchObject({ code: "not_found" });
  await expect(one("missing")).rejects.toMatchObject({ code: "not_found" });
});

test("a filter keeps the records with its value, and a cursor belongs to its filter", async () => {
  expect((await listed({ city: "Goa" })).slugs).toEqual(["goa", "goa-beach"]);
  const first = await listed({ city: "Goa", per_page: 1 });
  const cursor = first.meta["next_cursor"];
  expect((await listed({ city: "Goa", per_page: 1, cursor })).slugs).toEqual(["goa-beach"]);
  await expect(listed({ city: "Delhi", cursor })).rejects.toMatchObject({
    code: "validation_failed",
  });
});

test("the routes of public records are remembered", () => {
  for (const route of [list, get]) {
    expect(route).toMatchObject({ cache: "public", remembered: true });
  }
});
