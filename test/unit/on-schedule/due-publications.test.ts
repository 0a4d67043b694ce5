import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { publishDueRecords } from "#shared/application/content/publish-due-records.ts";
import { saveSellable } from "#shared/application/catalog/save-sellable.ts";
import { skuRequestsOf } from "#shared/application/catalog/stock-claims.ts";
import { productStorage } from "#shared/application/catalog/product-storage.ts";
import { publishDue } from "#shared/application/content/publish-due.ts";
import { pages } from "#shared/application/content/document-kinds.ts";
import { saveDocument } from "#shared/application/content/save-document.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { nextDraft, newState } from "#shared/domain/content/document.ts";
import type { Page } from "#shared/domain/content/page.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import { CategoryTree, Products, PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { Pages, PublishedPages } from "#shared/storage/content/content.ts";
import {
  type DuePublication,
  listDuePublications,
} from "#shared/storage/content/due-publications.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import { openActivityLog } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import { aCategory, aProduct, aVariant } from "#test/support/shop/builders.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
let clock = noon;
const logged: string[] = [];
const say = (message: string) => void logged.push(message);
const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
const at = (minutes: number) => after(minutes).toISOString();
const always = () => true;
const editor = anId("stf");
const publisher = anId("stf", 2);

beforeAll(async () => {
  fixture = await startTestTable();
  const categories = [
    aCategory({ slug: "chairs" }),
    aCategory({ id: anId("cat", 2), kind: "collection", slug: "monsoon" }),
    aCategory({ id: anId("cat", 3), kind: "room", slug: "living-room" }),
    aCategory({ id: anId("cat", 4), kind: "style", slug: "modern" }),
  ];
  await fixture.table.write(put(CategoryTree, { categories, version: 1 }));
});
beforeEach(async () => {
  await fixture.table.clear("DUE#PUBLICATIONS");
  logged.length = 0;
  clock = noon;
});
afterAll(() => fixture.stop());

const run = (now: Date, table: Table = fixture.table) => {
  clock = now;
  const log = { info: say, warn: say, error: say };
  return publishDueRecords({ table, log, now: () => clock }, always);
};
const saving = (actor: string, now = noon) => ({
  table: fixture.table,
  audit: { actor: { id: actor }, requestId: "req-1", now },
});

let number = 0;
async function aPage(overrides: Partial<Page> = {}): Promise<Page> {
  const page: Page = {
    id: newId("page", noon),
    slug: `page-${(number += 1)}`,
    title: "About us",
    excerpt: null,
    blocks: [],
    seo: { title: null, description: null },
    ...newState(noon),
    ...overrides,
  };
  await saveDocument(pages, "create", { before: undefined, after: page }, saving(editor));
  return page;
}
/** Edits a page a minute after its creation, so that the two entries in the activity log have a definite order. */
async function edit(page: Page, change: Partial<Page>, actor = editor): Promise<Page> {
  const edited = nextDraft(page, change, noon);
  await saveDocument(pages, "update", { before: page, after: edited }, saving(actor, after(1)));
  return edited;
}
async function aDraft(overrides: Partial<Product> = {}): Promise<Product> {
  const own = (number += 1);
  const variant = aVariant({ id: newId("var", noon), sku: `STOOL-${own}`, media_ids: [] });
  const product = aProduct({
    id: newId("prd", noon),
    slug: `stool-${own}`,
    variants: [{ ...variant, options: { color: "oat" } }],
    tax_class: "furniture",
    ...overrides,
  });
  const storage = {
    ...productStorage(skuRequestsOf(product.variants)),
    // The tax class and the related products need no rows here.
    referencesOf: () => [],
  };
  await saveSellable(storage, undefined, product, saving(editor));
  return product;
}

const stored = (page: Page) => fixture.table.get(Pages, { id: page.id });
const isPublic = async ({ slug }: Pick<Page, "slug">) =>
  (await fixture.table.get(PublishedPages, { slug })) !== undefined;
const rows = () => listDuePublications(fixture.table, after(1_000_000), 100);
async function actions(kind: string, id: string): Promise<string[]> {
  const scope = { target: { kind, id } };
  const { records } = await openActivityLog(fixture.table).list(scope, { limit: 50 });
  return records.map(({ action, actor_id }) => `${action} by ${actor_id}`);
}

test("if both publication times of a record pass while the schedule is stopped, they are processed in order", async () => {
  const page = await aPage({ publish_at: at(10), unpublish_at: at(20) });
  await run(after(60));
  expect(await stored(page)).toMatchObject({
    status: "draft",
    published_at: expect.any(String),
    publish_at: null,
    unpublish_at: null,
  });
  expect(await isPublic(page)).toBe(false);
});

test("a publication time that staff changed or cleared has no effect, and the new one has", async () => {
  const moved = await edit(await aPage({ publish_at: at(10) }), { publish_at: at(30) });
  const cleared = await edit(await aPage({ publish_at: at(10) }), { publish_at: null });
  await run(after(10));
  expect([await isPublic(moved), await isPublic(cleared)]).toEqual([false, false]);
  await run(after(30));
  expect([await isPublic(moved), await isPublic(cleared)]).toEqual([true, false]);
  expect(await rows()).toEqual([]);
});

test("a publication at a time that several staff users set is logged under the last of them", async () => {
  const page = await aPage({ publish_at: at(10) });
  const moved = await edit(page, { publish_at: at(30) });
  await edit(moved, { publish_at: at(10) }, publisher);
  await run(after(10));
  expect((await actions("page", page.id))[0]).toBe(`page.publish by ${publisher}`);
});

test("concurrent runs publish a record once", async () => {
  const page = await aPage({ publish_at: at(10) });
  const [row] = await rows();
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => publishDue(fixture.table, row as DuePublication, after(10))),
  );
  expect(outcomes.toSorted()).toEqual(["done", ...Array<string>(4).fill("outdated")]);
  expect((await actions("page", page.id)).filter((each) => each.includes("publish"))).toHaveLength(
    1,
  );
});

test("the publication time of a deleted draft has no effect", async () => {
  const gone = await aPage({ publish_at: at(10) });
  await saveDocument(pages, "delete", { before: gone, after: undefined }, saving(editor));
  expect(await run(after(10))).toBe(0);
  expect(await rows()).toEqual([]);
  expect(logged).toEqual([]);
});

test("a draft that cannot be published is reported to staff, loses its publication time and does not block other records", async () => {
  const incomplete = await aDraft({ variants: [], publish_at: at(10) });
  const page = await aPage({ publish_at: at(11) });
  const complete = await aDraft({ publish_at: at(12) });
  expect(await run(after(12))).toBe(0);

  expect(await isPublic(page)).toBe(true);
  const copy = await fixture.table.get(PublishedProducts, { slug: complete.slug });
  expect(copy).toMatchObject({ id: complete.id });
  expect(await fixture.table.get(Products, { id: incomplete.id })).toMatchObject({
    status: "draft",
    publish_at: null,
  });
  expect(await actions("product", incomplete.id)).toContain(`product.publish_failed by ${editor}`);
  const event = `publication_failed#${incomplete.id}#publish#${at(10)}`;
  expect((await fixture.table.get(Outbox, { id: event }))?.event).toMatchObject({
    kind: "product",
    label: incomplete.name,
    reason: "The product needs at least one variant.",
  });
  expect(await rows()).toEqual([]);
});

test("a record whose publication fails is retried with increasing delay and does not block other records", async () => {
  const page = await aPage({ publish_at: at(1) });
  const other = await aPage({ publish_at: at(1) });
  const { table } = fixture;
  const failing: Table = {
    ...table,
    transact: (writes) =>
      JSON.stringify(writes).includes(`LIVE#page#${page.slug}`)
        ? Promise.reject(new TypeError("broken"))
        : table.transact(writes),
  };
  expect(await run(after(1), failing)).toBe(1);
  expect([await isPublic(page), await isPublic(other)]).toEqual([false, true]);
  expect(await rows()).toMatchObject([{ id: page.id, at: at(2), attempts: 1 }]);
  expect(await run(after(2), failing)).toBe(1);
  expect(await rows()).toMatchObject([{ id: page.id, at: at(4), attempts: 2 }]);
  expect(await run(after(4))).toBe(0);
  expect(await isPublic(page)).toBe(true);
});
