import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HomeDraft, PublicHome } from "#shared/domain/content/home.ts";
import { PublishedHome } from "#shared/storage/content/content.ts";
import type { PublishedVersion } from "#shared/storage/content/content-edits.ts";
import { Cards, Products, Sofas } from "#shared/storage/catalog/catalog.ts";
import { put } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { aCard, aProduct, aSofa } from "#test/support/shop/builders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { anId } from "#test/support/shop/commerce.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { soon } from "#test/support/stack/wait-until.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let editor: StaffClient;
const product = aProduct();
const sofa = aSofa();
beforeAll(async () => {
  office = await openBackOffice();
  editor = await office.colleague("content_editor");
  await office.table.transact([put(Products, product), put(Sofas, sofa)]);
});
afterAll(() => office.stop());

type Answered = Data<HomeDraft> & Problem;
const newsletter = (title: string) => ({ type: "newsletter", data: { title, button: "Go" } });
const rail = (...items: object[]) => ({ type: "product_rail", data: { items } });
const replace = (sections: unknown, headers: Record<string, string> = {}) =>
  editor.ask<Answered>("PUT", "/admin/homepage", { sections }, headers);
const publish = (headers: Record<string, string> = {}) =>
  editor.ask<Answered>("POST", "/admin/homepage/publish", undefined, headers);
const read = async () => (await editor.ask<Answered>("GET", "/admin/homepage")).body.data;
const seen = async () =>
  (await clientOf(office.stack.baseUrl).get<Data<PublicHome>>("/home")).body.data;
const soonSeen = (home: object) => soon(async () => expect(await seen()).toMatchObject(home));
const publishedCopy = () => office.table.get(PublishedHome, {});

test("the homepage of a new shop is an empty document of version 0", async () => {
  const reply = await editor.ask<Answered>("GET", "/admin/homepage");
  expect(reply.body.data).toEqual({
    sections: [],
    version: 0,
    publish_at: null,
    published_at: null,
    published_version: null,
  });
  expect(reply.headers.get("etag")).toBe('"v0"');
  expect(await seen()).toMatchObject({ sections: [], version: 0, published_at: null });
});

test("the public sees the published homepage while staff edit its draft", async () => {
  expect((await replace([newsletter("First")])).status).toBe(200);
  expect(await publishedCopy()).toBeUndefined();
  const published = await publish();
  expect(published.status).toBe(200);
  const { version, published_version, published_at } = published.body.data;
  expect(published_version).toBe(version);
  await soonSeen({
    version,
    published_at,
    sections: [{ id: expect.stringMatching(/^sec_/), data: { title: "First", text: null } }],
  });

  await replace([newsletter("Second")]);
  const unchanged = { version, sections: [{ data: { title: "First" } }] };
  expect(await publishedCopy()).toMatchObject(unchanged);
  expect(await seen()).toMatchObject(unchanged);
  expect(await read()).toMatchObject({ published_version: version, version: version + 1 });
  await publish();
  await soonSeen({ sections: [{ data: { title: "Second" } }] });
});

test("publishing an unchanged homepage creates no version", async () => {
  await replace([newsletter("Once")]);
  const { body } = await publish();
  expect((await publish()).body.data).toEqual(body.data);
  const listed = await editor.ask<Data<PublishedVersion[]>>("GET", "/admin/homepage/versions");
  expect(listed.body.data[0]?.version).toBe(body.data.version);
});

test("homepage versions are numbered, and each can be restored into the draft", async () => {
  await replace([newsletter("Kept")]);
  const { version } = (await publish()).body.data;
  await replace([newsletter("Other")]);
  await publish();
  const path = "/admin/homepage/versions";
  const listed = await editor.ask<Data<PublishedVersion[]>>("GET", path);
  expect(listed.body.data.slice(0, 2).map((row) => row.version)).toEqual([version + 2, version]);
  const restored = await editor.ask<Answered>("POST", `${path}/${version}/restore`);
  expect(restored.body.data).toMatchObject({ sections: [{ data: { title: "Kept" } }] });
  expect(await publishedCopy()).toMatchObject({ sections: [{ data: { title: "Other" } }] });
  await soonSeen({ sections: [{ data: { title: "Other" } }] });
  expect((await editor.ask("POST", `${path}/999/restore`)).status).toBe(404);
});

test("saving the homepage with an outdated version returns 412, and concurrent saves never overwrite each other", async () => {
  const { version } = await read();
  const tag = { "if-match": `"v${version}"` };
  expect((await replace([newsletter("Mine")], tag)).status).toBe(200);
  const late = await replace([newsletter("Late")], tag);
  expect([late.status, late.body.code]).toEqual([412, "version_mismatch"]);
  expect((await publish(tag)).status).toBe(412);
  expect(await read()).toMatchObject({ sections: [{ data: { title: "Mine" } }] });

  const replies = await Promise.all(["A", "B", "C", "D"].map((t) => replace([newsletter(t)])));
  const saved = replies.filter(({ status }) => status === 200);
  expect(replies.every(({ status }) => status === 200 || status === 412)).toBe(true);
  expect((await read()).version).toBe(version + 1 + saved.length);
});

describe("a saved homepage", () => {
  test.each<[string, unknown[]]>([
    ["sections.2.data.title", [newsletter("a"), newsletter("b"), newsletter("")]],
    ["sections.0.type", [{ type: "carousel", data: {} }]],
    ["sections.0.data.items", [rail()]],
    ["sections.0.data.items.0.id", [rail({ kind: "product", id: anId("prd", 77) })]],
    [
      "sections.1.data.items.1.id",
      [
        newsletter("a"),
        rail({ kind: "product", id: product.id }, { kind: "sofa", id: product.id }),
      ],
    ],
    [
      "sections.0.data.item.id",
      [{ type: "sofa_feature", data: { item: { kind: "sofa", id: anId("sofa", 77) } } }],
    ],
    [
      "sections.0.data.stories.0",
      [{ type: "interior_stories", data: { stories: [anId("story", 77)] } }],
    ],
  ])("is refused at the path %s if that member is invalid", async (path, sections) => {
    const before = await read();
    const refused = await replace(sections);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [path]]);
    expect(await read()).toEqual(before);
  });

  test("may refer to draft products, which stay hidden from the public", async () => {
    const shown = { id: anId("prd", 78), slug: "shown" };
    await office.table.transact([
      put(Products, aProduct({ ...shown, status: "published" })),
      put(Cards, aCard(shown)),
    ]);
    const drafts = [
      { kind: "product", id: product.id },
      { kind: "sofa", id: sofa.id },
    ];
    const reply = await replace([
      rail(...drafts),
      rail(...drafts, { kind: "product", id: shown.id }),
      newsletter("Letters"),
    ]);
    expect(reply.status).toBe(200);
    await publish();
    await soonSeen({
      sections: [
        { type: "product_rail", data: { items: [shown] } },
        { type: "newsletter", data: { title: "Letters" } },
      ],
    });
  });
});
