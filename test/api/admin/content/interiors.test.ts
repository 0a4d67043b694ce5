import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InteriorStory, PublicStory } from "#shared/domain/content/interior-story.ts";
import { Products } from "#shared/storage/catalog/catalog.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { aProduct } from "#test/support/shop/builders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { anId } from "#test/support/shop/commerce.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { soon } from "#test/support/stack/wait-until.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let editor: StaffClient;
const product = aProduct();
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
  await office.table.write(put(Products, product));
});
afterAll(() => office.stop());

const picture = { url: "media://rooms/sea.webp", alt: "By the sea", width: 1600, height: 900 };
const withHotspot = (item: object) => [{ media: picture, hotspots: [{ x: 1, y: 2, item }] }];
let number = 0;
const aStory = (overrides: object = {}) => ({
  slug: `story-${(number += 1)}`,
  title: "A room by the sea",
  cover: picture,
  body_html: "<p>Light.</p>",
  images: withHotspot({ kind: "product", id: product.id }),
  ...overrides,
});

type Answered = Data<InteriorStory> & Problem;
async function create(overrides: object = {}): Promise<InteriorStory> {
  const made = await editor.ask<Answered>("POST", "/admin/interiors", aStory(overrides));
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
const act = (id: string, what: string) =>
  editor.ask<Answered>("POST", `/admin/interiors/${id}/${what}`);
const change = (id: string, patch: object) =>
  editor.ask<Answered>("PATCH", `/admin/interiors/${id}`, patch);
const visitor = () => clientOf(office.stack.baseUrl);
const seen = (slug: string) => visitor().get<Data<PublicStory>>(`/interiors/${slug}`);
const listed = async () =>
  (await visitor().get<Data<PublicStory[]>>("/interiors?per_page=100")).body.data.map(
    ({ id }) => id,
  );
const soonStatus = (slug: string, status: number) =>
  soon(async () => expect((await seen(slug)).status).toBe(status));
const soonSeen = (slug: string, story: object) =>
  soon(async () => expect((await seen(slug)).body.data).toMatchObject(story));
const soonListed = (id: string, times: number) =>
  soon(async () => expect((await listed()).filter((other) => other === id)).toHaveLength(times));
async function showAtHome(id: string): Promise<void> {
  const section = { type: "interior_stories", data: { stories: [id] } };
  await editor.ask("PUT", "/admin/homepage", { sections: [section] });
  await editor.ask("POST", "/admin/homepage/publish");
}
const soonAtHome = (sections: number) =>
  soon(async () => {
    const home = await visitor().get<Data<{ sections: unknown[]; version: number }>>("/home");
    expect(home.body.data.version).toBeGreaterThan(0);
    expect(home.body.data.sections).toHaveLength(sections);
  });

test("a story is public only while it is published", async () => {
  const story = await create();
  await showAtHome(story.id);
  expect((await seen(story.slug)).status).toBe(404);
  expect(await listed()).not.toContain(story.id);
  await soonAtHome(0);

  expect((await act(story.id, "publish")).status).toBe(200);
  await soonSeen(story.slug, { id: story.id, title: story.title });
  await soonListed(story.id, 1);
  await soonAtHome(1);

  expect((await act(story.id, "unpublish")).status).toBe(200);
  await soonStatus(story.slug, 404);
  await soonListed(story.id, 0);
  await soonAtHome(0);
});

describe("a saved story", () => {
  test.each<[string, object]>([
    [
      "images.0.hotspots.0.item.id",
      { images: withHotspot({ kind: "product", id: anId("prd", 77) }) },
    ],
    ["images.0.hotspots.0.item.id", { images: withHotspot({ kind: "sofa", id: product.id }) }],
    [
      "images.0.hotspots.0.x",
      {
        images: [
          {
            media: picture,
            hotspots: [{ x: 10_001, y: 0, item: { kind: "product", id: product.id } }],
          },
        ],
      },
    ],
    ["cover.url", { cover: { ...picture, url: "https://elsewhere.example/a.webp" } }],
    ["cover.onerror", { cover: { ...picture, onerror: "x" } }],
    ["status", { status: "published" }],
    ["title", { title: "" }],
  ])("is refused at the path %s if that member is invalid", async (path, overrides) => {
    const refused = await editor.ask<Answered>("POST", "/admin/interiors", aStory(overrides));
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [path]]);
  });

  test("may keep a reference to a deleted product, but cannot get a new one", async () => {
    const passing = aProduct({ id: anId("prd", 55), slug: "passing" });
    await office.table.write(put(Products, passing));
    const story = await create({ images: withHotspot({ kind: "product", id: passing.id }) });
    await office.table.write(remove(Products, { id: passing.id }));
    expect((await change(story.id, { title: "Still" })).status).toBe(200);
    expect((await change(story.id, { images: story.images })).status).toBe(200);
    const images = withHotspot({ kind: "product", id: anId("prd", 56) });
    expect((await change(story.id, { images })).status).toBe(422);
  });
});
