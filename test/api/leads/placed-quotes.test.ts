import { describe, expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { update } from "#shared/storage/writes.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMember, aPassword, deleteAccount } from "#test/support/people/members.ts";
import {
  type QuoteView,
  aBench,
  aLeadForm,
  beginQuote,
  aLocationBody,
  acceptByLink,
} from "#test/support/back-office/sales.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { bySlot, openPlaces, zone } from "#test/support/shop/slots.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, world, inbox, staffAs } = await useShop({ effects: ["mail"] });

const upi = { method: "bank_transfer", tender: "upi" };

const clerk = await staffAs("order_desk");
const manager = await staffAs("manager");

interface Placed {
  readonly order: AdminOrder;
  readonly pay_url: string | null;
}

async function aChair(units = 10) {
  const planted = await plantProduct(world.table, { units });
  return { ...planted, line: { product: planted.product.slug, quantity: 2 } };
}
const place = (id: string, body: object = { payment: upi }, by = clerk, key = aKey()) =>
  by.post<Data<Placed> & Problem>(`/admin/quotes/${id}/place`, body, key);
const read = async (id: string) =>
  (await clerk.get<Data<QuoteView>>(`/admin/quotes/${id}`)).body.data;

const acceptedCart = (id: string) => acceptByLink(baseUrl, manager, id);

describe("placing a quote", () => {
  test("with what the buyer paid makes a paid order with its stock, seller and channel", async () => {
    const chair = await aChair();
    const quote = await beginQuote(clerk, {
      items: [chair.line],
      note: "Ring twice",
      notes: "Met us at the fair.",
    });
    const total = quote.totals?.grand_total ?? 0;
    const { status, body, headers } = await place(quote.id);
    expect(status).toBe(201);
    const { order, pay_url } = body.data;
    expect(headers.get("location")).toBe(`/api/v1/admin/orders/${order.id}`);
    expect(pay_url).toBeNull();
    expect(order).toMatchObject({
      status: "confirmed",
      payment_status: "paid",
      channel: "phone",
      sold_by: clerk.id,
      cart_id: null,
      customer: { id: null, email: null, name: quote.name, phone: quote.phone },
      note: "Ring twice",
      totals: { grand_total: total, paid: total, due: 0 },
      transactions: [{ type: "charge", tender: "upi", amount: total }],
      quotes: [{ id: quote.id }],
    });
    expect(await chair.stock()).toMatchObject({ available: 8, reserved: 2 });
    expect(await read(quote.id)).toMatchObject({
      status: "converted",
      order_id: order.id,
      accepted_by: "phone",
    });
    const listed = await clerk.get<Data<AdminOrder>>(`/admin/orders/${order.id}`);
    expect(listed.body.data).toEqual(order);
  });

  test("is accepted again when its order has ended, in the list as in the quote", async () => {
    const { line } = await aChair();
    const quote = await beginQuote(manager, { items: [line] });
    const { body } = await place(quote.id, { payment: upi });
    const listed = async (status: string) =>
      (
        await clerk.get<Data<QuoteView[]>>(`/admin/quotes?status=${status}&q=${quote.reference}`)
      ).body.data.map(({ status, order_id }) => ({ status, order_id }));
    const order_id = body.data.order.id;
    expect(await listed("converted")).toEqual([{ status: "converted", order_id }]);
    expect(await listed("accepted")).toEqual([]);
    const ended = await manager.patch(`/admin/orders/${order_id}`, { status: "cancelled" });
    expect(ended.status, ended.text).toBe(200);
    const accepted = { status: "accepted", order_id: null };
    expect(await read(quote.id)).toMatchObject(accepted);
    expect(await listed("accepted")).toEqual([accepted]);
    expect(await listed("converted")).toEqual([]);
    const all = await clerk.get<Data<QuoteView[]>>("/admin/quotes?per_page=50");
    expect(all.body.data.find(({ id }) => id === quote.id)).toMatchObject(accepted);
  });

  test("without money makes an order that waits, which the buyer opens and pays by a link", async () => {
    const quote = await beginQuote(clerk, { items: [(await aChair()).line] });
    const { order, pay_url } = (await place(quote.id, { payment: { method: "bank_transfer" } }))
      .body.data;
    expect(order).toMatchObject({ status: "pending_payment", payment_status: "awaiting_transfer" });
    const hours = (Date.parse(order.expires_at ?? "") - Date.parse(order.placed_at)) / 3_600_000;
    expect(hours).toBe(72);
    const token = /#token=(.+)$/.exec(pay_url ?? "")?.[1] ?? "";
    const seen = await clientOf(baseUrl).get<Data<{ id: string; allowed_actions: string[] }>>(
      `/orders/${order.id}`,
      { "x-order-token": token },
    );
    expect([seen.status, seen.body.data.id]).toEqual([200, order.id]);
    expect(seen.body.data.allowed_actions).toContain("pay");
  });

  test("for a customer with an account shows the order there and mails its letters", async () => {
    const member = await aMember(baseUrl);
    const quote = await beginQuote(clerk, {
      customer: { id: member.id },
      items: [(await aChair()).line],
    });
    const { order } = (await place(quote.id, { payment: { method: "cod" } })).body.data;
    expect(order).toMatchObject({ status: "confirmed", payment_status: "cod_pending" });
    const own = await member.client.get<Data<{ id: string }[]>>("/orders", member.headers);
    expect(own.body.data.map(({ id }) => id)).toEqual([order.id]);
    await inbox.waitFor(member.email, ({ body }) => body.text.includes(order.number));
  });

  test("in parts takes the deposit at once, and the balance later", async () => {
    const bench = aBench({ unit_price: 4_000_000 });
    const quote = await beginQuote(manager, { items: [bench], payment_plan: "deposit" });
    const { status, body, text } = await place(quote.id, {
      payment: { method: "bank_transfer", tender: "cash" },
    });
    expect(status, text).toBe(201);
    const { order, pay_url } = body.data;
    expect(order).toMatchObject({ status: "confirmed", payment_status: "partially_paid" });
    expect(order.payment_schedule.map(({ code }) => code)).toEqual(["deposit", "balance"]);
    expect(order.totals.paid).toBe(order.payment_schedule[0]?.amount);
    expect(pay_url).toContain(`/orders/${order.id}`);
  });

  test("in parts takes a deposit in cash rounded up, so that it confirms the order", async () => {
    const items = [aBench({ unit_price: 4_000_033 })];
    const quote = await beginQuote(manager, { items, payment_plan: "deposit" });
    const cash = { method: "bank_transfer", tender: "cash" };
    const { order } = (await place(quote.id, { payment: cash })).body.data;
    expect(order).toMatchObject({ status: "confirmed", payment_status: "partially_paid" });
    const deposit = order.payment_schedule[0]?.amount ?? 0;
    expect(deposit % 100).not.toBe(0);
    expect(order.totals.paid).toBe(Math.ceil(deposit / 100) * 100);
  });

  test("in parts refuses a deposit on delivery at the member that says so", async () => {
    const items = [aBench({ unit_price: 4_000_033 })];
    const quote = await beginQuote(manager, { items, payment_plan: "deposit" });
    const { status, body } = await place(quote.id, { payment: { method: "cod" } });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["payment.method"]]);
  });

  test("is for the account with its present email, and not for one that was erased", async () => {
    const [member, erased] = [await aMember(baseUrl), await aMember(baseUrl)];
    const quoteFor = async (id: string) =>
      beginQuote(clerk, { customer: { id }, items: [(await aChair()).line] });
    const [own, orphan] = [await quoteFor(member.id), await quoteFor(erased.id)];
    const other = await clerk.patch<Problem>(`/admin/quotes/${own.id}`, { email: "x@example.com" });
    expect([other.status, Object.keys(other.body.errors ?? {})]).toEqual([422, ["email"]]);
    const email = aPerson().email;
    await world.table.write(update(Customers, { id: member.id }, { set: { email } }));
    const { order } = (await place(own.id)).body.data;
    expect(order.customer).toMatchObject({ id: member.id, email });
    expect(await deleteAccount(erased, aPassword)).toBe(204);
    expect(await read(orphan.id)).toMatchObject({ name: "Erased", email: null, customer_id: null });
    expect((await place(orphan.id)).status).toBe(409);
  });

  test("says what the quote lacks", async () => {
    const bare = await manager.post<Data<QuoteView>>("/admin/quotes", {
      customer: { name: "Asha", email: "asha@example.com" },
      channel: "email",
      items: [aBench()],
    });
    const { status, body } = await place(bare.body.data.id);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([
      422,
      ["items.0.unit_price", "phone", "shipping_address", "shipping_method"],
    ]);
  });

  test.each([
    [{ method: "bank_transfer", tender: "cheque" }, "payment.reference"],
    [{ method: "bank_transfer", amount: 5 }, "payment.tender"],
    [{ tender: "cash" }, "payment.method"],
  ])("refuses the payment %o", async (payment, path) => {
    const { id } = await beginQuote(clerk, { items: [(await aChair()).line] });
    const { status, body } = await place(id, { payment });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [path]]);
  });

  test("refuses another total, too few units, and a reference of another order, and keeps the quote", async () => {
    const [chair, other] = [await aChair(1), await aChair()];
    const short = await beginQuote(clerk, { items: [chair.line] });
    const dear = await beginQuote(clerk, { items: [other.line] });
    const transfer = {
      method: "bank_transfer",
      tender: "bank_transfer",
      reference: aKey()["idempotency-key"],
    };
    const first = await beginQuote(clerk, { items: [other.line] });
    expect((await place(first.id, { payment: transfer })).status).toBe(201);
    const refusals = [
      await place(short.id),
      await place(dear.id, { payment: upi, expected_total: 1 }),
      await place(dear.id, { payment: transfer }),
    ];
    expect(refusals.map(({ body }) => body.code)).toEqual([
      "insufficient_stock",
      "price_changed",
      "already_exists",
    ]);
    expect((await read(dear.id)).status).toBe("in_review");
    const both = await place(dear.id, { payment: { ...transfer, again: true } });
    expect(both.status).toBe(201);
    expect(await other.stock()).toMatchObject({ available: 6, reserved: 4 });
  });

  test("books the wished delivery time, and offers others if it is taken", async () => {
    const slot = await openPlaces(baseUrl, manager, "quotes")(1);
    const wish = async () => beginQuote(clerk, { items: [(await aChair()).line], slot, ...bySlot });
    const [first, second] = [await wish(), await wish()];
    expect((await place(first.id)).body.data.order.slot).toMatchObject(slot);
    const { status, body } = await place(second.id);
    expect([status, body.code]).toEqual([409, "slot_taken"]);
    expect(body.details?.["alternatives"]).toContainEqual(expect.objectContaining({ zone }));
    const bench = aBench({ unit_price: 700_000 });
    const made = await beginQuote(manager, { items: [bench], slot, ...bySlot });
    expect(Object.keys((await place(made.id)).body.errors ?? {})).toEqual(["slot"]);
  });

  test("wins the lead", async () => {
    const lead = await clientOf(baseUrl).post<Data<{ id: string }>>("/leads", aLeadForm());
    const lead_id = lead.body.data.id;
    const follow_up_at = "2027-01-04T10:00:00+05:30";
    await manager.patch(`/admin/leads/${lead_id}`, { follow_up_at });
    const quote = await beginQuote(manager, { items: [(await aChair()).line], lead_id });
    expect((await place(quote.id)).status).toBe(201);
    const won = await manager.get<Data<{ status: string }>>(`/admin/leads/${lead_id}`);
    expect(won.body.data.status).toBe("won");
  });
});

describe("a quote at a location", () => {
  const showroom = async (overrides: object = {}) => {
    const body = aLocationBody(overrides);
    expect((await manager.post("/admin/locations", body)).status).toBe(201);
    return body;
  };

  test("gives its order the location, also when its buyer accepts it with the link", async () => {
    const { code: location } = await showroom();
    const chair = await aChair();
    const begun = async () => beginQuote(clerk, { items: [chair.line], location });
    const { order } = (await place((await begun()).id)).body.data;
    expect(order.location).toBe(location);
    const { id } = await begun();
    const bought = await clientOf(baseUrl).post<Data<{ order: { id: string } }>>(
      "/checkout",
      aCheckout({ payment_method: "bank_transfer" }),
      await acceptedCart(id),
    );
    const path = `/admin/orders/${bought.body.data.order.id}`;
    expect((await clerk.get<Data<AdminOrder>>(path)).body.data.location).toBe(location);
  });

  test("is collected there without an address of the buyer's", async () => {
    const { code: location, address } = await showroom();
    const { code: bare } = await showroom({ address: null });
    const collected = { shipping_method: "pickup", shipping_address: null };
    const begun = async (more: object) =>
      beginQuote(clerk, { items: [(await aChair()).line], ...collected, ...more });
    for (const terms of [{}, { location: bare }]) {
      const { status, body } = await place((await begun(terms)).id);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["shipping_address"]]);
    }
    const quote = await begun({ location });
    const { order } = (await place(quote.id)).body.data;
    expect(order.shipping.method).toBe("pickup");
    const { name, phone } = quote;
    expect(order.addresses.shipping).toMatchObject({ ...address, name, phone });
  });

  test("names a location that exists, in each edit, and keeps it from being deleted", async () => {
    const [first, second] = [await showroom(), await showroom()];
    const { id } = await beginQuote(clerk, { items: [aBench()], location: first.code });
    const path = `/admin/quotes/${id}`;
    const unknown = await clerk.patch<Problem>(path, { location: "nowhere-at-all" });
    expect([unknown.status, Object.keys(unknown.body.errors ?? {})]).toEqual([422, ["location"]]);
    const moved = await clerk.patch<Data<QuoteView>>(path, { location: second.code });
    expect(moved.body.data.location).toBe(second.code);
    const { data } = (
      await manager.get<Data<{ id: string; code: string; used: boolean }[]>>(
        "/admin/locations?per_page=100",
      )
    ).body;
    for (const { code } of [first, second]) {
      const { id: location, used } = data.find((each) => each.code === code)!;
      expect(used).toBe(true);
      const gone = await manager.delete<Problem>(`/admin/locations/${location}`);
      expect([gone.status, gone.body.code]).toEqual([409, "in_use"]);
    }
  });
});

describe("a quote that its buyer accepts with the link", () => {
  test("wins its open lead when it is ordered", async () => {
    const lead = await clientOf(baseUrl).post<Data<{ id: string }>>("/leads", aLeadForm());
    const lead_id = lead.body.data.id;
    const path = `/admin/leads/${lead_id}`;
    const follow_up_at = "2027-01-04T10:00:00+05:30";
    await manager.patch(path, { status: "contacted", follow_up_at });
    const quote = await beginQuote(manager, { items: [(await aChair()).line], lead_id });
    const cart = await acceptedCart(quote.id);
    const statusOf = async () =>
      (await manager.get<Data<{ status: string }>>(path)).body.data.status;
    expect(await statusOf()).toBe("quoted");
    const transfer = aCheckout({ payment_method: "bank_transfer" });
    expect((await clientOf(baseUrl).post("/checkout", transfer, cart)).status).toBe(201);
    expect(await statusOf()).toBe("won");
  });

  test("gives the cart and the order its delivery method, unless its buyer chooses another", async () => {
    const visitor = clientOf(baseUrl);
    const { shipping_method: _method, ...checkout } = aCheckout({
      payment_method: "bank_transfer",
    });
    const begun = async () => {
      const items = [(await aChair()).line];
      const { id } = await beginQuote(manager, { items, shipping_method: "white_glove" });
      return acceptedCart(id);
    };
    const cart = await begun();
    const shown = await visitor.get<Data<Cart>>("/cart?postal_code=560001", cart);
    const bought = await visitor.post<Data<CheckoutAnswer>>("/checkout", checkout, cart);
    expect(bought.status, bought.text).toBe(201);
    const { shipping, totals } = bought.body.data.order;
    expect(shipping.method).toBe("white_glove");
    expect(shown.body.data.totals).toMatchObject({ grand_total: totals.grand_total });
    const own = { ...checkout, shipping_method: "standard" };
    const other = await visitor.post<Data<CheckoutAnswer>>("/checkout", own, await begun());
    expect(other.body.data.order.shipping.method).toBe("standard");
    const { sku } = await aChair();
    const without = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const missing = await visitor.post<Problem>("/checkout", checkout, without.headers);
    expect([missing.status, Object.keys(missing.body.errors ?? {})]).toEqual([
      422,
      ["shipping_method"],
    ]);
  });

  test("gives the order its channel, seller and payment plan", async () => {
    const visitor = clientOf(baseUrl);
    const items = [aBench({ unit_price: 4_000_000 })];
    const quote = await beginQuote(manager, { items, payment_plan: "deposit", sold_by: clerk.id });
    const cart = await acceptedCart(quote.id);
    const transfer = { payment_method: "bank_transfer" };
    const { status, body, text } = await visitor.post<Data<{ order: AdminOrder }>>(
      "/checkout",
      aCheckout(transfer),
      cart,
    );
    expect(status, text).toBe(201);
    const { id } = body.data.order;
    const order = (await clerk.get<Data<AdminOrder>>(`/admin/orders/${id}`)).body.data;
    expect(order).toMatchObject({
      channel: "phone",
      sold_by: clerk.id,
      quotes: [{ id: quote.id }],
    });
    expect(order.payment_schedule.map(({ code }) => code)).toEqual(["deposit", "balance"]);

    const other = await beginQuote(manager, { items, payment_plan: "deposit" });
    const whole = await visitor.post<Data<{ order: AdminOrder }>>(
      "/checkout",
      aCheckout({ ...transfer, payment_plan: "full" }),
      await acceptedCart(other.id),
    );
    expect(whole.body.data.order.payment_schedule.map(({ code }) => code)).toEqual(["full"]);
  });
});

describe("one quote", () => {
  test("placed twice with one key and its last units makes one order, which both calls get", async () => {
    const chair = await aChair(2);
    const quote = await beginQuote(clerk, { items: [chair.line] });
    const key = aKey();
    const replies = await Promise.all(
      [1, 2, 3].map(async () => place(quote.id, undefined, clerk, key)),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.data.order.id)).size).toBe(1);
    expect(await chair.stock()).toMatchObject({ available: 0, reserved: 2 });
  });

  test("makes one order, placed by two users at once, again with the same key, and by its buyer", async () => {
    const chair = await aChair();
    const quote = await beginQuote(manager, { items: [chair.line] });
    const visitor = clientOf(baseUrl);
    const cart = await acceptedCart(quote.id);
    const key = aKey();
    const replies = await Promise.all([
      place(quote.id, { payment: upi }, clerk, key),
      place(quote.id, { payment: upi }, clerk, key),
      place(quote.id, { payment: upi }, manager),
      visitor.post<Data<{ order: { id: string } }> & Problem>(
        "/checkout",
        aCheckout({ payment_method: "bank_transfer" }),
        cart,
      ),
    ]);
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.data.order.id)).size).toBe(1);
    const others = replies.filter(({ status }) => status !== 201);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 409));
    expect(await chair.stock()).toMatchObject({ available: 8, reserved: 2 });
    const late = await place(quote.id);
    expect([late.status, late.body.details]).toMatchObject([
      409,
      { from: "converted", to: "converted", allowed: [] },
    ]);
    expect(late.body.message).toContain(made[0]!.body.data.order.id);
  });
});
