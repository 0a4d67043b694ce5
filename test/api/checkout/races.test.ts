import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { clientOf } from "#test/support/http/client.ts";
import { aCheckout, plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import { type Shopper, aShopper, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

/** All buyers check out concurrently. */
const allCheckOut = (buyers: readonly Shopper[], overrides?: Record<string, unknown>) =>
  Promise.all(buyers.map(({ checkOut }) => checkOut(overrides)));

const shoppers = (count: number, sku: string) =>
  Promise.all(Array.from({ length: count }, () => aShopper(baseUrl, [{ sku, quantity: 1 }])));

test(
  "200 concurrent buyers of 50 units place 50 orders and get 150 refusals, and the stock is exactly 0",
  { tags: "slow" },
  async () => {
    const { sku, product, stock } = await plantProduct(table, { units: 50 });
    const buyers = await shoppers(200, sku);
    const replies = await allCheckOut(buyers);
    expect(tally(replies)).toEqual({ "201": 50, "409 insufficient_stock": 150 });
    expect(await stock()).toMatchObject({ on_hand: 50, reserved: 50, available: 0 });
    for (const { status, body } of replies) {
      if (status === 201) continue;
      expect(body.message).toMatch(/left|out of stock/);
      expect(body.details).toMatchObject({ lines: [{ sku, name: product.name }] });
    }
  },
);

test("a coupon with 20 uses is used exactly 20 times by concurrent checkouts", async () => {
  const { sku, stock } = await plantProduct(table, { units: 60 });
  const { code } = await plantCoupon(table, { max_uses: 20 });
  const buyers = await shoppers(60, sku);
  const replies = await allCheckOut(buyers, { coupon: code });
  expect(tally(replies)).toEqual({ "201": 20, "422 validation_failed": 40 });
  expect((await stock()).reserved).toBe(20);
});

test("a checkout with a coupon that was used up meanwhile returns 409 cart_changed", async () => {
  const { sku } = await plantProduct(table);
  const { code } = await plantCoupon(table, { max_uses: 1 });
  const buyers = await Promise.all(
    Array.from({ length: 4 }, () => aShopper(baseUrl, [{ sku, quantity: 1 }], code)),
  );
  const replies = await allCheckOut(buyers);
  expect(tally(replies)).toEqual({ "201": 1, "409 cart_changed": 3 });
});

test("20 concurrent checkouts with one Idempotency-Key create one order and return equal responses", async () => {
  // The stock suffices for one order only, so an attempt to create a second order would fail.
  const { sku, stock } = await plantProduct(table, { units: 1 });
  const { headers } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const keyed = { ...headers, "idempotency-key": randomUUID() };
  const body = aCheckout();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => clientOf(baseUrl).post("/checkout", body, keyed)),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  const replayed = replies.filter(({ headers: answered }) => answered.has("idempotent-replayed"));
  expect(replayed).toHaveLength(19);
  expect((await stock()).reserved).toBe(1);
});

test("two concurrent checkouts of a cart without an Idempotency-Key create one order", async () => {
  const { sku, stock } = await plantProduct(table, { units: 10 });
  const { client, headers } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const body = aCheckout();
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => client.post("/checkout", body, headers)),
  );
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect((await stock()).reserved).toBe(1);
});

test("a checkout during cart changes places an order for the cart before or after a change, or returns cart_changed", async () => {
  const { sku, stock } = await plantProduct(table, { units: 50 });
  const { client, headers, checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const add = { items: [{ sku, quantity: 1 }] };
  const [placed] = await Promise.all([
    checkOut(),
    ...Array.from({ length: 5 }, () => client.patch("/cart/items", add, headers)),
  ]);
  const bought = placed.status === 201 ? placed.body.data.order.items[0]?.quantity : 0;
  if (placed.status !== 201) expect(placed.body.code).toBe("cart_changed");
  expect((await stock()).reserved).toBe(bought);
});
