import { createHmac } from "node:crypto";
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { QuoteOffer } from "#shared/domain/enquiry/quote-view.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { put, update } from "#shared/storage/writes.ts";
import {
  ageByADay,
  expiryOf,
  aCheckout,
  plantProduct,
  plantSofa,
} from "#test/support/shop/plant.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aMember } from "#test/support/people/members.ts";
import { signedIn } from "#test/support/people/people.ts";
import { type Problem, faultOf } from "#test/support/http/answers.ts";
import {
  type QuoteView,
  type Submitted,
  aBench,
  aQuoteForm,
  askForQuote,
  sendQuote,
} from "#test/support/back-office/sales.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { type UploadReply, uploadedPicture } from "#test/support/shop/uploads.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, inbox, staffAs } = await useShop({ effects: ["mail", "media"] });

const staff = await staffAs("manager");

const visitor = () => clientOf(baseUrl);
const ask = (items: readonly object[], overrides = {}) => askForQuote(baseUrl, items, overrides);
const send = (id: string, price: number, more = {}) => sendQuote({ staff, inbox }, id, price, more);
const change = (id: string, patch: object) =>
  staff.patch<Data<QuoteView> & Problem>(`/admin/quotes/${id}`, patch);
const read = async (id: string) =>
  (await staff.get<Data<QuoteView>>(`/admin/quotes/${id}`)).body.data;
const open = (id: string, token: string) =>
  visitor().get<Data<QuoteOffer> & Problem>(`/quotes/${id}?token=${token}`);
const accept = (id: string, token: string, headers = {}) =>
  visitor().post<Data<Cart> & Problem>(`/quotes/${id}/accept`, { token }, headers);
const decline = (id: string, token: string, reason?: string) =>
  visitor().post<Data<QuoteOffer> & Problem>(`/quotes/${id}/decline`, { token, reason });
const cartOf = async (token: string) =>
  (await visitor().get<Data<Cart>>("/cart", { "x-cart-token": token })).body.data;
const checkOut = (token: string, overrides = {}) =>
  visitor().post<Data<CheckoutAnswer> & Problem>(
    "/checkout",
    aCheckout({ payment_method: "bank_transfer", ...overrides }),
    { "x-cart-token": token },
  );

async function sentQuote(items: readonly object[], price = 700_000, more = {}) {
  return send((await ask(items)).id, price, more);
}
async function acceptedCart({ quote, token }: { quote: QuoteView; token: string }) {
  const { body } = await accept(quote.id, token);
  return { cart: body.data, token: body.data.token ?? "" };
}

/** An expired unpaid order with a quote's prices. */
async function expiredOrder() {
  const sent = await sentQuote([aBench()]);
  const { order } = (await checkOut((await acceptedCart(sent)).token)).body.data;
  await world.table.write(update(Orders, { id: order.id }, { set: { status: "expired" } }));
  return { sent, order, total: order.totals.grand_total };
}

/** Records a bank transfer for an order as staff, and returns the updated order. */
async function paidLate({ id, totals }: CheckoutAnswer["order"]) {
  const desk = await staffAs("order_desk");
  const transfer = { amount: totals.grand_total, method: "bank_transfer", reference: `UTR ${id}` };
  const key = { "idempotency-key": id };
  const { status, text } = await desk.post(`/admin/orders/${id}/payments`, transfer, key);
  if (status !== 201) throw new Error(text);
  return world.table.get(Orders, { id });
}

/** Moves the valid_until of an accepted quote, and of its lines in the cart, into the past. */
async function letExpire(id: string, cartToken: string): Promise<void> {
  const valid_until = new Date(Date.now() - 1_000).toISOString();
  const owner = { kind: "guest", tokenHash: hashOf(cartToken) } as const;
  const cart = await world.table.get(Carts, { owner });
  const lines = cart?.lines.map((line) => ({ ...line, valid_until }));
  await world.table.transact([
    update(Quotes, { id }, { set: { valid_until } }),
    update(Carts, { owner }, { set: { lines } }),
  ]);
}

describe("a customer's request for a quote", () => {
  test("accepts catalog items, at their catalog prices, and custom items without a price", async () => {
    const { product, sku } = await plantProduct(world.table);
    const { id, reference, status } = await ask([
      { product: product.slug, quantity: 20 },
      { sofa: "saanjh-sofa", quantity: 1 },
      aBench(),
      { sku, quantity: 1 },
    ]);
    expect([reference, status]).toEqual([expect.stringMatching(/^Q-/), "submitted"]);
    const { items, totals, allowed_transitions } = await read(id);
    expect(items.map(({ kind }) => kind)).toEqual(["product", "sofa", "custom", "product"]);
    expect(items[0]).toMatchObject({ sku, regular_price: 1_000_000, unit_price: 1_000_000 });
    expect(items[1]?.configuration).not.toEqual({});
    expect(items[2]).toMatchObject({ sku: null, regular_price: null, unit_price: null });
    expect(items[3]).toMatchObject({ sku, unit_price: 1_000_000 });
    expect(totals).toBeNull();
    expect(allowed_transitions).toEqual(["in_review", "declined"]);
  });

  test("creates one quote if it is sent twice concurrently", async () => {
    const form = aQuoteForm([aBench()]);
    const replies = await Promise.all(
      Array.from({ length: 4 }, (): Promise<Submitted> => visitor().post("/quotes", form)),
    );
    expect(tally(replies)).toEqual({ 201: 4 });
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test("from a bot stores nothing and gets the normal response", async () => {
    const { id } = await ask([aBench()], { website: "x" });
    expect(await world.table.get(Quotes, { id })).toBeUndefined();
  });

  test.each([
    ["an unknown product", [{ product: "no-such-thing", quantity: 1 }], "items.0.product"],
    ["an unknown sofa", [{ sofa: "no-such-sofa", quantity: 1 }], "items.0.sofa"],
    [
      "a custom item that also names a product",
      [{ ...aBench(), product: "no-such-thing" }],
      "items.0.product",
    ],
    ["a price sent by the customer", [{ ...aBench(), unit_price: 1 }], "items.0.unit_price"],
    ["an empty list of items", [], "items"],
  ])("is refused for %s", async (_what, items, path) => {
    const reply: Submitted = await visitor().post("/quotes", aQuoteForm(items));
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [path]]);
    expect(faultOf(reply)).toBeUndefined();
  });

  test("accepts pictures that are ready and refuses others", async () => {
    const client = visitor();
    const upload = await uploadedPicture(client);
    const quote = await ask([aBench()], { upload_ids: [upload] });
    expect((await read(quote.id)).upload_ids).toEqual([upload]);
    const held = await client.get<Data<{ expires_at: string | null }>>(`/media/fabric/${upload}`);
    expect(held.body.data.expires_at).toBeNull();

    const announced = { filename: "sofa.jpg", content_type: "image/jpeg", size: 4_711 };
    const pending: UploadReply = await client.post("/media/fabric", announced);
    const form = aQuoteForm([aBench()], { upload_ids: [upload, pending.body.data.id] });
    const early: Submitted = await visitor().post("/quotes", form);
    expect([early.status, Object.keys(early.body.errors ?? {})]).toEqual([422, ["upload_ids.1"]]);
  });
});

describe("staff who edit a quote", () => {
  test("can price and send it, and the customer can open the offer", async () => {
    const { quote, token } = await sentQuote([aBench()], 700_000, { shipping_note: "By hand." });
    expect(quote).toMatchObject({
      status: "sent",
      revision: 1,
      totals: { grand_total: 1_400_000 },
    });
    expect(Date.parse(quote.valid_until ?? "")).toBeGreaterThan(Date.now() + 13 * 86_400_000);
    const { body, status, headers } = await open(quote.id, token);
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe(`"v${body.data.version}"`);
    expect(body.data).toMatchObject({
      reference: quote.reference,
      shipping_note: "By hand.",
      items: [{ name: "Bench to measure", unit_price: 700_000, line_total: 1_400_000 }],
    });
    expect(body.data).not.toHaveProperty("email");
    expect(body.data).not.toHaveProperty("link_hash");
    const mail = await inbox.waitFor(quote.email ?? "", ({ subject }) =>
      subject.startsWith("Our quote"),
    );
    expect(mail.body.text).toContain(`https://www.dehleez.example/quotes/${quote.id}?token=`);
  });

  test("can send it only with prices, an email and a validity in the future", async () => {
    const { id } = await ask([aBench()], { email: null });
    await change(id, { status: "in_review" });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const { status, body } = await change(id, { status: "sent", valid_until: yesterday });
    expect([status, Object.keys(body.errors ?? {}).toSorted()]).toEqual([
      422,
      ["email", "items.0.unit_price", "valid_until"],
    ]);
    expect((await read(id)).status).toBe("in_review");
  });

  test("withdraw the offer by changing it, and each link is valid for one revision only", async () => {
    const first = await sentQuote([aBench()]);
    const { id, items } = first.quote;
    const cheaper = [{ id: items[0]?.id, unit_price: 650_000 }];
    const changed = await change(id, { items: cheaper });
    expect(changed.body.data).toMatchObject({ status: "in_review", revision: 1 });
    expect((await open(id, first.token)).status).toBe(404);
    expect((await accept(id, first.token)).status).toBe(404);
    const second = await send(id, 640_000);
    expect(second.quote.revision).toBe(2);
    expect(second.token).not.toBe(first.token);
    expect((await open(id, first.token)).status).toBe(404);
    expect((await open(id, second.token)).body.data.items[0]?.unit_price).toBe(640_000);
  });

  test("sent again unchanged keep their revision, and the newest link is valid", async () => {
    const { id } = await ask([aBench()]);
    await change(id, { items: [{ ...aBench(), unit_price: 640_000 }] });
    const byLink = async () => {
      const { body } = await staff.post<Data<{ quote: QuoteView; url: string }>>(
        `/admin/quotes/${id}/send`,
        { via: "link" },
      );
      const token = new URL(body.data.url).searchParams.get("token") ?? "";
      return { revision: body.data.quote.revision, token };
    };
    const [first, again] = [await byLink(), await byLink()];
    expect([first.revision, again.revision]).toEqual([1, 1]);
    expect((await open(id, first.token)).status).toBe(404);
    expect((await open(id, again.token)).status).toBe(200);
    await change(id, { shipping_note: "By crane" });
    expect((await byLink()).revision).toBe(2);
    const corrected = { name: "Asha R. Rao" };
    expect((await change(id, corrected)).body.data.status).toBe("sent");
    expect((await byLink()).revision).toBe(3);
  });

  test("sent again unchanged by mail are mailed again, with the link that is valid", async () => {
    const { quote, token } = await sentQuote([aBench()]);
    const again = await staff.post<Data<{ quote: QuoteView; url: string }>>(
      `/admin/quotes/${quote.id}/send`,
      { via: "email" },
    );
    expect(again.body.data.quote.revision).toBe(1);
    const { url } = again.body.data;
    await inbox.waitFor(quote.email ?? "", ({ body }) => body.text.includes(url));
    expect((await open(quote.id, token)).status).toBe(404);
  });

  test("can add and remove lines and link a lead", async () => {
    const chair = await visitor().get<Data<{ id: string }>>("/products/kaveri-lounge-chair");
    const { id } = await ask([aBench(), aBench({ quantity: 5 })]);
    const kept = (await read(id)).items[1]?.id;
    const { body } = await change(id, {
      items: [
        { id: kept, unit_price: 900_000, tax_class: "furniture", weight_g: 40_000 },
        { product: chair.body.data.id, quantity: 3, unit_price: 950_000 },
      ],
    });
    expect(body.data.items.map(({ quantity, unit_price }) => [quantity, unit_price])).toEqual([
      [5, 900_000],
      [3, 950_000],
    ]);
    expect(body.data.totals?.items_subtotal).toBe(5 * 900_000 + 3 * 950_000);
    const unknown = await change(id, { items: [{ id: "line_01KE66PJA0M594E921BVM9D6BK" }] });
    expect(unknown.body.errors).toHaveProperty(["items.0.id"]);
    const stranger = await change(id, { lead_id: "lead_01KE66PJA0M594E921BVM9D6BK" });
    expect(stranger.body.errors).toHaveProperty(["lead_id"]);
  });

  test("can add a configured sofa", async () => {
    const { sofa } = await plantSofa(world.table);
    const { id } = await ask([aBench()]);
    const items = [{ sofa: sofa.slug, configuration: {}, quantity: 1, unit_price: 950_000 }];
    const { status, body, text } = await change(id, { items });
    expect(status, text).toBe(200);
    expect(body.data.items.map(({ kind, name }) => [kind, name])).toEqual([["sofa", sofa.name]]);
  });

  test("can change its status only by the allowed transitions", async () => {
    const { id } = await ask([aBench()]);
    for (const to of ["sent", "accepted", "converted", "expired"]) {
      const { status, body } = await change(id, { status: to });
      expect([to, status, body.code]).toEqual([to, 409, "invalid_transition"]);
      expect(body.details).toEqual({ from: "submitted", to, allowed: ["in_review", "declined"] });
    }
  });

  test("can find it by status, reference and name", async () => {
    const name = `Łucja ${randomUUID()}`;
    const { id, reference } = await ask([aBench()], { name });
    const idsOf = async (query: string) => {
      const { body } = await staff.get<Data<QuoteView[]>>(`/admin/quotes?${query}`);
      return body.data.map((quote) => quote.id);
    };
    expect(await idsOf("status=submitted&per_page=100")).toContain(id);
    expect(await idsOf(`q=${reference}`)).toEqual([id]);
    expect(await idsOf(`q=${name.replace("Łucja", "lucja")}`)).toEqual([id]);
    expect(await idsOf(`q=${reference}&status=sent`)).toEqual([]);
  });
});

describe("accepting a quote", () => {
  test("keeps the offered sofa choices as text in the cart and the order", async () => {
    const { sofa, material } = await plantSofa(world.table);
    const sent = await sentQuote([{ sofa: sofa.slug, quantity: 1 }, aBench()]);
    const choices = [
      { option: "size", label: "size", value: "two-seater" },
      { option: "upholstery", label: "upholstery", value: `${material.name}, Oat` },
      { option: "legs", label: "legs", value: "oak" },
    ];
    const { body } = await open(sent.quote.id, sent.token);
    const { cart, token } = await acceptedCart(sent);
    const { order } = (await checkOut(token)).body.data;
    for (const { items } of [sent.quote, body.data, cart, order]) {
      expect(items.map((item) => item.choices)).toEqual([choices, []]);
    }
  });

  test("results in an order at the quoted prices, even if catalog prices change meanwhile", async () => {
    const planted = await plantProduct(world.table, { units: 10 });
    const { product, sku } = planted;
    const sent = await sentQuote([{ product: product.slug, quantity: 3 }, aBench()]);
    const [variant] = product.variants;
    const dearer = { ...product, variants: [{ ...variant!, price: 9_000_000 }] };
    await world.table.write(put(PublishedProducts, dearer));

    const { cart, token } = await acceptedCart(sent);
    expect(cart.items.map((item) => [item.kind, item.sku, item.quantity, item.unit_price])).toEqual(
      [
        ["quoted", sku, 3, 700_000],
        ["quoted", null, 2, 700_000],
      ],
    );
    expect(cart.requirements).toEqual([]);
    const shown = await cartOf(token);
    expect(shown.items[0]?.price_changed).toBeNull();

    const { status, body } = await checkOut(token);
    expect([status, body.code]).toEqual([201, undefined]);
    const { order } = body.data;
    expect(order.items.map((item) => item.unit_price)).toEqual([700_000, 700_000]);
    expect(order.totals.items_subtotal).toBe(5 * 700_000);
    expect((await planted.stock()).available).toBe(7);
    expect(await read(sent.quote.id)).toMatchObject({ status: "converted", order_id: order.id });
    for (const late of [
      await accept(sent.quote.id, sent.token),
      await decline(sent.quote.id, sent.token),
    ]) {
      expect([late.status, late.body.code, late.body.message]).toEqual([
        409,
        "invalid_transition",
        "This quote has already been ordered.",
      ]);
    }
  });

  test("returns the same cart if it is repeated, even concurrently; only the most recent cart token is valid", async () => {
    const { quote, token } = await sentQuote([aBench()]);
    const replies = await Promise.all(Array.from({ length: 5 }, () => accept(quote.id, token)));
    expect(tally(replies)).toEqual({ 200: 5 });
    const ids = new Set(replies.map(({ body }) => body.data.id));
    expect(ids.size).toBe(1);
    const tokens = replies.map(({ body }) => body.data.token ?? "");
    expect(replies.map(({ headers }) => headers.get("x-cart-token"))).toEqual(tokens);
    expect(new Set(tokens).size).toBe(5);
    const carts = await Promise.all(tokens.map((each) => cartOf(each)));
    const filled = carts.filter(({ items }) => items.length > 0);
    expect(filled.map(({ id, items }) => [id, items.length])).toEqual([[[...ids][0], 1]]);
    expect((await read(quote.id)).status).toBe("accepted");
  });

  test("again keeps the guest's other cart lines and invalidates the previous cart token", async () => {
    const sent = await sentQuote([aBench()]);
    const first = await acceptedCart(sent);
    const { sku } = await plantProduct(world.table);
    const headers = { "x-cart-token": first.token };
    await visitor().patch("/cart/items", { items: [{ sku, quantity: 1 }] }, headers);
    const again = await acceptedCart(sent);
    expect(again.cart.id).toBe(first.cart.id);
    expect(again.cart.items.map(({ kind }) => kind).toSorted()).toEqual(["product", "quoted"]);
    expect((await cartOf(first.token)).items).toEqual([]);
    expect((await checkOut(first.token)).status).toBe(409);
    expect((await checkOut(again.token)).status).toBe(201);
  });

  test("returns a cart token that cannot be derived from the link", async () => {
    const sent = await sentQuote([aBench()]);
    await acceptedCart(sent);
    const derived = createHmac("sha256", sent.token)
      .update(`cart of ${sent.quote.id}`)
      .digest("base64url");
    expect((await cartOf(derived)).items).toEqual([]);
  });

  test("adds the lines to the signed-in customer's cart, from which one order can be placed", async () => {
    const { quote, token } = await sentQuote([aBench()]);
    const customer = await signedIn(world, "customer");
    const headers = { authorization: `Bearer ${customer.token}` };
    const { sku } = await plantProduct(world.table);
    await visitor().post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
    const own = await accept(quote.id, token, headers);
    expect(own.body.data.items.map(({ kind }) => kind)).toEqual(["product", "quoted"]);
    expect(own.body.data.token).toBeUndefined();

    const guest = await acceptedCart({ quote, token });
    const replies = await Promise.all([
      checkOut(guest.token),
      visitor().post<Problem>("/checkout", aCheckout({ payment_method: "bank_transfer" }), headers),
    ]);
    expect(tally(replies)).toEqual({ 201: 1, "409 cart_changed": 1 });
    const loser = replies[0].status === 201 ? headers : { "x-cart-token": guest.token };
    const left = await visitor().get<Data<Cart>>("/cart", loser);
    expect(left.body.data.requirements.map(({ message }) => message)).toEqual([
      "This quote has already been ordered.",
    ]);
  });

  test("extends the expiry of pictures that are already in the customer's cart", async () => {
    const { quote, token } = await sentQuote([aBench()]);
    const { id, headers, client } = await aMember(baseUrl);
    const { sofa } = await plantSofa(world.table);
    const upload = await uploadedPicture(client);
    const line = { sofa: sofa.slug, quantity: 1, upload_ids: [upload] };
    await client.post("/cart", { items: [line] }, headers);
    const before = await expiryOf(world.table, upload);
    await ageByADay(world.table, { kind: "customer", id });
    expect((await accept(quote.id, token, headers)).status).toBe(200);
    expect(await expiryOf(world.table, upload)).toBeGreaterThan(before);
  });

  test("creates cart lines with fixed quantity and price, which coupons do not discount", async () => {
    const { cart, token } = await acceptedCart(await sentQuote([aBench()]));
    const headers = { "x-cart-token": token };
    const items = [{ id: cart.items[0]?.id, quantity: 1 }];
    const fewer = await visitor().patch<Problem>("/cart/items", { items }, headers);
    expect([fewer.status, Object.keys(fewer.body.errors ?? {})]).toEqual([
      422,
      ["items.0.quantity"],
    ]);
    const coupon = await visitor().post<Data<{ valid: boolean; reason: string }>>(
      "/checkout/coupon",
      { code: "WELCOME10" },
      headers,
    );
    expect(coupon.body.data).toMatchObject({ valid: false, reason: "not_applicable" });
  });

  test("creates cart lines that are removed together, and accepting again adds them again", async () => {
    const { sku } = await plantProduct(world.table);
    const sent = await sentQuote([aBench(), aBench({ quantity: 3 })]);
    let token = (await acceptedCart(sent)).token;
    const headers = () => ({ "x-cart-token": token });
    const quoted = async () =>
      (await cartOf(token)).items.filter(({ kind }) => kind === "quoted").map(({ id }) => id);
    const change = (items: readonly object[]) =>
      visitor().patch<Data<Cart>>("/cart/items", { items }, headers());
    await change([{ sku, quantity: 1 }]);
    const [first, second] = await quoted();

    const removals: (() => Promise<{ status: number }>)[] = [
      () => visitor().delete(`/cart/items/${first}`, headers()),
      () => change([{ id: second, quantity: 0 }]),
      () => change([first, second].map((id) => ({ id, quantity: 0 }))),
    ];
    for (const remove of removals) {
      expect((await remove()).status).toBe(200);
      expect((await cartOf(token)).items.map(({ kind }) => kind)).toEqual(["product"]);
      token = (await acceptedCart(sent)).token;
      expect(await quoted()).toEqual([first, second]);
    }
  });

  test("blocks the checkout of the cart once the offer has expired", async () => {
    const { quote, token } = await sentQuote([aBench()]);
    const { token: cartToken } = await acceptedCart({ quote, token });
    await letExpire(quote.id, cartToken);
    const { requirements } = await cartOf(cartToken);
    expect(requirements.map(({ code }) => code)).toEqual(["quote_expired"]);
    const placed = await checkOut(cartToken);
    expect([placed.status, placed.body.code]).toEqual([409, "cart_changed"]);
    expect((await open(quote.id, token)).body.data.status).toBe("expired");
    const again = await accept(quote.id, token);
    expect([again.status, again.body.message, again.body.details]).toEqual([
      409,
      "This quote is no longer valid. Please ask us for a new one.",
      { from: "expired", to: "accepted", allowed: [] },
    ]);
    const { body } = await staff.get<Data<QuoteView[]>>("/admin/quotes?status=expired");
    expect(body.data.map(({ id }) => id)).toContain(quote.id);
  });

  test("blocks the checkout of the cart once the offer is withdrawn", async () => {
    const sent = await sentQuote([aBench()]);
    const { token } = await acceptedCart(sent);
    await change(sent.quote.id, { shipping_note: "Not up the stairs" });
    const { requirements } = await cartOf(token);
    expect(requirements.map(({ code }) => code)).toEqual(["quote_expired"]);
  });

  test("is possible again once the quote's order has expired", async () => {
    const sent = await sentQuote([aBench()]);
    const { token } = await acceptedCart(sent);
    const { order } = (await checkOut(token)).body.data;
    expect((await accept(sent.quote.id, sent.token)).status).toBe(409);
    await world.table.write(update(Orders, { id: order.id }, { set: { status: "expired" } }));
    expect(await read(sent.quote.id)).toMatchObject({ status: "accepted", order_id: null });
    const again = await acceptedCart(sent);
    expect(again.cart.requirements).toEqual([]);
    expect((await checkOut(again.token)).status).toBe(201);
  });

  test("results in only one order, even if a late payment arrives for the expired order", async () => {
    const [taken, free] = await Promise.all([expiredOrder(), expiredOrder()]);
    const other = (await checkOut((await acceptedCart(taken.sent)).token)).body.data.order;
    expect(await paidLate(taken.order)).toMatchObject({ status: "expired", paid: taken.total });
    expect(await read(taken.sent.quote.id)).toMatchObject({ order_id: other.id });

    const { token } = await acceptedCart(free.sent);
    expect(await paidLate(free.order)).toMatchObject({ status: "confirmed", paid: free.total });
    const late = await checkOut(token);
    expect([late.status, late.body.code]).toEqual([409, "cart_changed"]);
    expect(await read(free.sent.quote.id)).toMatchObject({
      status: "converted",
      order_id: free.order.id,
    });
  });

  test("requires the link of that quote", async () => {
    const [one, other] = await Promise.all([sentQuote([aBench()]), sentQuote([aBench()])]);
    for (const token of [other.token, "A".repeat(43), `${one.token}x`, "x"]) {
      const replies = [
        await open(one.quote.id, token),
        await accept(one.quote.id, token),
        await decline(one.quote.id, token),
      ];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(replies.map(faultOf)).toEqual([undefined, undefined, undefined]);
    }
    const unknown = await accept("qte_01KE66PJA0M594E921BVM9D6BK", one.token);
    expect(unknown.status).toBe(404);
    const blank = await world.table.write(
      update(Quotes, { id: one.quote.id }, { set: { link_hash: null } }),
    );
    expect(blank).toBeDefined();
    expect((await open(one.quote.id, one.token)).status).toBe(404);
  });
});

test("a declined quote cannot be accepted, and the shop is mailed the reason", async () => {
  const { quote, token } = await sentQuote([aBench()]);
  const reason = `Too dear, ${quote.reference}`;
  const first = await decline(quote.id, token, reason);
  const again = await decline(quote.id, token);
  expect(first.headers.get("etag")).toBe(`"v${first.body.data.version}"`);
  expect([first.body.data.status, again.body.data.status]).toEqual(["declined", "declined"]);
  const { status, body } = await accept(quote.id, token);
  expect([status, body.code, body.message]).toEqual([
    409,
    "invalid_transition",
    "This quote was declined. Please contact us if you want it after all.",
  ]);
  expect((await read(quote.id)).declined_reason).toBe(reason);
  const mail = await inbox.waitFor("hello@dehleez.example", ({ subject }) =>
    subject.includes(`${quote.reference} was declined`),
  );
  expect(mail.body.text).toContain(reason);
  expect(mail.replyTo).toEqual([quote.email]);
});
