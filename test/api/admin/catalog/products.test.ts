import { describe, expect, onTestFinished, test } from "vitest";
import type { AdminProduct } from "#shared/domain/catalog/product.ts";
import type { Card } from "#shared/domain/catalog/card.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { Redirect } from "#shared/domain/content/redirect.ts";
import { AdminProductRow } from "#shared/domain/listing/admin-rows.ts";
import { Cards, Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { findStockOf } from "#shared/storage/catalog/sku-claims.ts";
import {
  type Data,
  aProductBody,
  aSofaBody,
  mark,
  soon,
  soonListed,
} from "#test/support/back-office/catalog.ts";
import { put } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { transactionsTogether } from "#test/support/emulators/dynamodb-proxy.ts";
import { asking } from "#test/support/people/people.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { aShopper, tally } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, staffAs } = await useShop({
  effects: ["catalog-index", "staff-index"],
});

const shopper = clientOf(baseUrl);
const staff = await staffAs("manager");

async function created(overrides: Record<string, unknown> = {}) {
  const reply = await staff.post<Data<AdminProduct>>("/admin/products", aProductBody(overrides));
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.data;
}
const pathOf = ({ id }: { id: string }) => `/admin/products/${id}`;

describe("a draft product", () => {
  test("is created with the sent members and is visible to staff only", async () => {
    const product = await created({
      description_html: '<p onclick="x()">Hi</p><script>1</script>',
    });
    expect(product).toMatchObject({
      status: "draft",
      version: 1,
      published_at: null,
      description_html: "<p>Hi</p>",
      currency: "INR",
      variants: [{ policy: "deny", low_stock_threshold: 0 }],
    });
    const read = await staff.get<Data<AdminProduct>>(pathOf(product));
    expect([read.status, read.headers.get("etag")]).toEqual([200, '"v1"']);
    expect(read.body.data).toEqual(product);

    const list = `/admin/products?status=draft&q=${product.slug}`;
    await soonListed<{ data: AdminProductRow[] }>("staff-index", staff, list, ({ body }) =>
      expect(body.data.map(({ id }) => id)).toContain(product.id),
    );
    expect((await shopper.get(`/products/${product.slug}`)).status).toBe(404);
    expect((await shopper.get(`/products/${product.slug}/related`)).status).toBe(404);
    const found = await shopper.get<{ data: Card[] }>(`/products?q=${product.name}`);
    expect(found.body.data.map(({ id }) => id)).not.toContain(product.id);
    const line = { sku: product.variants[0]?.sku, quantity: 1 };
    expect((await shopper.post("/cart", { items: [line] })).status).toBe(422);
    expect((await shopper.get("/home")).text).not.toContain(product.slug);
  });

  test("may have no variants, but a reference or option that does not exist is refused", async () => {
    await created({ variants: [] });
    const reply = await staff.post<Problem>(
      "/admin/products",
      aProductBody({
        category_slug: "no-such",
        variants: [{ sku: "A", price: 1, options: { x: "y" } }],
      }),
    );
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([
      422,
      ["category_slug", "variants.0.options.x"],
    ]);
  });

  test("is not looked for by a word that is no id", async () => {
    const reply = await staff.put<Problem>("/admin/products/bulk", {});
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
    expect(reply.body.message).toMatch(/^This is no id\./);
  });

  test("is deleted if it was never published, which frees its slug and SKU", async () => {
    const product = await created();
    expect((await staff.delete(pathOf(product))).status).toBe(204);
    expect((await staff.get(pathOf(product))).status).toBe(404);
    const [variant] = product.variants;
    await created({ slug: product.slug, variants: [{ sku: variant?.sku, price: 1 }] });
  });
});

describe("the search by SKU", () => {
  const isFirst =
    (id: string) =>
    ({ body }: { body: { data: { id: string }[] } }) =>
      expect(body.data[0]?.id).toBe(id);

  test("finds drafts for staff and published products for everyone, case-insensitively and by prefix", async () => {
    const sku = `S${mark()}-OAK-2K`.toUpperCase();
    const product = await created({ variants: [{ sku, price: 1_250_000 }] });
    const ways = [sku, sku.toLowerCase(), sku.slice(0, -1)];
    for (const way of ways) {
      await soonListed("staff-index", staff, `/admin/products?q=${way}`, isFirst(product.id));
    }
    for (const way of ways) {
      await soonListed<{ data: { sku: string }[] }>(
        "staff-index",
        staff,
        `/admin/inventory?q=${way}`,
        ({ body }) => expect(body.data[0]?.sku).toBe(sku),
      );
    }
    await staff.patch(pathOf(product), { status: "published" });
    for (const way of ways) {
      await soonListed("catalog-index", shopper, `/products?q=${way}`, isFirst(product.id));
    }
  });
});

describe("publishing a product", () => {
  test("shows the product, and every later edit, in the public list, detail and search", async () => {
    const product = await created();
    const published = await staff.patch<Data<AdminProduct>>(pathOf(product), {
      status: "published",
    });
    expect(published.body.data).toMatchObject({ status: "published", version: 2 });
    const seen = (price: number) => async () => {
      await soonListed<{ data: Card[] }>(
        "catalog-index",
        shopper,
        `/products?q=${encodeURIComponent(product.name)}`,
        ({ body }) => expect(body.data[0]).toMatchObject({ id: product.id, price }),
      );
    };
    await seen(1_250_000)();
    expect((await shopper.get(`/products/${product.slug}`)).status).toBe(200);
    const [variant] = product.variants;
    await staff.patch(pathOf(product), { variants: [{ sku: variant?.sku, price: 999_000 }] });
    await soon<Data<AdminProduct>>(shopper, `/products/${product.slug}`, ({ body, text }) => {
      expect(body.data.variants[0]).toMatchObject({ id: variant?.id, price: 999_000 });
      expect(text).not.toContain("cost");
    });
    await seen(999_000)();

    // The homepage, hotspots and related items show only products that have a card.
    const card = () => world.table.get(Cards, { id: product.id });
    expect(await card()).toMatchObject({ slug: product.slug });
    await staff.patch(pathOf(product), { status: "draft" });
    await waitFor("catalog-index", async () => expect(await card()).toBe(undefined));
    await soon(shopper, `/products/${product.slug}`, ({ status }) => expect(status).toBe(404));
    await soonListed<{ data: Card[] }>(
      "catalog-index",
      shopper,
      `/products?q=${encodeURIComponent(product.name)}`,
      ({ body }) => expect(body.data.map(({ id }) => id)).not.toContain(product.id),
    );
  });

  test("is refused with the paths of all problems, and stores nothing", async () => {
    const product = await created({ variants: [] });
    const reply = await staff.patch<Problem>(pathOf(product), { status: "published" });
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, ["variants"]]);
    const read = await staff.get<Data<AdminProduct>>(pathOf(product));
    expect(read.body.data).toEqual(product);
  });

  test("makes a later DELETE archive the product instead of removing it", async () => {
    const product = await created({ status: "published" });
    expect((await staff.delete(pathOf(product))).status).toBe(204);
    expect((await staff.delete(pathOf(product))).status).toBe(204);
    const read = await staff.get<Data<AdminProduct>>(pathOf(product));
    expect(read.body.data.status).toBe("archived");
    expect((await shopper.get(`/products/${product.slug}`)).status).toBe(404);
  });
});

describe("a product's slug", () => {
  test("creates a redirect when it changes, and cart lines still refer to the product", async () => {
    const product = await created({ status: "published" });
    const [variant] = product.variants;
    await staff.patch(`/admin/inventory/${variant?.sku}`, { set: 5, reason: "Delivery" });
    const cart = await shopper.post<Data<Cart>>("/cart", {
      items: [{ sku: variant?.sku, quantity: 1 }],
    });
    expect(cart.status).toBe(201);
    const slug = `moved-${product.slug}`;
    expect((await staff.patch(pathOf(product), { slug })).status).toBe(200);

    const there = { from: `/products/${product.slug}`, to: `/products/${slug}`, status: 301 };
    await soon<{ data: Redirect[] }>(shopper, "/redirects", ({ body }) =>
      expect(body.data).toContainEqual(there),
    );
    expect((await shopper.get(`/products/${product.slug}`)).status).toBe(404);
    expect((await shopper.get(`/products/${slug}`)).status).toBe(200);
    const kept = await shopper.get<Data<Cart>>("/cart", {
      "x-cart-token": cart.headers.get("x-cart-token") ?? "",
    });
    expect(kept.body.data).toMatchObject({
      items: [{ name: product.name, unit_price: 1_250_000 }],
      requirements: [],
    });

    // Restoring the old slug must not create a redirect loop.
    await staff.patch(pathOf(product), { slug: product.slug });
    const back = { from: there.to, to: there.from, status: 301 };
    await soon<{ data: Redirect[] }>(shopper, "/redirects", ({ body }) => {
      expect(body.data).not.toContainEqual(expect.objectContaining({ from: there.from }));
      expect(body.data).toContainEqual(back);
    });
  });
});

describe("a product that is for sale", () => {
  const refusedAt = async (
    reply: Promise<{ status: number; body: Problem }>,
    ...paths: string[]
  ) => {
    const { status, body } = await reply;
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, paths]);
  };

  test("costs something: a price of 0 is refused where it is written", async () => {
    const free = aProductBody({ variants: [{ sku: `F${mark()}`.toUpperCase(), price: 0 }] });
    await refusedAt(staff.post<Problem>("/admin/products", free), "variants.0.price");
    const product = await created();
    const variants = product.variants.map(({ id, sku }) => ({ id, sku, price: 0 }));
    await refusedAt(staff.patch<Problem>(pathOf(product), { variants }), "variants.0.price");
    await refusedAt(
      staff.put<Problem>(pathOf(product), { ...free, slug: product.slug }),
      "variants.0.price",
    );
  });

  test("that was stored with a price of 0 stays editable, but is not published", async () => {
    const product = await created();
    const stored = (await world.table.get(Products, product))!;
    const variants = stored.variants.map((variant) => ({ ...variant, price: 0 }));
    await world.table.write(put(Products, { ...stored, variants }));
    const renamed = await staff.patch(pathOf(product), { name: "Renamed", variants });
    expect([renamed.status, renamed.text]).toEqual([200, expect.any(String)]);
    await refusedAt(
      staff.patch<Problem>(pathOf(product), { status: "published" }),
      "variants.0.price",
    );
  });

  test("has an HSN code, because the store is in India", async () => {
    const published = aProductBody({ status: "published", hsn_code: null });
    await refusedAt(staff.post<Problem>("/admin/products", published), "hsn_code");
    const product = await created({ hsn_code: null });
    await refusedAt(staff.patch<Problem>(pathOf(product), { status: "published" }), "hsn_code");
    const both = { status: "published", hsn_code: "94016100" };
    expect((await staff.patch(pathOf(product), both)).status).toBe(200);
    await refusedAt(staff.patch<Problem>(pathOf(product), { hsn_code: null }), "hsn_code");
    expect((await staff.patch(pathOf(product), { name: "Renamed" })).status).toBe(200);
  });

  test("includes sofas, whose default configuration must cost something", async () => {
    const free = aSofaBody({ base_price: 0, option_groups: [] });
    await refusedAt(staff.post<Problem>("/admin/sofas", free), "base_price");
    const published = aSofaBody({ status: "published", hsn_code: null });
    await refusedAt(staff.post<Problem>("/admin/sofas", published), "hsn_code");
  });
});

describe("a SKU", () => {
  test("belongs to one variant in the whole shop", async () => {
    const product = await created();
    const sku = product.variants[0]?.sku;
    const reply = await staff.post<Problem>(
      "/admin/products",
      aProductBody({ variants: [{ sku, price: 1 }] }),
    );
    expect(reply.body).toMatchObject({
      code: "already_exists",
      details: { path: "variants.0.sku", sku },
    });
  });

  test("cannot be taken away with its variant while units are on hand or reserved, and the refusal says why", async () => {
    const product = await created();
    const { sku = "", id = "" } = product.variants[0] ?? {};
    await staff.patch(`/admin/inventory/${sku}`, { set: 7, reason: "Delivery" });
    await setReserved(id, 2);
    const refused = {
      code: "in_use",
      message: expect.stringContaining(`${sku} has 7 units on hand, and 2 are reserved`),
      details: { sku, on_hand: 7, reserved: 2 },
    };
    const others = [
      await staff.patch<Problem>(pathOf(product), { variants: [] }),
      await staff.patch<Problem>(pathOf(product), { variants: [{ sku: skuOf(), price: 1 }] }),
      await staff.put<Problem>(pathOf(product), aProductBody({ slug: product.slug, variants: [] })),
      await staff.delete<Problem>(pathOf(product)),
    ];
    expect(others.map(({ body }) => body)).toMatchObject(others.map(() => refused));
    await setReserved(id, 0);
    await staff.patch(`/admin/inventory/${sku}`, { set: 0, reason: "Sold" });
    expect((await staff.patch(pathOf(product), { variants: [] })).status).toBe(200);
    expect(await world.table.get(Stocks, { id })).toBeUndefined();
    await created({ variants: [{ sku, price: 1 }] });
  });

  test("is stored for each of as many variants as a product can have", async () => {
    const values = Array.from({ length: 60 }, (_, at) => `a-${at}`);
    const options = ["one", "two"].map((code) => ({
      code,
      label: code,
      values: values.map((value) => ({ code: value, label: value, swatch: null })),
    }));
    const variants = Array.from({ length: 80 }, (_, at) => ({
      sku: `${skuOf()}-${at}`,
      price: 1,
      options: { one: `a-${at % 60}`, two: `a-${Math.floor(at / 60)}` },
    }));
    const product = await created({ options, variants });
    const [first, last] = [product.variants[0]!, product.variants.at(-1)!];
    for (const { sku } of [first, last]) {
      const counted = await staff.patch(`/admin/inventory/${sku}`, { set: 1, reason: "Delivery" });
      expect(counted.status).toBe(200);
    }
  });

  const setReserved = async (id: string, reserved: number) => {
    const row = (await world.table.get(Stocks, { id }))!;
    const available = row.on_hand - reserved;
    await world.table.write(put(Stocks, { ...row, reserved, available }));
  };
  const unitsOf = async (sku: string) => {
    const row = await findStockOf(sku, world.table);
    return row && { on_hand: row.on_hand, available: row.available, variant_id: row.id };
  };
  const skuOf = () => `R${mark()}`.toUpperCase();

  test("is a name: if it changes, the variant keeps its units and cart lines, and the old one names nothing", async () => {
    const product = await created({ status: "published" });
    const [variant] = product.variants;
    const [old, sku] = [variant!.sku, skuOf()];
    const counted = await staff.patch(`/admin/inventory/${old}`, { set: 7, reason: "Delivery" });
    expect(counted.status).toBe(200);
    const put = await shopper.post<Data<Cart>>("/cart", { items: [{ sku: old, quantity: 2 }] });
    const cart = { "x-cart-token": put.headers.get("x-cart-token") ?? "" };

    const renamed = await staff.patch(pathOf(product), { variants: [{ ...variant, sku }] });
    expect([renamed.status, renamed.text]).toEqual([200, expect.any(String)]);
    expect(await unitsOf(sku)).toEqual({ on_hand: 7, available: 7, variant_id: variant!.id });
    expect(await unitsOf(old)).toBeUndefined();
    const gone = await shopper.post("/cart", { items: [{ sku: old, quantity: 1 }] });
    expect(gone.status).toBe(422);
    const bought = await shopper.post("/cart", { items: [{ sku, quantity: 1 }] });
    expect(bought.status).toBe(201);
    const seen = await shopper.get<Data<Cart>>("/cart", cart);
    expect(seen.body.data).toMatchObject({
      items: [{ sku, quantity: 2, availability: "in_stock" }],
      requirements: [],
    });
    // The old SKU is free.
    await created({ variants: [{ sku: old, price: 1 }] });
  });

  test("follows its variant if two variants exchange their SKUs", async () => {
    const values = ["oak", "teak"].map((code) => ({ code, label: code, swatch: null }));
    const [first, second] = [skuOf(), skuOf()];
    const product = await created({
      options: [{ code: "wood", label: "Wood", values }],
      variants: [
        { sku: first, price: 1, options: { wood: "oak" } },
        { sku: second, price: 1, options: { wood: "teak" } },
      ],
    });
    const [oak, teak] = product.variants;
    await staff.patch(`/admin/inventory/${first}`, { set: 3, reason: "Delivery" });
    const variants = [
      { ...oak, sku: second },
      { ...teak, sku: first },
    ];
    expect((await staff.patch(pathOf(product), { variants })).status).toBe(200);
    expect(await unitsOf(second)).toEqual({ on_hand: 3, available: 3, variant_id: oak!.id });
    expect(await unitsOf(first)).toEqual({ on_hand: 0, available: 0, variant_id: teak!.id });
  });

  test("can change while units are reserved for an open order, which keeps them until it is sent or cancelled", async () => {
    const product = await created({ status: "published" });
    const variant = product.variants[0]!;
    const [old, sku] = [variant.sku, skuOf()];
    await staff.patch(`/admin/inventory/${old}`, { set: 7, reason: "Delivery" });
    const orders = [];
    for (const quantity of [2, 1]) {
      const buyer = await aShopper(baseUrl, [{ sku: old, quantity }]);
      const placed = await buyer.checkOut();
      expect(placed.status, placed.text).toBe(201);
      orders.push(placed.body.data.order.id);
    }
    const renamed = await staff.patch(pathOf(product), { variants: [{ ...variant, sku }] });
    expect(renamed.status, renamed.text).toBe(200);
    expect(await unitsOf(sku)).toEqual({ on_hand: 7, available: 4, variant_id: variant.id });
    // Another product takes the old SKU. The orders' units are not its units.
    const other = await created({ variants: [{ sku: old, price: 1 }] });
    await staff.patch(`/admin/inventory/${old}`, { set: 1, reason: "Delivery" });
    const cancelled = await staff.patch(`/admin/orders/${orders[0]}`, { status: "cancelled" });
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(await unitsOf(sku)).toEqual({ on_hand: 7, available: 6, variant_id: variant.id });
    const others = { on_hand: 1, available: 1, variant_id: other.variants[0]!.id };
    expect(await unitsOf(old)).toEqual(others);
  });

  test("has the stock policy and the low-stock threshold that staff set", async () => {
    const product = await created();
    const [variant] = product.variants;
    const terms = { policy: "backorder", low_stock_threshold: 4 };
    const reply = await staff.patch<Data<AdminProduct>>(pathOf(product), {
      variants: [{ sku: variant?.sku, price: 5, ...terms }],
    });
    expect(reply.body.data.variants).toEqual([{ ...variant, price: 5, ...terms }]);
  });
});

describe("concurrent editing of a product", () => {
  test("keeps all concurrent PATCH requests that change different members", async () => {
    const product = await created();
    const changes = [
      { name: "Merged" },
      { subtitle: "Both" },
      { popularity: 7 },
      { tags: ["new"] },
    ];
    const replies = await Promise.all(
      changes.map((change) => staff.patch(pathOf(product), change)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const read = await staff.get<Data<AdminProduct>>(pathOf(product));
    expect(read.body.data).toMatchObject(Object.assign({ version: 5 }, ...changes));
  });

  test("accepts the first of concurrent PUT requests and refuses the others", async () => {
    const service = await startProxiedService(environment);
    onTestFinished(service.stop);
    const product = await created();
    const ask = asking(service.baseUrl, staff.token);
    const names = ["One", "Two", "Three"];
    const { result: replies } = await service.proxy.disturb(
      transactionsTogether(names.length),
      () =>
        Promise.all(
          names.map((name) =>
            ask<Data<AdminProduct> & Problem>("PUT", pathOf(product), {
              ...aProductBody({ slug: product.slug, name }),
              variants: [{ sku: product.variants[0]?.sku, price: 1 }],
            }),
          ),
        ),
    );
    expect(tally(replies)).toEqual({ "200": 1, "412 version_mismatch": 2 });
    const kept = replies.findIndex(({ status }) => status === 200);
    const read = await staff.get<Data<AdminProduct>>(pathOf(product));
    expect(read.body.data).toMatchObject({ version: 2, name: names[kept] });
  });
});

test("PUT of a product clears every member that the body omits, except the status", async () => {
  const product = await created({ subtitle: "Old", tags: ["new"], status: "published" });
  const reply = await staff.put<Data<AdminProduct>>(
    pathOf(product),
    aProductBody({ slug: product.slug, variants: [{ sku: product.variants[0]?.sku, price: 2 }] }),
  );
  expect(reply.body.data).toMatchObject({
    subtitle: null,
    tags: [],
    status: "published",
    version: 2,
  });
});

test("a picture URL that a response contained is accepted in a request of staff", async () => {
  const shown = await staff.get<Data<{ id: string }>>("/products/kaveri-lounge-chair");
  const demo = await staff.get<Data<AdminProduct>>(`/admin/products/${shown.body.data.id}`);
  const [picture] = demo.body.data.media;
  const baseUrl = environment.MEDIA_BASE_URL;
  const stored = picture?.url.replace(`${baseUrl}/`, "media://");
  const product = await created({ media: [{ ...picture, url: stored }] });
  expect(product.media).toEqual([picture]);
  const reply = await staff.patch<Data<AdminProduct>>(pathOf(product), { media: product.media });
  expect(reply.body.data.media).toEqual(product.media);
});

test("the admin product list can be paginated, filtered and sorted, and refuses unknown filters and sorts", async () => {
  const { body } = await staff.get<{ data: AdminProductRow[]; meta: { total: number } }>(
    "/admin/products?category=accent-chairs&status=published&sort=-price&per_page=2",
  );
  expect(body.data).toHaveLength(2);
  for (const row of body.data) expect(AdminProductRow.parse(row)).toEqual(row);
  expect(body.data.every(({ category_slug }) => category_slug === "accent-chairs")).toBe(true);
  expect(body.data[0]?.price).toBeGreaterThanOrEqual(body.data[1]?.price ?? 0);
  expect((await staff.get("/admin/products?colour=red")).status).toBe(422);
  expect((await staff.get("/admin/products?sort=cost")).status).toBe(422);
});
