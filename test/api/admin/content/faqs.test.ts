import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FaqGroup } from "#shared/domain/content/content.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { soon } from "#test/support/stack/wait-until.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let editor: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
});
afterAll(() => office.stop());

type Group = FaqGroup & { position: number; version: number };
type Answered = Data<Group> & Problem;
let number = 0;
const aGroup = (overrides: object = {}) => ({
  slug: `group-${(number += 1)}`,
  title: "Delivery",
  items: [{ question: "How long?", answer_html: "<p>Nine days.</p>" }],
  ...overrides,
});
const post = (body: object) => editor.ask<Answered>("POST", "/admin/faqs", body);
async function create(overrides: object = {}): Promise<Group> {
  const made = await post(aGroup(overrides));
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const on = (
  method: "GET" | "PUT" | "PATCH" | "DELETE",
  slug: string,
  body?: object,
  headers: Record<string, string> = {},
) => editor.ask<Answered>(method, `/admin/faqs/${slug}`, body, headers);
const seen = async () =>
  (await clientOf(office.stack.baseUrl).get<Data<FaqGroup[]>>("/faqs")).body.data;

test("an FAQ group is public from when it is saved until it is deleted", async () => {
  const made = await post(aGroup());
  const { slug, items } = made.body.data;
  expect([made.status, made.headers.get("location")]).toEqual([201, `/api/v1/admin/faqs/${slug}`]);
  expect(items).toMatchObject([{ id: expect.stringMatching(/^faq_/), question: "How long?" }]);
  await soon(async () => expect(await seen()).toContainEqual({ slug, title: "Delivery", items }));
  expect((await on("DELETE", slug)).status).toBe(204);
  await soon(async () =>
    expect(await seen()).not.toContainEqual(expect.objectContaining({ slug })),
  );
  expect((await on("GET", slug)).status).toBe(404);
  expect((await on("DELETE", slug)).status).toBe(404);
});

test("PUT replaces an FAQ group, PATCH merges it, and questions keep their ids", async () => {
  const { slug, items } = await create();
  const renamed = await on("PATCH", slug, { title: "Assembly" });
  expect(renamed.body.data).toMatchObject({ title: "Assembly", items });
  const grown = await on("PATCH", slug, {
    items: [{ question: "New?", answer_html: "<p>Yes.</p>" }, ...items],
  });
  expect(grown.body.data.items[1]).toEqual(items[0]);
  const replaced = await on("PUT", slug, { slug, title: "Bare" });
  expect(replaced.body.data).toMatchObject({ title: "Bare", items: [] });
});

test("FAQ groups are listed in the order that staff set", async () => {
  const [first, second] = [await create({ position: 0 }), await create({ position: 0 })];
  const firstTwo = async () => (await seen()).slice(0, 2);
  const inOrder = (...groups: object[]) =>
    soon(async () => expect(await firstTwo()).toMatchObject(groups));
  await inOrder({ slug: second.slug }, { slug: first.slug });
  await on("PATCH", first.slug, { position: 0 });
  await inOrder({ slug: first.slug }, { slug: second.slug });
  expect((await on("GET", second.slug)).body.data.position).toBe(1);
  await on("PATCH", first.slug, { title: "Stays" });
  await inOrder({ slug: first.slug, title: "Stays" }, { slug: second.slug });
});

describe("an FAQ group's slug", () => {
  test("belongs to one group, also after a change", async () => {
    const body = aGroup();
    await post(body);
    const other = await create();
    const taken = await on("PATCH", other.slug, { slug: body.slug });
    expect([taken.status, taken.body.details]).toEqual([409, { path: "slug", slug: body.slug }]);
  });

  test("can be changed", async () => {
    const { slug } = await create();
    expect((await on("PATCH", slug, { slug: `${slug}-new` })).status).toBe(200);
    expect((await on("GET", slug)).status).toBe(404);
    expect((await on("GET", `${slug}-new`)).status).toBe(200);
  });
});

describe("concurrent editing of FAQs", () => {
  test("causes no conflict between changes of different groups, even if they change the order of groups", async () => {
    const [one, other] = [await create(), await create()];
    const tag = { "if-match": `"v${one.version}"` };
    expect((await on("PATCH", other.slug, { position: 0, title: "First" })).status).toBe(200);
    const mine = await on("PATCH", one.slug, { title: "Mine" }, tag);
    expect([mine.status, mine.headers.get("etag")]).toEqual([200, '"v2"']);
    await soon(async () => expect((await seen())[0]).toMatchObject({ slug: other.slug }));
  });

  test("causes no conflict between replacements of different groups", async () => {
    const groups = [await create(), await create(), await create()];
    const replies = await Promise.all(
      groups.map(({ slug }) => on("PUT", slug, { slug, title: `Of ${slug}` })),
    );
    expect(tally(replies)).toEqual({ "200": 3 });
    for (const { slug } of groups) {
      expect((await on("GET", slug)).body.data.title).toBe(`Of ${slug}`);
    }
  });
});

describe("a saved FAQ group", () => {
  test.each<[string, object]>([
    ["items.1.question", { items: [{ question: "a", answer_html: "" }, { answer_html: "" }] }],
    ["items.0.answer", { items: [{ question: "a", answer_html: "", answer: "" }] }],
    ["items.0.id", { items: [{ id: "first", question: "a", answer_html: "" }] }],
    ["position", { position: -1 }],
    ["version", { version: 1 }],
    ["slug", { slug: "No Slug" }],
  ])("is refused at the path %s if that member is invalid", async (path, overrides) => {
    const refused = await post(aGroup(overrides));
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [path]]);
  });

  test("is refused if it would be the forty-first", async () => {
    let status = 201;
    for (let count = 0; status === 201 && count <= 40; count++) {
      status = (await post(aGroup())).status;
    }
    expect(status).toBe(422);
    await soon(async () => expect(await seen()).toHaveLength(40));
  });
});
