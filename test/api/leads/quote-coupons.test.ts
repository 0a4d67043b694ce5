import { describe, expect, test } from "vitest";
import { productCard } from "#shared/domain/catalog/product-card.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import { Cards } from "#shared/storage/catalog/catalog.ts";
import { CouponUses, Coupons } from "#shared/storage/pricing/coupons.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import {
  type QuoteView,
  aBench,
  acceptByLink,
  beginQuote,
  linkToken,
} from "#test/support/back-office/sales.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aMember } from "#test/support/people/members.ts";
import { aCheckout, plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, staffAs } = await useShop();

const { table } = world;
const visitor = clientOf(baseUrl);

const clerk = await staffAs("order_desk");
const manager = await staffAs("manager");

type Answer = Data<QuoteView> & Problem;
interface Placed {
  readonly order: AdminOrder;
}

/** A quote of two chairs at 10,000.00 each, with the coupon. */
async function quoteWith(coupon: Pick<Coupon, "code">, overrides: Record<string, unknown> = {}) {
  const { product } = await plantProduct(table, { units: 50 });
  await table.write(put(Cards, productCard(product, [])));
  const items = [{ product: product.slug, quantity: 2 }];
  return beginQuote(manager, { items, coupon: coupon.code, ...overrides });
}
const read = async (id: string) =>
  (await manager.get<Data<QuoteView>>(`/admin/quotes/${id}`)).body.data;
const send = (id: string) =>
  manager.post<Data<{ quote: QuoteView }> & Problem>(`/admin/quotes/${id}/send`, { via: "link" });
const sentWith = async (coupon: Pick<Coupon, "code">, overrides: Record<string, unknown> = {}) => {
  const { id } = await quoteWith(coupon, overrides);
  const { status, body, text } = await send(id);
  expect(status, text).toBe(200);
  return body.data.quote;
};
const place = (id: string) =>
  clerk.post<Data<Placed> & Problem>(
    `/admin/quotes/${id}/place`,
    { payment: { method: "bank_transfer" } },
    aKey(),
  );
const usesOf = async ({ code }: Pick<Coupon, "code">) =>
  (await table.get(CouponUses, { code, by: "all" }))?.uses ?? 0;
const transfer = (overrides: object = {}) =>
  aCheckout({ payment_method: "bank_transfer", ...overrides });
/** Uses the coupon in the order of another buyer. */
async function useUp({ code }: Coupon): Promise<void> {
  const { sku } = await plantProduct(table);
  const { headers } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const { status, text } = await visitor.post("/checkout", transfer({ coupon: code }), headers);
  expect(status, text).toBe(201);
}

describe("the coupon of a quote", () => {
  test("becomes discounts of its lines when the quote is sent, after those of staff", async () => {
    const coupon = await plantCoupon(table, {
      benefit: { kind: "percent", bps: 1_000, cap: null },
    });
    const { product } = await plantProduct(table, { units: 50 });
    const discount = { bps: 500, reason: "Two of them" };
    const items = [
      { product: product.slug, quantity: 2, discount },
      aBench({ unit_price: 333_333, quantity: 1 }),
    ];
    const begun = await quoteWith(coupon, { items });
    expect(begun).toMatchObject({
      coupon: coupon.code,
      items: [{ coupon_discount: 0, line_discount: 100_000 }, { coupon_discount: 0 }],
    });
    const { quote } = (await send(begun.id)).body.data;
    // A tenth of 1,900,000 + 333,333, half to even.
    expect(quote.items.map((item) => item.coupon_discount)).toEqual([190_000, 33_333]);
    expect(quote.items.map((item) => item.line_discount)).toEqual([290_000, 33_333]);
    expect(quote.totals?.discount).toBe(323_333);
    expect(await usesOf(coupon)).toBe(0);

    const changed = await manager.patch<Answer>(`/admin/quotes/${begun.id}`, { coupon: null });
    expect(changed.body.data).toMatchObject({
      status: "in_review",
      coupon: null,
      items: [{ coupon_discount: 0 }, { coupon_discount: 0 }],
    });
  });

  test("is applied too by the edit that sends the quote", async () => {
    const coupon = await plantCoupon(table, { benefit: { kind: "fixed", amount: 150_000 } });
    const { id } = await quoteWith(coupon, {
      customer: { name: "Asha Rao", email: `asha.${aKey()["idempotency-key"]}@example.com` },
    });
    const { status, body, text } = await manager.patch<Answer>(`/admin/quotes/${id}`, {
      status: "sent",
    });
    expect(status, text).toBe(200);
    expect(body.data.items).toMatchObject([{ coupon_discount: 150_000 }]);
  });

  test("applies to the lines of its categories, by the catalog when the quote is sent", async () => {
    const categories = ["accent-chairs"];
    const coupon = await plantCoupon(table, { applies_to: { categories, product_ids: [] } });
    const { product } = await plantProduct(table, { units: 50 });
    await table.write(put(Cards, productCard(product, [])));
    const chair = { product: product.slug, quantity: 1 };
    const items = [chair, aBench({ unit_price: 500_000 })];
    const quote = await sentWith(coupon, { items });
    expect(quote.items.map((item) => item.coupon_discount)).toEqual([100_000, 0]);
    const { id } = await quoteWith(coupon, { items: [aBench({ unit_price: 500_000 })] });
    const refused = await send(id);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { coupon: ["This coupon does not apply to any line of the quote."] },
    ]);
  });

  test("fixes delivery at 0 where it makes delivery free", async () => {
    const coupon = await plantCoupon(table, { benefit: { kind: "free_shipping" } });
    const { id, totals } = await quoteWith(coupon, { shipping_method: "white_glove" });
    expect(totals?.shipping).toBeGreaterThan(0);
    const cart = await acceptByLink(baseUrl, manager, id);
    expect(await read(id)).toMatchObject({
      free_shipping: true,
      totals: { shipping: 0, discount: 0 },
    });
    await table.write(put(Coupons, { ...coupon, active: false }));
    const shown = await visitor.get<Data<Cart>>("/cart?postal_code=560001", cart);
    expect(shown.body.data.totals).toMatchObject({ shipping: 0, provisional: false });
    const { order } = (await place(id)).body.data;
    expect(order).toMatchObject({ coupon_code: coupon.code, totals: { shipping: 0 } });
  });

  test.each<[string, Partial<Coupon>, string]>([
    ["below its minimum", { min_subtotal: 900_000_000 }, "This coupon is for orders from"],
    ["for somebody without an account", { login_required: true }, "customers with an account"],
    ["after its end", { ends_at: "2026-01-01T00:00:00.000Z" }, "no longer valid"],
  ])("refuses the sending and the placing of a quote %s", async (_, terms, message) => {
    const { id } = await quoteWith(await plantCoupon(table, terms));
    for (const { status, body } of [await send(id), await place(id)]) {
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["coupon"]]);
      expect(body.errors?.["coupon"]?.[0]).toContain(message);
    }
    expect((await read(id)).status).toBe("in_review");
  });

  test("must exist, in each edit", async () => {
    const { id } = await quoteWith(await plantCoupon(table));
    const path = `/admin/quotes/${id}`;
    const unknown = await manager.patch<Answer>(path, { coupon: "NOSUCHCOUPON" });
    expect([unknown.status, Object.keys(unknown.body.errors ?? {})]).toEqual([422, ["coupon"]]);
    expect((await manager.patch(path, { coupon: null })).status).toBe(200);
  });
});

describe("a quote that was sent with a coupon", () => {
  test("counts its use when staff place it, beyond the limit, and once only", async () => {
    const coupon = await plantCoupon(table, { max_uses: 1, max_uses_per_customer: 1 });
    const quote = await sentWith(coupon);
    await useUp(coupon);
    expect(await usesOf(coupon)).toBe(1);
    const { status, body, text } = await place(quote.id);
    expect(status, text).toBe(201);
    const { order } = body.data;
    expect(order).toMatchObject({
      coupon_code: coupon.code,
      items: [{ line_discount: 200_000 }],
      totals: { discount: 200_000, grand_total: quote.totals?.grand_total },
    });
    expect(await usesOf(coupon)).toBe(2);
    expect(await table.get(Coupons, coupon)).toMatchObject({ used: true });

    const cancelled = await manager.patch(`/admin/orders/${order.id}`, { status: "cancelled" });
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(await usesOf(coupon)).toBe(1);
  });

  test("counts its use when the buyer places it, beyond the limit and for a later order", async () => {
    const coupon = await plantCoupon(table, { max_uses: 1, first_order_only: true });
    const quote = await quoteWith(coupon);
    const cart = await acceptByLink(baseUrl, manager, quote.id);
    await useUp(coupon);
    const contact = { email: `later.${aKey()["idempotency-key"]}@example.com` };
    const { sku } = await plantProduct(table);
    const earlier = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    expect((await visitor.post("/checkout", transfer(contact), earlier.headers)).status).toBe(201);
    const { status, body, text } = await visitor.post<Data<CheckoutAnswer>>(
      "/checkout",
      transfer(contact),
      cart,
    );
    expect(status, text).toBe(201);
    expect(body.data.order).toMatchObject({
      coupon_code: coupon.code,
      items: [{ line_discount: 200_000 }],
    });
    expect(await usesOf(coupon)).toBe(2);
  });

  test("marks a coupon that nobody used before, so that its code stays", async () => {
    const coupon = await plantCoupon(table);
    const [first, second] = [await sentWith(coupon), await quoteWith(coupon)];
    expect((await place(first.id)).status).toBe(201);
    expect(await table.get(Coupons, coupon)).toMatchObject({ used: true });
    const cart = await acceptByLink(baseUrl, manager, second.id);
    expect((await visitor.post("/checkout", transfer(), cart)).status).toBe(201);
  });

  test("is honoured at its prices after the coupon was deleted", async () => {
    const coupon = await plantCoupon(table);
    const [bySelf, byStaff] = [await quoteWith(coupon), await sentWith(coupon)];
    const cart = await acceptByLink(baseUrl, manager, bySelf.id);
    await table.write(remove(Coupons, coupon));
    const bought = await visitor.post<Data<CheckoutAnswer>>("/checkout", transfer(), cart);
    expect(bought.status, bought.text).toBe(201);
    for (const order of [bought.body.data.order, (await place(byStaff.id)).body.data.order]) {
      expect(order).toMatchObject({ coupon_code: coupon.code, totals: { discount: 200_000 } });
    }
  });

  test("takes no other coupon into its order", async () => {
    const [coupon, other] = [await plantCoupon(table), await plantCoupon(table)];
    const cart = await acceptByLink(baseUrl, manager, (await quoteWith(coupon)).id);
    const { sku } = await plantProduct(table);
    await visitor.patch("/cart/items", { items: [{ sku, quantity: 1 }] }, cart);
    const tried = await visitor.post<Data<{ valid: boolean; message: string }>>(
      "/checkout/coupon",
      { code: other.code },
      cart,
    );
    expect(tried.body.data).toMatchObject({
      valid: false,
      message: "The quote in your cart has a coupon of its own, and no other can be added.",
    });
    const both = await visitor.post<Problem>("/checkout", transfer({ coupon: other.code }), cart);
    expect([both.status, Object.keys(both.body.errors ?? {})]).toEqual([422, ["coupon"]]);
    const bought = await visitor.post<Data<CheckoutAnswer>>("/checkout", transfer(), cart);
    expect(bought.body.data.order).toMatchObject({
      coupon_code: coupon.code,
      totals: { discount: 200_000 },
    });
    expect(await usesOf(other)).toBe(0);
  });

  test("is not ordered together with another that has a coupon", async () => {
    const member = await aMember(baseUrl);
    for (const coupon of [await plantCoupon(table), await plantCoupon(table)]) {
      const { id } = await quoteWith(coupon);
      const token = await linkToken(manager, id);
      const path = `/quotes/${id}/accept`;
      expect((await visitor.post(path, { token }, member.headers)).status).toBe(200);
    }
    const { body } = await visitor.get<Data<Cart>>("/cart", member.headers);
    expect(body.data.requirements).toMatchObject([
      { code: "coupon_invalid", item_id: body.data.items[1]?.id },
    ]);
    const refused = await visitor.post<Problem>("/checkout", transfer(), member.headers);
    expect([refused.status, refused.body.code]).toEqual([409, "cart_changed"]);
  });
});

describe("a quote that was not sent", () => {
  test("gets its coupon when staff place it, within the limits of the coupon", async () => {
    const coupon = await plantCoupon(table, { max_uses: 1 });
    const quotes = [await quoteWith(coupon), await quoteWith(coupon), await quoteWith(coupon)];
    const placed = await Promise.all(quotes.map(({ id }) => place(id)));
    const made = placed.filter(({ status }) => status === 201);
    expect(made.map(({ body }) => body.data.order)).toMatchObject([
      { coupon_code: coupon.code, totals: { discount: 200_000 } },
    ]);
    const refused = placed.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, Object.keys(body.errors ?? {})])).toEqual([
      [422, ["coupon"]],
      [422, ["coupon"]],
    ]);
    expect(await usesOf(coupon)).toBe(1);
    const converted = quotes.find(({ id }) => id === made[0]?.body.data.order.quotes[0]?.id);
    expect((await read(converted?.id ?? "")).items).toMatchObject([{ coupon_discount: 200_000 }]);
  });
});
