import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Totals } from "#shared/domain/pricing/totals.ts";
import { PublishedProducts, Stocks } from "#shared/storage/catalog/catalog.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Outbox, outboxId } from "#shared/storage/outbox.ts";
import { put, remove, update } from "#shared/storage/writes.ts";
import { orderDesk } from "#test/support/back-office/orders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { type PlantedProduct, aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aPerson, aShopper, type Data, otherwiseTyped } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table } = await useShop();

async function aBuyer(units = 10, quantity = 2) {
  const planted = await plantProduct(table, { units });
  return { ...planted, ...(await aShopper(baseUrl, [{ sku: planted.sku, quantity }])) };
}

async function reprice({ product }: PlantedProduct, price: number): Promise<void> {
  const variants = product.variants.map((variant) => ({ ...variant, price }));
  await table.write(put(PublishedProducts, { ...product, variants }));
}

describe("placing an order", () => {
  test("by bank transfer creates an order that awaits payment for 24 hours, and returns the bank account", async () => {
    const { checkOut, cart } = await aBuyer();
    const { status, body } = await checkOut({ note: "Please call first" });
    expect(status).toBe(201);
    const { order, payment, order_access_token } = body.data;
    expect(order).toMatchObject({
      id: expect.stringMatching(/^ord_/),
      number: expect.stringMatching(/^FS(-[2-9A-HJ-NP-Z]{4}){3}$/),
      status: "pending_payment",
      payment_status: "awaiting_transfer",
      payment_method: "bank_transfer",
      note: "Please call first",
      items: [{ id: cart.items[0]?.id, quantity: 2, line_total: 2_000_000 }],
      shipments: [],
      transactions: [],
      invoice: null,
      version: 1,
    });
    const due = order.totals.grand_total;
    expect(due).toBe(2_000_000 + order.totals.shipping);
    expect(order.totals).toMatchObject({ paid: 0, refunded: 0, due });
    expect(payment).toMatchObject({
      method: "bank_transfer",
      status: "awaiting_transfer",
      amount_due: due,
      action: { type: "bank_details", reference: order.number, expires_at: order.expires_at },
    });
    expect(Date.parse(order.expires_at ?? "") - Date.parse(order.placed_at)).toBe(24 * 3_600_000);
    expect(order_access_token).toMatch(/^[\w-]{43}$/);
  });

  test("by cash on delivery confirms the order immediately", async () => {
    const { checkOut } = await aBuyer();
    const { body } = await checkOut({ payment_method: "cod" });
    expect(body.data.order).toMatchObject({
      status: "confirmed",
      payment_status: "cod_pending",
      expires_at: null,
      timeline: [{ type: "placed" }, { type: "confirmed" }],
    });
    expect(body.data.payment.action).toEqual({ type: "none" });
  });

  test("charges exactly the total that the cart showed for the destination and delivery method", async () => {
    const { checkOut, read } = await aBuyer();
    const shown = await read("?postal_code=560001&country=IN&shipping_method=standard");
    const { body } = await checkOut({ expected_total: shown.totals.grand_total });
    const { paid, refunded, current, due, retained, rounding, cash_due, ...agreed } =
      body.data.order.totals;
    expect({ ...agreed, provisional: false }).toEqual(shown.totals);
    const { grand_total } = shown.totals;
    expect([paid, refunded, retained, rounding]).toEqual([0, 0, 0, 0]);
    expect([current, due, cash_due]).toEqual([grand_total, grand_total, grand_total]);
  });

  test("reserves the stock, empties the cart and stores an outbox event", async () => {
    const { checkOut, stock, read, token } = await aBuyer();
    const { order } = (await checkOut()).body.data;
    expect(await stock()).toMatchObject({ on_hand: 10, reserved: 2, available: 8, version: 2 });
    expect(await read()).toMatchObject({ id: null, items: [] });
    const event = { type: "order_placed", order_id: order.id } as const;
    expect(await table.get(Outbox, { id: outboxId(event) })).toMatchObject({ event });
    const stored = await table.get(Orders, { id: order.id });
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test("returns a new empty cart with a new token", async () => {
    const { checkOut, client, headers, sku, token } = await aBuyer();
    await checkOut();
    const items = [{ sku, quantity: 1 }];
    const next = await client.post<Data<{ token: string }>>("/cart", { items }, headers);
    expect(next.status).toBe(201);
    expect(next.body.data.token).not.toBe(token);
  });

  test("accepts different shipping and billing addresses", async () => {
    const { checkOut } = await aBuyer();
    const billing_address = {
      name: "Rao Interiors",
      line1: "9 MG Road",
      city: "Mysuru",
      postal_code: "570001",
      country: "IN",
    };
    const { body } = await checkOut({ billing_address });
    const { shipping, billing } = body.data.order.addresses;
    expect(shipping).toMatchObject({ name: "Asha Rao", city: "Bengaluru" });
    expect(billing).toMatchObject({ name: "Rao Interiors", city: "Mysuru" });
  });
});

describe("checkout returns 422", () => {
  test.each([
    ["payment_method", { payment_method: "barter" }, /invalid/],
    ["shipping_method", { shipping_method: "teleport" }, /invalid/],
    [
      "address_id",
      { shipping_address: undefined, address_id: "addr_01JD0000000000000000000001" },
      /invalid/,
    ],
    ["shipping_address", { shipping_address: undefined }, /required/],
    ["email", { email: "nobody" }, /valid email/],
    ["tax_id", { tax_id: "29AAGCB7383J1Z5" }, /valid tax number/],
    ["total", { total: 1 }, /not allowed/],
  ])("for an invalid %s", async (field, overrides, sentence) => {
    const { checkOut, stock } = await aBuyer();
    const { status, body } = await checkOut(overrides);
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})).toEqual([field]);
    expect(body.errors?.[field]?.[0]).toMatch(sentence);
    expect((await stock()).available).toBe(10);
  });

  test("that names all missing members, but for the delivery method, which a quote in the cart may have", async () => {
    const { status, body } = await clientOf(baseUrl).post<Problem>("/checkout", {});
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})).toEqual([
      "email",
      "phone",
      "name",
      "payment_method",
      "shipping_address",
    ]);
    const both = { ...aCheckout(), email: 1, address_id: "addr_01JD0000000000000000000001" };
    const refused = await clientOf(baseUrl).post<Problem>("/checkout", both);
    expect(Object.keys(refused.body.errors ?? {})).toEqual(["email", "shipping_address"]);
  });

  test.each(["shipping_address", "billing_address"])(
    "at the state of a %s that its PIN does not allow, with the states that it allows",
    async (member) => {
      const { checkOut, stock } = await aBuyer();
      const address = { line1: "1 MG Road", city: "Mysuru", postal_code: "570001", country: "IN" };
      const { status, body } = await checkOut({ [member]: { ...address, state: "Kerala" } });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [`${member}.state`]]);
      expect(body.details).toEqual({ allowed: ["Karnataka"] });
      expect((await stock()).available).toBe(10);
      const placed = await checkOut({ [member]: address, tax_id: "29AAGCB7383J1Z4" });
      const kind = member === "shipping_address" ? "shipping" : "billing";
      expect(placed.body.data.order.addresses[kind].state).toBe("Karnataka");
    },
  );

  test("at `shipping_address.postal_code` if the destination is not served", async () => {
    const { checkOut } = await aBuyer();
    const shipping_address = { line1: "1 Rue", city: "Paris", postal_code: "75001", country: "FR" };
    const { status, body } = await checkOut({ shipping_address });
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})).toEqual(["shipping_address.postal_code"]);
  });

  test("at `payment_method` for cash on delivery with lines that exclude it", async () => {
    const { sku, product } = await plantProduct(table, { cod_eligible: false });
    const { checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const { status, body } = await checkOut({ payment_method: "cod" });
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      payment_method: [`${product.name} cannot be paid on delivery.`],
    });
  });
});

describe("checkout returns 409", () => {
  test("with code cart_empty if the cart is empty or does not exist", async () => {
    const empty = await aShopper(baseUrl, []);
    expect((await empty.checkOut()).body.code).toBe("cart_empty");
    const none = await clientOf(baseUrl).post<Problem>("/checkout", aCheckout());
    expect(none).toMatchObject({ status: 409, body: { code: "cart_empty" } });
  });

  test("with code insufficient_stock and the affected line, but without an exact stock above ten", async () => {
    const { checkOut, stock_id, sku, product, cart } = await aBuyer(60, 60);
    await table.write(update(Stocks, { id: stock_id }, { set: { available: 40 } }));
    const refused = await checkOut();
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "insufficient_stock",
        details: {
          lines: [{ id: cart.items[0]?.id, sku, name: product.name, quantity: 60, available: 10 }],
        },
      },
    });
    expect(refused.body.message).toBe(`There are not enough units of ${product.name}.`);
    expect(refused.body.details).toEqual({ lines: [expect.objectContaining({ available: 10 })] });
  });

  test("with code cart_changed if a line is no longer available", async () => {
    const { checkOut, product, cart } = await aBuyer();
    await table.write(remove(PublishedProducts, product));
    expect(await checkOut()).toMatchObject({
      status: 409,
      body: {
        code: "cart_changed",
        details: { requirements: [{ code: "unavailable", item_id: cart.items[0]?.id }] },
      },
    });
  });

  test("with code price_changed after a price change until the buyer sends the new total", async () => {
    const buyer = await aBuyer();
    await reprice(buyer, 1_100_000);
    const refused = await buyer.checkOut();
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "price_changed",
        details: {
          totals: { items_subtotal: 2_200_000 },
          lines: [{ id: buyer.cart.items[0]?.id, from: 1_000_000, to: 1_100_000 }],
        },
      },
    });
    expect((await buyer.stock()).available).toBe(10);
    const totals = refused.body.details?.["totals"] as Totals | undefined;
    const grand_total = totals?.grand_total;
    const accepted = await buyer.checkOut({ expected_total: grand_total });
    expect(accepted.body.data.order.totals.grand_total).toBe(grand_total);
  });

  test("with code price_changed and the total if the request expects another one", async () => {
    const buyer = await aBuyer();
    const { grand_total } = buyer.cart.totals;
    const { status, body } = await buyer.checkOut({ expected_total: grand_total - 1 });
    expect([status, body.code]).toEqual([409, "price_changed"]);
    expect(body.message).toContain(`The total is ${grand_total}, not ${grand_total - 1}`);
  });

  test("with code price_changed after a price change until the buyer writes the cart again", async () => {
    const buyer = await aBuyer();
    await reprice(buyer, 900_000);
    expect((await buyer.checkOut()).body.code).toBe("price_changed");
    const items = [{ id: buyer.cart.items[0]?.id, quantity: 1 }];
    await buyer.client.patch("/cart/items", { items }, buyer.headers);
    expect((await buyer.checkOut()).status).toBe(201);
  });
});

describe("a repeated checkout", () => {
  test("returns the cart's existing order, even without an Idempotency-Key", async () => {
    const { checkOut, stock } = await aBuyer();
    const first = await checkOut();
    const again = await checkOut();
    expect(first.headers.has("idempotent-replayed")).toBe(false);
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await stock()).reserved).toBe(2);
  });

  test("returns the order as it is now, with its shipment that is on its way", async () => {
    const { checkOut } = await aBuyer();
    const { order } = (await checkOut({ payment_method: "cod" })).body.data;
    const desk = orderDesk(baseUrl, environment);
    await desk.send({ id: order.id, line: order.items[0]?.id ?? "" }, 1);
    const again = await checkOut({ payment_method: "cod" });
    expect([again.status, again.body.data.order.shipments]).toMatchObject([
      201,
      [{ status: "out_for_delivery" }],
    ]);
  });

  test("succeeds with the Idempotency-Key of a checkout that was refused", async () => {
    const { client, headers, stock_id } = await aBuyer();
    const keyed = { ...headers, "idempotency-key": randomUUID() };
    const body = aCheckout();
    await table.write(update(Stocks, { id: stock_id }, { set: { available: 0 } }));
    expect((await client.post("/checkout", body, keyed)).status).toBe(409);
    await table.write(update(Stocks, { id: stock_id }, { set: { available: 2 } }));
    expect((await client.post("/checkout", body, keyed)).status).toBe(201);
  });

  test("creates a separate order for another guest who sends the same Idempotency-Key", async () => {
    const key = { "idempotency-key": "checkout-1" };
    const [one, other] = [await aBuyer(), await aBuyer()];
    const placed = [await one.checkOut({}, key), await other.checkOut({}, key)];
    expect(new Set(placed.map(({ body }) => body.data.order.id)).size).toBe(2);
  });
});

test("a guest can have at most five open orders per email or phone, in whatever format the phone is written", async () => {
  const { sku, stock } = await plantProduct(table, { units: 20 });
  const person = aPerson();
  const order = async (overrides: object) =>
    (await aShopper(baseUrl, [{ sku, quantity: 1 }])).checkOut({ ...person, ...overrides });
  for (let count = 0; count < 5; count++) expect((await order({})).status).toBe(201);
  const refused = await order({});
  expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(refused.headers.get("x-ratelimit-limit")).toBe("5");
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  const reset = Number(refused.headers.get("x-ratelimit-reset"));
  expect(Math.abs(reset - (Date.now() / 1000 + seconds))).toBeLessThan(60);
  expect((await order({ email: aPerson().email })).status).toBe(429);
  expect((await order({ phone: aPerson().phone })).status).toBe(429);
  for (const phone of otherwiseTyped(person.phone)) {
    expect([phone, (await order({ email: aPerson().email, phone })).status]).toEqual([phone, 429]);
  }
  expect((await order({ payment_method: "cod" })).status).toBe(429);
  expect((await stock()).reserved).toBe(5);
});

describe("POST /checkout/{order}/confirm", () => {
  const confirm = (order: string, headers = {}) =>
    clientOf(baseUrl).send<Data<ConfirmAnswer> & Problem>(
      "POST",
      `/api/v1/checkout/${order}/confirm`,
      { headers },
    );

  test("returns the current order to a caller with proof of access, however often it is called", async () => {
    const { checkOut, headers } = await aBuyer();
    const { order, payment, order_access_token } = (await checkOut()).body.data;
    const proofs = [headers, headers, { "x-order-token": order_access_token ?? "" }];
    for (const proof of proofs) {
      const { status, body } = await confirm(order.id, proof);
      expect(status).toBe(200);
      expect(body.data).toEqual({ order, payment });
    }
  });

  test.each([
    ["", 200],
    ["{}", 200],
    ['{"paid":true}', 422],
    ["[]", 422],
    ["paid", 422],
  ])("accepts no members: the body %j returns %i", async (sent, expected) => {
    const { checkOut, headers, client } = await aBuyer();
    const { order } = (await checkOut()).body.data;
    const { status, body } = await client.send<Problem>(
      "POST",
      `/api/v1/checkout/${order.id}/confirm`,
      { body: sent, headers: { ...headers, "content-type": "application/json" } },
    );
    expect(status).toBe(expected);
    if (sent.includes('paid"')) {
      expect(body.errors).toEqual({ paid: ["The paid field is not allowed."] });
    }
  });

  test("returns 404 without proof of access, with another order's proof, and for an unknown order", async () => {
    const [{ checkOut, headers }, other] = [await aBuyer(), await aBuyer()];
    const { order } = (await checkOut()).body.data;
    const foreign = (await other.checkOut()).body.data.order_access_token ?? "";
    const tries = [
      await confirm(order.id),
      await confirm(order.id, other.headers),
      await confirm(order.id, { "x-order-token": foreign }),
      await confirm("ord_01JD0000000000000000000001", headers),
      await confirm("nothing", headers),
    ];
    expect(tries.map(({ status, body }) => [status, body.message])).toEqual(
      tries.map(() => [404, "There is no order with this id."]),
    );
  });
});

test("a checkout with an outdated If-Match of the cart returns 412, and a repeated successful checkout is replayed", async () => {
  const { checkOut } = await aBuyer();
  const stale = await checkOut({}, { "if-match": '"v7"' });
  expect([stale.status, stale.body.details]).toEqual([412, { current_version: 1 }]);
  const made = await checkOut({}, { "if-match": '"v1"' });
  expect(made.status).toBe(201);
  const again = await checkOut({}, { "if-match": '"v1"' });
  expect([again.status, again.body.data.order.id]).toEqual([201, made.body.data.order.id]);
});
