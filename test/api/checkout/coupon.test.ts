import { describe, expect, test } from "vitest";
import type { Coupon, CouponTrial } from "#shared/domain/pricing/coupon.ts";
import { type Client, type Reply, clientOf } from "#test/support/http/client.ts";
import { aCheckout, plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import {
  aPerson,
  aShopper,
  type Data,
  type Shopper,
  otherwiseTyped,
} from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

const tryCode = (client: Client, code: string | null, headers = {}) =>
  client.post<Data<CouponTrial>>("/checkout/coupon", { code }, headers);

async function aBuyer(): Promise<Shopper> {
  const { sku } = await plantProduct(table);
  return aShopper(baseUrl, [{ sku, quantity: 1 }]);
}

test("a valid coupon code is applied to the cart, and the next valid code replaces it", async () => {
  const { client, headers, read } = await aBuyer();
  const percent = await plantCoupon(table);
  const fixed = await plantCoupon(table, { benefit: { kind: "fixed", amount: 150_000 } });
  const trial = await tryCode(client, percent.code.toLowerCase(), headers);
  expect(trial.status).toBe(200);
  expect(trial.body.data).toEqual({
    code: percent.code,
    valid: true,
    reason: null,
    message: expect.any(String),
    currency: "INR",
    discount: 100_000,
    cart: await read(),
  });
  expect((await read()).coupon?.code).toBe(percent.code);
  await tryCode(client, fixed.code, headers);
  expect(await read()).toMatchObject({
    coupon: { code: fixed.code },
    totals: { discount: 150_000 },
  });
});

test("a coupon code is the same with the invisible marks and spaces that come with pasting", async () => {
  const { client, headers } = await aBuyer();
  const { code } = await plantCoupon(table);
  const pasted = `\u2068${code.slice(0, 3)}\u200b ${code.slice(3)}\u2069`;
  const trial = await tryCode(client, pasted, headers);
  expect(trial.body.data).toMatchObject({ code, valid: true });
});

test("sending null removes the coupon from the cart", async () => {
  const { client, headers, read } = await aBuyer();
  const { code } = await plantCoupon(table);
  await tryCode(client, code, headers);
  const off = await tryCode(client, null, headers);
  expect(off.body.data).toMatchObject({ code: null, valid: true, discount: 0 });
  expect((await read()).coupon).toBeNull();
});

test("an invalid coupon code leaves the cart unchanged", async () => {
  const { client, headers, read } = await aBuyer();
  const { code } = await plantCoupon(table);
  await tryCode(client, code, headers);
  const before = await read();
  await tryCode(client, "NOSUCHCOUPON", headers);
  expect(await read()).toEqual(before);
});

test.each(["WELCOME/10", "x".repeat(40), "%", "", "x".repeat(100)])(
  "the malformed coupon code %j is refused like an unknown code",
  async (typed) => {
    const { client, headers, read } = await aBuyer();
    const trial = await tryCode(client, typed, headers);
    expect(trial.status).toBe(200);
    expect(trial.body.data).toEqual({
      code: typed,
      valid: false,
      reason: "not_found",
      message: expect.any(String),
      currency: "INR",
      discount: 0,
      cart: await read(),
    });
  },
);

test("the refusal of a coupon for a subtotal below its minimum states the minimum in the shop's number format", async () => {
  const { client, headers } = await aBuyer();
  const { code } = await plantCoupon(table, { min_subtotal: 12_345_600 });
  const { message } = (await tryCode(client, code, headers)).body.data;
  expect(message).toBe("This coupon is for orders from ₹1,23,456.00.");
});

describe("a coupon is refused with the reason", () => {
  test.each<[CouponTrial["reason"], Partial<Coupon>]>([
    ["not_found", { active: false }],
    ["not_started", { starts_at: "2099-01-01T00:00:00Z" }],
    ["expired", { ends_at: "2020-01-01T00:00:00Z" }],
    ["min_subtotal", { min_subtotal: 1_000_001 }],
    ["not_applicable", { applies_to: { categories: ["no-such-category"], product_ids: [] } }],
    ["login_required", { login_required: true }],
  ])("%s", async (reason, overrides) => {
    const { client, headers } = await aBuyer();
    const { code } = await plantCoupon(table, overrides);
    const trial = await tryCode(client, code, headers);
    expect(trial.status).toBe(200);
    expect(trial.body.data).toMatchObject({ code, valid: false, reason, discount: 0 });
  });

  test("exhausted once its uses have reached the limit", async () => {
    const { code } = await plantCoupon(table, { max_uses: 1 });
    expect((await (await aBuyer()).checkOut({ coupon: code })).status).toBe(201);
    const { client, headers } = await aBuyer();
    expect((await tryCode(client, code, headers)).body.data.reason).toBe("exhausted");
  });
});

describe("a coupon at checkout", () => {
  test("distributes its discount over the lines", async () => {
    const [one, other] = [await plantProduct(table), await plantProduct(table)];
    const { code } = await plantCoupon(table, { benefit: { kind: "fixed", amount: 100_001 } });
    const { checkOut } = await aShopper(baseUrl, [
      { sku: one.sku, quantity: 1 },
      { sku: other.sku, quantity: 2 },
    ]);
    const { body } = await checkOut({ coupon: code });
    const { items, totals, coupon_code } = body.data.order;
    expect(coupon_code).toBe(code);
    expect(items.map(({ line_discount }) => line_discount)).toEqual([33_334, 66_667]);
    expect(totals.discount).toBe(100_001);
    const charged = items.reduce((sum, { line_total }) => sum + line_total, totals.shipping);
    expect(totals.grand_total).toBe(charged);
  });

  test("returns 409 cart_changed if the cart's coupon is no longer valid", async () => {
    const coupon = await plantCoupon(table);
    const { sku, stock } = await plantProduct(table);
    const { checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }], coupon.code);
    await plantCoupon(table, { ...coupon, active: false });
    expect(await checkOut()).toMatchObject({
      status: 409,
      body: { code: "cart_changed", details: { requirements: [{ code: "coupon_invalid" }] } },
    });
    expect((await stock()).available).toBe(10);
  });

  test.each<[string, Partial<Coupon>]>([
    ["up to its limit per person", { max_uses_per_customer: 1 }],
    ["to a first order", { first_order_only: true }],
  ])("applies only %s; the buyer is recognised by email or phone", async (_, overrides) => {
    const { code } = await plantCoupon(table, overrides);
    const person = aPerson();
    const order = async (buyer: object) => {
      const { status, body } = await (await aBuyer()).checkOut({ coupon: code, ...buyer });
      return status === 422 ? Object.keys(body.errors ?? {}) : status;
    };
    expect(await order(person)).toBe(201);
    expect(await order(person)).toEqual(["coupon"]);
    expect(await order({ email: person.email })).toEqual(["coupon"]);
    expect(await order({ phone: person.phone })).toEqual(["coupon"]);
    expect(await order({ phone: otherwiseTyped(person.phone)[0] })).toEqual(["coupon"]);
    expect(await order(aPerson())).toBe(201);
  });
});

describe("the limit of ten coupon codes a minute", () => {
  const guesses: [string, (client: Client, buyer: Shopper) => Promise<Reply>, number][] = [
    ["POST /checkout/coupon", (client) => tryCode(client, "GUESS"), 200],
    [
      "POST /cart",
      (client, { headers }) => client.post("/cart", { items: [], coupon: "GUESS" }, headers),
      422,
    ],
    [
      "PATCH /cart/items",
      (client, { cart, headers }) => {
        const items = [{ id: cart.items[0]?.id, quantity: 1 }];
        return client.patch("/cart/items", { items, coupon: "GUESS" }, headers);
      },
      422,
    ],
    [
      "POST /checkout",
      (client, { headers }) => client.post("/checkout", aCheckout({ coupon: "GUESS" }), headers),
      422,
    ],
  ];

  test.each(guesses)(
    "applies to %s: ten requests are processed, and later ones return 429 with Retry-After",
    async (_, guess, wrong) => {
      const client = clientOf(baseUrl);
      const buyer = await aBuyer();
      const replies: Reply[] = [];
      for (let attempt = 0; attempt < 21; attempt++) replies.push(await guess(client, buyer));
      // A new minute may have started in between, which allows some more calls.
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(replies.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(wrong));
      expect(refused[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
    },
  );

  test("counts across all endpoints that accept a code", async () => {
    const client = clientOf(baseUrl);
    const buyer = await aBuyer();
    const statuses: number[] = [];
    for (let round = 0; round < 7; round++) {
      for (const [, guess] of guesses.slice(0, 3)) {
        statuses.push((await guess(client, buyer)).status);
      }
    }
    expect(statuses).toContain(429);
  });

  test("does not count cart writes without a code", async () => {
    const { client, headers } = await aBuyer();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const body = { items: [], ...(attempt % 2 === 0 && { coupon: null }) };
      statuses.push((await client.post("/cart", body, headers)).status);
    }
    expect(statuses).toEqual(Array(12).fill(200));
  });
});
