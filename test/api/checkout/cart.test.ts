import { describe, expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { inWords } from "#shared/domain/base/names.ts";
import { PublishedProducts, Stocks } from "#shared/storage/catalog/catalog.ts";
import { claimSku } from "#shared/storage/catalog/sku-claims.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { put, remove, update } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aPublishedProduct, plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aShopper, type Data, type Shopper } from "#test/support/shop/shopping.ts";
import { whenShown } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

describe("a caller without a cart", () => {
  test("gets an empty cart from GET /cart, but no cart token", async () => {
    const { status, body, headers } = await clientOf(baseUrl).get<Data<Cart>>("/cart");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: null,
      currency: "INR",
      items: [],
      item_count: 0,
      coupon: null,
      totals: { items_subtotal: 0, grand_total: 0, shipping: null, provisional: true },
      requirements: [],
      warnings: [],
      version: 0,
      expires_at: null,
    });
    expect(body.data).not.toHaveProperty("token");
    expect(headers.has("x-cart-token")).toBe(false);
  });

  test("gets totals of zero and no delivery price for any destination", async () => {
    const { body } = await clientOf(baseUrl).get<Data<Cart>>(
      "/cart?postal_code=560001&shipping_method=standard",
    );
    const { totals, requirements } = body.data;
    expect(totals).toMatchObject({ shipping: null, shipping_tax: 0, tax: 0, grand_total: 0 });
    expect(requirements).toEqual([]);
  });

  test("gets an empty cart for an unknown token, and a write creates a cart with a new token instead", async () => {
    const { sku } = await plantProduct(table);
    const client = clientOf(baseUrl);
    const headers = { "x-cart-token": "chosen-by-the-client" };
    expect((await client.get<Data<Cart>>("/cart", headers)).body.data.items).toEqual([]);
    const items = [{ sku, quantity: 1 }];
    const made = await client.patch<Data<Cart>>("/cart/items", { items }, headers);
    expect(made.status).toBe(200);
    expect(made.body.data.token).not.toBe("chosen-by-the-client");
    expect((await client.get<Data<Cart>>("/cart", headers)).body.data.items).toEqual([]);
  });
});

describe("POST /cart", () => {
  test("issues a token of 256 random bits in body and header, and only its hash is stored", async () => {
    const { sku } = await plantProduct(table);
    const items = [{ sku, quantity: 1 }];
    const made = await clientOf(baseUrl).post<Data<Cart>>("/cart", { items });
    expect(made.status).toBe(201);
    expect(made.body.data.token).toMatch(/^[\w-]{43}$/);
    expect(made.headers.get("x-cart-token")).toBe(made.body.data.token);
    const token = made.body.data.token ?? "";
    const cartUnder = (tokenHash: string) =>
      table.get(Carts, { owner: { kind: "guest", tokenHash } });
    const stored = await cartUnder(hashOf(token));
    expect(stored?.lines).toMatchObject([{ sku }]);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await cartUnder(token)).toBeUndefined();
  });

  test("returns lines with name, prices, tax, availability and lead time", async () => {
    const { product, sku } = await plantProduct(table);
    const { cart } = await aShopper(baseUrl, [{ sku, quantity: 2 }]);
    expect(cart.items).toEqual([
      {
        id: expect.stringMatching(/^line_/),
        kind: "product",
        product_id: product.id,
        sofa_id: null,
        variant_id: product.variants[0]?.id,
        slug: product.slug,
        material_code: null,
        configuration: null,
        configuration_id: null,
        choices: [],
        name: product.name,
        sku,
        image: null,
        quantity: 2,
        unit_price: 1_000_000,
        line_subtotal: 2_000_000,
        line_discount: 0,
        line_tax: 305_084,
        line_total: 2_000_000,
        upload_ids: [],
        note: null,
        availability: "in_stock",
        lead_time: { min_days: 1, max_days: 3 },
        price_changed: null,
      },
    ]);
    expect(cart).toMatchObject({
      id: expect.stringMatching(/^cart_/),
      item_count: 2,
      version: 1,
      totals: { items_subtotal: 2_000_000, grand_total: 2_000_000, provisional: true },
    });
  });

  test("replaces the cart's contents and keeps its token and id", async () => {
    const [one, other] = [await plantProduct(table), await plantProduct(table)];
    const { client, cart, headers, read } = await aShopper(baseUrl, [
      { sku: one.sku, quantity: 1 },
    ]);
    const items = [{ sku: other.sku, quantity: 3 }];
    const replaced = await client.post<Data<Cart>>("/cart", { items }, headers);
    expect(replaced.status).toBe(200);
    expect(replaced.headers.has("x-cart-token")).toBe(false);
    const now = await read();
    expect(now).toMatchObject({ id: cart.id, item_count: 3, version: 2 });
    expect(now).not.toHaveProperty("token");
  });

  test("returns 422 at the path of an unknown SKU and stores nothing", async () => {
    const { sku } = await plantProduct(table);
    const items = [
      { sku, quantity: 1 },
      { sku: "NO-SUCH-THING", quantity: 1 },
    ];
    const { status, body, headers } = await clientOf(baseUrl).post<Problem>("/cart", { items });
    expect(status).toBe(422);
    expect(body.errors).toEqual({ "items.1.sku": ["There is no item with this SKU."] });
    expect(headers.has("x-cart-token")).toBe(false);
  });

  test("refuses the SKU of a draft as it refuses an unknown SKU", async () => {
    const [draft, { sku }] = await Promise.all([plantProduct(table), plantProduct(table)]);
    await table.write(remove(PublishedProducts, draft.product));
    const items = [{ sku: draft.sku, quantity: 1 }];
    const unknown = "There is no item with this SKU.";
    const { status, body } = await clientOf(baseUrl).post<Problem>("/cart", { items });
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: unknown, errors: { "items.0.sku": [unknown] } });
    const { client, headers } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const added = await client.patch<Problem>("/cart/items", { items }, headers);
    expect([added.status, added.body.errors]).toEqual([422, { "items.0.sku": [unknown] }]);
  });

  test("returns 422 for a quantity above the stock, and never reveals an exact stock above ten", async () => {
    const [few, many] = [
      await plantProduct(table, { units: 3 }),
      await plantProduct(table, { units: 40 }),
    ];
    const items = [
      { sku: few.sku, quantity: 4 },
      { sku: many.sku, quantity: 41 },
    ];
    const { status, body } = await clientOf(baseUrl).post<Problem>("/cart", { items });
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      "items.0.quantity": [`Only 3 of ${few.product.name} are left.`],
      "items.1.quantity": [`There are not enough units of ${many.product.name}.`],
    });
    expect(body.details).toEqual({
      available: 3,
      lines: [
        { path: "items.0.quantity", sku: few.sku, name: few.product.name, available: 3 },
        { path: "items.1.quantity", sku: many.sku, name: many.product.name, available: 10 },
      ],
    });
  });

  test("accepts backorders beyond the stock with a warning", async () => {
    const { sku } = await plantProduct(table, { units: 0, policy: "backorder" });
    const { cart } = await aShopper(baseUrl, [{ sku, quantity: 5 }]);
    expect(cart.items[0]?.availability).toBe("backorder");
    expect(cart.requirements).toEqual([]);
    expect(cart.warnings).toMatchObject([{ code: "backorder", item_id: cart.items[0]?.id }]);
  });

  test("returns 422 for more than 50 lines or a quantity above 99", async () => {
    const client = clientOf(baseUrl);
    const items = Array.from({ length: 51 }, (_, index) => ({ sku: `X-${index}`, quantity: 1 }));
    expect((await client.post("/cart", { items })).status).toBe(422);
    const tooMany = await client.post<Problem>("/cart", { items: [{ sku: "X-1", quantity: 100 }] });
    expect(tooMany.body.errors).toHaveProperty(["items.0.quantity"]);
  });
});

describe("PATCH /cart/items", () => {
  test("creates a cart if the caller has none", async () => {
    const { sku } = await plantProduct(table);
    const client = clientOf(baseUrl);
    const items = [{ sku, quantity: 1 }];
    const made = await client.patch<Data<Cart>>("/cart/items", { items });
    expect(made.status).toBe(200);
    expect(made.headers.get("x-cart-token")).toBe(made.body.data.token);
  });

  test("adds new lines, merges equal lines, and changes and removes lines by id", async () => {
    const [one, two, three] = [
      await plantProduct(table),
      await plantProduct(table),
      await plantProduct(table),
    ];
    const { client, cart, headers } = await aShopper(baseUrl, [
      { sku: one.sku, quantity: 1 },
      { sku: two.sku, quantity: 1 },
    ]);
    const [first, second] = cart.items;
    const items = [
      { id: second?.id, quantity: 0 },
      { sku: one.sku, quantity: 2 },
      { sku: three.sku, quantity: 1 },
    ];
    const { body } = await client.patch<Data<Cart>>("/cart/items", { items }, headers);
    expect(body.data.items.map(({ sku, quantity }) => [sku, quantity])).toEqual([
      [one.sku, 3],
      [three.sku, 1],
    ]);
    expect(body.data.items[0]?.id).toBe(first?.id);
    const change = { items: [{ id: first?.id, quantity: 5 }] };
    const after = await client.patch<Data<Cart>>("/cart/items", change, headers);
    expect(after.body.data.items[0]).toMatchObject({ id: first?.id, quantity: 5 });
  });

  test("checks against the current product and stock records, not against those that were read shortly before", async () => {
    const { sku, stock_id: id, product } = await plantProduct(table, { units: 1 });
    const { client, headers, cart } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    await table.write(update(Stocks, { id }, { set: { available: 9, on_hand: 9 } }));
    const more = { items: [{ id: cart.items[0]?.id, quantity: 5 }] };
    expect((await client.patch("/cart/items", more, headers)).status).toBe(200);

    const other = { ...product.variants[0]!, id: newId("var", new Date()), sku: `${sku}-NEW` };
    const row = (await table.get(Stocks, { id }))!;
    await table.transact([
      put(PublishedProducts, { ...product, variants: [...product.variants, other] }),
      put(Stocks, { ...row, id: other.id }),
      claimSku(other.sku, other.id, row.owner),
    ]);
    const added = { items: [{ sku: other.sku, quantity: 1 }] };
    expect((await client.patch("/cart/items", added, headers)).status).toBe(200);
  });

  test("does not increment the version if nothing changes", async () => {
    const { sku } = await plantProduct(table);
    const { client, cart, headers, read } = await aShopper(baseUrl, [{ sku, quantity: 2 }]);
    const items = [{ id: cart.items[0]?.id, quantity: 2 }];
    const same = await client.patch<Data<Cart>>("/cart/items", { items }, headers);
    const { token: _token, ...before } = cart;
    expect([same.status, same.body.data]).toEqual([200, before]);
    expect(await read()).toEqual(before);
  });

  test("applies all changes of a request or none", async () => {
    const { sku } = await plantProduct(table);
    const { client, cart, headers, read } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const items = [
      { id: cart.items[0]?.id, quantity: 3 },
      { id: "line_01JD0000000000000000000001", quantity: 1 },
    ];
    const refused = await client.patch<Problem>("/cart/items", { items }, headers);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toHaveProperty(["items.1.id"]);
    expect(await read()).toEqual({ ...cart, token: undefined });
  });

  test("applies all concurrent changes", async () => {
    const products = await Promise.all(Array.from({ length: 6 }, () => plantProduct(table)));
    const { client, headers, read } = await aShopper(baseUrl, []);
    const replies = await Promise.all(
      products.map(({ sku }) =>
        client.patch("/cart/items", { items: [{ sku, quantity: 1 }] }, headers),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(products.map(() => 200));
    expect((await read()).item_count).toBe(6);
  });
});

describe("DELETE /cart/items/{id}", () => {
  test("removes the line and returns the cart", async () => {
    const { sku } = await plantProduct(table);
    const { client, cart, headers, read } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const path = `/cart/items/${cart.items[0]?.id}`;
    const removed = await client.delete<Data<Cart>>(path, headers);
    expect([removed.status, removed.body.data]).toEqual([200, await read()]);
    expect(removed.body.data.items).toEqual([]);
    expect((await client.delete(path, headers)).status).toBe(404);
  });

  test("returns 404 for a line of another cart", async () => {
    const { sku } = await plantProduct(table);
    const [mine, other] = [
      await aShopper(baseUrl, [{ sku, quantity: 1 }]),
      await aShopper(baseUrl, [{ sku, quantity: 1 }]),
    ];
    const path = `/cart/items/${other.cart.items[0]?.id}`;
    expect((await mine.client.delete(path, mine.headers)).status).toBe(404);
    expect((await other.read()).item_count).toBe(1);
  });
});

describe("a cart whose products have changed", () => {
  test("shows both the current and the earlier price until the buyer's next write, which accepts the current price", async () => {
    const { product, sku } = await plantProduct(table);
    const { client, headers, read, cart } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const [variant] = product.variants;
    const dearer = { ...product, variants: [{ ...variant!, price: 1_200_000 }] };
    await table.write(put(PublishedProducts, dearer));
    await whenShown(async () =>
      expect(await read()).toMatchObject({
        items: [{ unit_price: 1_200_000, price_changed: { from: 1_000_000, to: 1_200_000 } }],
        warnings: [{ code: "price_changed" }],
        version: cart.version,
      }),
    );
    const items = [{ id: cart.items[0]?.id, quantity: 2 }];
    const written = await client.patch<Data<Cart>>("/cart/items", { items }, headers);
    expect(written.body.data.items[0]?.price_changed).toBeNull();
    expect((await read()).warnings).toEqual([]);
  });

  test("refers to a product under its new slug, even if another product has the old slug", async () => {
    const { product, sku, stock } = await plantProduct(table);
    const { read, cart, client, headers } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const moved = { ...product, slug: `${product.slug}-moved` };
    const row = await stock();
    await table.transact([
      put(PublishedProducts, moved),
      put(PublishedProducts, aPublishedProduct({ slug: product.slug })),
      put(Stocks, { ...row, owner: { ...row.owner, slug: moved.slug } }),
    ]);
    await whenShown(async () => {
      const found = await read();
      expect(found.requirements).toEqual([]);
      expect(found.items).toEqual([{ ...cart.items[0], slug: moved.slug }]);
    });
    const items = [{ id: cart.items[0]?.id, quantity: 2 }];
    const written = await client.patch<Data<Cart>>("/cart/items", { items }, headers);
    expect(written.body.data.items).toMatchObject([{ slug: moved.slug, quantity: 2 }]);
  });

  test("names an archived product after its slug", async () => {
    const planted = await plantProduct(table);
    const { read, client, headers } = await aShopper(baseUrl, [{ sku: planted.sku, quantity: 1 }]);
    await table.write(remove(PublishedProducts, planted.product));
    const other = await plantProduct(table);
    const name = inWords(planted.product.slug);
    const isGone = async (...others: object[]) =>
      expect(await read()).toMatchObject({
        items: [{ name, sku: planted.sku, image: null, availability: "out_of_stock" }, ...others],
        requirements: [{ message: `${name} is no longer sold.` }],
      });
    await whenShown(() => isGone());
    await client.patch("/cart/items", { items: [{ sku: other.sku, quantity: 1 }] }, headers);
    await isGone({ sku: other.sku });
  });

  test("reports unavailable and out-of-stock lines in `requirements`", async () => {
    const [gone, sold] = [await plantProduct(table), await plantProduct(table)];
    const { read, cart } = await aShopper(baseUrl, [
      { sku: gone.sku, quantity: 1 },
      { sku: sold.sku, quantity: 2 },
    ]);
    await table.write(remove(PublishedProducts, gone.product));
    await table.write(update(Stocks, { id: sold.stock_id }, { set: { available: 1 } }));
    const [first, second] = cart.items;
    const message = `Only 1 of ${sold.product.name} is left.`;
    await whenShown(async () =>
      expect((await read()).requirements).toEqual([
        { code: "unavailable", message: expect.any(String), item_id: first?.id },
        { code: "insufficient_stock", message, item_id: second?.id },
      ]),
    );
  });

  test("shows why its coupon is no longer valid", async () => {
    const { sku } = await plantProduct(table);
    const coupon = await plantCoupon(table);
    const { read, cart } = await aShopper(baseUrl, [{ sku, quantity: 1 }], coupon.code);
    expect(cart).toMatchObject({
      coupon: { code: coupon.code, valid: true, reason: null },
      totals: { discount: 100_000, grand_total: 900_000 },
    });
    await plantCoupon(table, { ...coupon, ends_at: "2020-01-01T00:00:00Z" });
    expect(await read()).toMatchObject({
      coupon: { code: coupon.code, valid: false, reason: "expired" },
      totals: { discount: 0, grand_total: 1_000_000 },
      requirements: [{ code: "coupon_invalid" }],
    });
  });
});

test("GET /cart validates the destination and includes the price of the delivery method", async () => {
  const { sku } = await plantProduct(table);
  const { read, client, headers } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const there = await read("?postal_code=560001&country=IN&shipping_method=standard");
  expect(there.totals.provisional).toBe(false);
  expect(there.totals.grand_total).toBe(1_000_000 + (there.totals.shipping ?? 0));
  const malformed = await client.get<Problem>("/cart?postal_code=12&country=IN", headers);
  expect(malformed.body.errors).toHaveProperty("postal_code");
  const halfway = await read("?shipping_method=standard");
  expect(halfway.totals).toMatchObject({ shipping: null, provisional: true });
});

describe("an impossible delivery in GET /cart", () => {
  const refusalOf = async (shopper: Shopper, checkout: Record<string, unknown>) =>
    Object.values((await shopper.checkOut(checkout)).body.errors ?? {}).flat()[0];

  test("appears in `requirements` with the same message as checkout's error if the destination is not served", async () => {
    const { sku } = await plantProduct(table);
    const shopper = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const shipping_address = { line1: "1 Rue", city: "Paris", postal_code: "75001", country: "FR" };
    const message = await refusalOf(shopper, { shipping_address });
    const { requirements } = await shopper.read(
      "?postal_code=75001&country=FR&shipping_method=standard",
    );
    expect(requirements).toEqual([{ code: "area_not_served", message, item_id: null }]);
    const anywhere = await shopper.read("?postal_code=75001&country=FR");
    expect(anywhere.requirements).toEqual(requirements);
  });
});

test("GET /cart returns an expired cart as empty", async () => {
  const { sku } = await plantProduct(table);
  const { token, read } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const owner = { kind: "guest", tokenHash: hashOf(token) } as const;
  await table.write(update(Carts, { owner }, { set: { expires_at: "2020-01-01T00:00:00.000Z" } }));
  expect(await read()).toMatchObject({ id: null, items: [] });
});
