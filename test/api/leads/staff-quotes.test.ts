import { beforeAll, describe, expect, test } from "vitest";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMember } from "#test/support/people/members.ts";
import { type StaffClient, staffClient, worldOf } from "#test/support/people/people.ts";
import { type QuoteView, aBench } from "#test/support/back-office/sales.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop();

const world = worldOf(environment);
const { shipping_address } = aCheckout();
const caller = { name: "Asha Rao", phone: "+919845011223" };

let clerk: StaffClient;
let seller: StaffClient;
beforeAll(async () => {
  clerk = await staffClient(baseUrl, world, "order_desk");
  seller = await staffClient(baseUrl, world, "sales");
});

async function aChair() {
  const { product, sku } = await plantProduct(world.table, { units: 20 });
  return { sku, line: { product: product.slug, quantity: 2 } };
}

const begin = (by: StaffClient, body: object, key = aKey()) =>
  by.post<Data<QuoteView> & Problem>(
    "/admin/quotes",
    { customer: caller, channel: "phone", ...body },
    key,
  );
const change = (by: StaffClient, id: string, body: object) =>
  by.patch<Data<QuoteView> & Problem>(`/admin/quotes/${id}`, body);

describe("a quote that staff begin", () => {
  test("is in review at the catalog's prices, with the totals of a cart that is delivered there", async () => {
    const { line } = await aChair();
    const terms = { shipping_address, shipping_method: "white_glove", payment_plan: "full" };
    const { status, body, headers } = await begin(clerk, { items: [line], ...terms });
    expect(status).toBe(201);
    const { id, items } = body.data;
    expect(headers.get("location")).toBe(`/api/v1/admin/quotes/${id}`);
    expect(body.data).toMatchObject({
      ...caller,
      ...terms,
      status: "in_review",
      email: null,
      customer_id: null,
      consented_at: null,
      channel: "phone",
      sold_by: clerk.id,
      totals: { items_subtotal: 2_000_000, discount: 0, provisional: false },
    });
    expect(body.data.totals?.shipping).toEqual(expect.any(Number));
    expect(body.data.totals?.grand_total).toBe(2_000_000 + (body.data.totals?.shipping ?? 0));
    expect(items.map(({ regular_price, unit_price }) => [regular_price, unit_price])).toEqual([
      [1_000_000, 1_000_000],
    ]);
  });

  test("is for a customer with an account, or for anybody who can be reached", async () => {
    const member = await aMember(baseUrl);
    const [{ line }, someone] = [await aChair(), { name: "Asha Rao", email: "asha@example.com" }];
    const { body } = await begin(seller, { customer: { id: member.id }, items: [line] });
    const { customer_id, email, id } = body.data;
    expect([customer_id, email]).toEqual([member.id, member.email]);
    const moved = await change(seller, id, { customer: someone });
    expect(moved.body.data).toMatchObject({ customer_id: null, phone: null, ...someone });
    const refused: [object, string][] = [
      [{ id: "cus_01KE66PJA0M594E921BVM9D6BK" }, "customer.id"],
      [{ id: member.id, name: "Asha" }, "customer.id"],
      [{ name: "Asha" }, "customer.id"],
      [{ phone: caller.phone }, "customer.id"],
    ];
    for (const [customer, path] of refused) {
      const { status, body } = await begin(seller, { customer, items: [line] });
      expect([customer, status, Object.keys(body.errors ?? {})]).toEqual([customer, 422, [path]]);
    }
  });

  test("exists once for one key, and is not for who may not sell", async () => {
    const body = { items: [(await aChair()).line] };
    const key = aKey();
    const replies = await Promise.all([begin(seller, body, key), begin(seller, body, key)]);
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
    const analyst = await staffClient(baseUrl, world, "analyst");
    expect((await begin(analyst, body)).status).toBe(403);
    expect((await begin(seller, { ...body, sold_by: analyst.id })).body.errors).toHaveProperty([
      "sold_by",
    ]);
    expect((await begin(seller, { ...body, channel: undefined })).body.errors).toHaveProperty([
      "channel",
    ]);
  });

  test("has prices of its own only from staff who may set them", async () => {
    const { line } = await aChair();
    const permission = "orders.discount";
    const priced = [{ ...line, discount: { bps: 500, reason: "Two of them" } }];
    for (const items of [priced, [aBench({ unit_price: 500_000 })]]) {
      const { status, body } = await begin(clerk, { items });
      expect([status, body.details]).toEqual([403, { permission }]);
    }
    const { body } = await begin(seller, { items: priced });
    expect(body.data.items).toMatchObject([{ line_discount: 100_000, line_total: 1_900_000 }]);
    const { id, items } = body.data;
    const kept = await change(clerk, id, { items: [{ id: items[0]?.id }], note: "Ring twice" });
    expect(kept.body.data).toMatchObject({
      note: "Ring twice",
      items: [{ line_total: 1_900_000 }],
    });
    const larger = await change(clerk, id, { items: [{ id: items[0]?.id, quantity: 3 }] });
    expect([larger.status, larger.body.details]).toEqual([403, { permission }]);
  });

  test("keeps what an edit leaves out, and loses what it sets to null", async () => {
    const { line } = await aChair();
    const slot = { date: "2030-01-10", window: "morning" };
    const { body } = await begin(seller, { items: [line], shipping_address, slot, note: "Ring" });
    const { id } = body.data;
    const { data } = (await change(seller, id, { note: null, shipping_method: "standard" })).body;
    expect(data).toMatchObject({ slot, note: null, shipping_method: "standard" });
    expect(data.shipping_address).toMatchObject({ line1: "4 Church Street" });
    const cleared = await change(seller, id, { shipping_address: null });
    expect(cleared.body.data).toMatchObject({ shipping_address: null, totals: { shipping: null } });
    const stored = await world.table.get(Quotes, { id });
    expect(stored).toMatchObject({ shipping_address: null, status: "in_review" });
  });

  test("refuses a tax number that is not of its billing address", async () => {
    const { line } = await aChair();
    const ofBihar = { tax_id: "10AAGCB7383J1ZL", shipping_address };
    const { status, body } = await begin(seller, { items: [line], ...ofBihar });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["tax_id"]]);
  });
});
