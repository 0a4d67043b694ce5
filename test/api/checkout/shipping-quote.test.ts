import { expect, test } from "vitest";
import type { ShippingQuote } from "#shared/domain/delivery/shipping.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { StoryTeasers } from "#shared/storage/content/content.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aShopper, type Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

const quote = async (query: string, headers = {}) =>
  clientOf(baseUrl).get<Data<ShippingQuote> & Problem>(`/shipping/quote?${query}`, headers);

test("a shipping quote for the cart returns the zone, the methods and whether cash on delivery is available", async () => {
  const { sku } = await plantProduct(table);
  const { headers, read } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const { status, body, headers: answered } = await quote("postal_code=560001&country=IN", headers);
  expect(status).toBe(200);
  expect(answered.get("cache-control")).toBe("private, no-store");
  expect(body.data).toMatchObject({
    serviceable: true,
    reason: null,
    zone: { code: expect.any(String), name: expect.any(String) },
    cod: { available: true, max_amount: expect.any(Number) },
  });
  const standard = body.data.methods.find(({ code }) => code === "standard");
  expect(standard?.eta.min_on).toMatch(/^\d{4}-\d\d-\d\d$/);
  const { totals } = await read("?postal_code=560001&shipping_method=standard");
  expect(totals.shipping).toBe(standard?.amount);
});

test("a shipping quote accepts items instead of a cart: SKUs with quantities, sofas by slug", async () => {
  const [{ sku }, { sofa }] = await Promise.all([plantProduct(table), plantSofa(table)]);
  const { body } = await quote(`postal_code=560001&items=${sku}:2,${sofa.slug}`);
  expect(body.data.serviceable).toBe(true);
  // A sofa is made to order, so cash on delivery is not available.
  expect(body.data.cod.available).toBe(false);
});

test("a shipping quote without cart and items says whether the destination is served", async () => {
  expect((await quote("postal_code=560001")).body.data.serviceable).toBe(true);
});

test("a shipping quote for a destination that is not served returns 200 with the reason", async () => {
  const { status, body } = await quote("postal_code=75001&country=FR");
  expect(status).toBe(200);
  expect(body.data).toEqual({
    serviceable: false,
    reason: "area_not_served",
    zone: null,
    cod: { available: false, max_amount: null },
    gateway: { available: true, min_amount: null },
    currency: "INR",
    methods: [],
  });
});

test.each([
  ["a malformed postal code", "postal_code=12&country=IN", "postal_code"],
  ["no postal code", "country=IN", "postal_code"],
  ["an unknown sofa", "postal_code=560001&items=no-such-sofa:2", "items"],
  ["a malformed list", "postal_code=560001&items=A:0,", "items"],
])("a shipping quote with %s returns 422", async (_, query, path) => {
  const { status, body } = await quote(query);
  expect(status).toBe(422);
  expect(Object.keys(body.errors ?? {})).toEqual([path]);
});

test("a shipping quote refuses the SKU of a draft as it refuses an unknown SKU", async () => {
  const { sku, product } = await plantProduct(table);
  await table.write(remove(PublishedProducts, product));
  const { status, body } = await quote(`postal_code=560001&items=${sku}:1`);
  expect(status).toBe(422);
  expect(body.errors).toEqual({ items: [`${sku}: There is no item with this SKU.`] });
});

test("a shipping quote returns 422 if an item is the id of an interior story", async () => {
  const now = new Date();
  const id = newId("story", now);
  const cover = { url: "media://interiors/corner.webp", alt: "A corner", width: 1600, height: 900 };
  const story = { id, slug: id.toLowerCase().replace("_", "-"), title: "A quiet corner", cover };
  const published_at = now.toISOString();
  await table.write(put(StoryTeasers, { ...story, room: null, style: null, published_at }));
  const { status, body } = await quote(`postal_code=560001&items=${id}`);
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["items"]]);
});

test("a shipping quote says how to write items that it cannot read", async () => {
  const items = encodeURIComponent(JSON.stringify([{ sku: "ABC", quantity: 2 }]));
  const { status, body } = await quote(`postal_code=560001&items=${items}`);
  expect(status).toBe(422);
  expect(body.errors?.items).toEqual([
    "Write at most 50 SKUs or slugs separated by commas, such as ABC:2,saanjh-sofa.",
  ]);
});

test("an error in the quoted items names the unknown SKU or the exceeded limit", async () => {
  const wordsOf = async (items: string) =>
    (await quote(`postal_code=560001&items=${items}`)).body.errors?.items;
  expect(await wordsOf("NOPE:1")).toEqual(["NOPE: There is no item with this SKU."]);
  expect(await wordsOf("CHAIR:999")).toEqual([
    "The quantity of an item must be at least 1 and at most 99.",
  ]);
});
