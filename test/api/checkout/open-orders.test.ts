import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import { addToCount, callerOf } from "#shared/auth/rate-limit.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { joinGuestOrders } from "#shared/storage/order/customer-orders.ts";
import { OrderOpenings, callerHash } from "#shared/storage/order/order-openings.ts";
import { update } from "#shared/storage/writes.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { type Member, aMember } from "#test/support/people/members.ts";
import { aPublishedProduct, aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, aShopper, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, desk, staffAs } = await useShop();

type Placed = Data<CheckoutAnswer> & Problem;

const asGuest = async (sku: string, overrides: object) =>
  (await aShopper(baseUrl, [{ sku, quantity: 1 }])).checkOut({ ...overrides });

async function asMember({ client, headers }: Member, sku: string, overrides: object) {
  await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
  return clientOf(baseUrl).post<Placed>("/checkout", aCheckout({ ...overrides }), headers);
}

/** Checkouts of unrelated guests from one IP address. */
async function fromOneAddress(client: Client, sku: string, count: number) {
  const shoppers = await Promise.all(
    Array.from({ length: count }, () => aShopper(baseUrl, [{ sku, quantity: 1 }])),
  );
  return shoppers.map(
    ({ headers }) =>
      () =>
        client.post<Placed>("/checkout", aCheckout(aPerson()), headers),
  );
}

const tooMany = { status: 429, body: { code: "too_many_requests" } };

test("a guest can have at most five unshipped cash-on-delivery orders, and shipping one of them permits another", async () => {
  const { sku, stock } = await plantProduct(table, { units: 20 });
  const person = { ...aPerson(), payment_method: "cod" };
  const placed: Order[] = [];
  for (let count = 0; count < 5; count++) {
    placed.push((await asGuest(sku, person)).body.data.order);
  }
  expect(placed.map(({ status }) => status)).toEqual(Array(5).fill("confirmed"));
  expect(await asGuest(sku, person)).toMatchObject(tooMany);
  expect(await asGuest(sku, { ...person, email: aPerson().email })).toMatchObject(tooMany);
  expect(await asGuest(sku, { ...person, phone: aPerson().phone })).toMatchObject(tooMany);
  expect((await stock()).reserved).toBe(5);

  const staff = await staffAs("order_desk");
  const path = `/admin/orders/${placed[0]?.id}`;
  await staff.patch(path, { status: "ready_to_dispatch" });
  const made = await staff.post<Data<{ shipment: { id: string } }>>(`${path}/shipments`, {});
  const shipment = `${path}/shipments/${made.body.data.shipment.id}`;
  await staff.patch(shipment, { status: "packed" });
  expect(await asGuest(sku, person)).toMatchObject(tooMany);
  expect((await staff.patch(shipment, { status: "out_for_delivery" })).status).toBe(200);
  expect((await asGuest(sku, person)).status).toBe(201);
  expect(await asGuest(sku, person)).toMatchObject(tooMany);
});

test("a cancelled order no longer counts against the limit of open orders, whatever its payment method", async () => {
  const { sku } = await plantProduct(table, { units: 20 });
  const member = await aMember(baseUrl);
  const methods = ["cod", "bank_transfer", "gateway", "cod", "bank_transfer"];
  const ids: string[] = [];
  for (const payment_method of methods) {
    ids.push((await asMember(member, sku, { payment_method })).body.data.order.id);
  }
  for (const id of ids) {
    expect(await asMember(member, sku, {})).toMatchObject(tooMany);
    const path = `/api/v1/orders/${id}/cancel`;
    const cancelled = await clientOf(baseUrl).send("POST", path, { headers: member.headers });
    expect(cancelled.status).toBe(200);
    expect((await asMember(member, sku, {})).status).toBe(201);
  }
});

test("guest orders with a customer's email and phone do not count against the customer's limit, even after they join the account", async () => {
  const { sku } = await plantProduct(table, { units: 40 });
  const member = await aMember(baseUrl);
  const own = { email: member.email, phone: member.phone };
  for (let count = 0; count < 5; count++) expect((await asGuest(sku, own)).status).toBe(201);
  expect(await asGuest(sku, own)).toMatchObject(tooMany);

  expect((await asMember(member, sku, own)).status).toBe(201);
  await joinGuestOrders(table, { id: member.id, email: member.email });
  for (let count = 1; count < 5; count++) {
    expect((await asMember(member, sku, own)).status).toBe(201);
  }
  expect(await asMember(member, sku, own)).toMatchObject(tooMany);
  expect(await asMember(member, sku, aPerson())).toMatchObject(tooMany);
});

test("customers' orders with a guest's email and phone do not count against the guest: of twelve concurrent checkouts by the guest, five create an order", async () => {
  const { sku, stock } = await plantProduct(table, { units: 40 });
  const person = aPerson();
  const members = await Promise.all(Array.from({ length: 6 }, () => aMember(baseUrl)));
  for (const member of members) expect((await asMember(member, sku, person)).status).toBe(201);
  const replies = await Promise.all(Array.from({ length: 12 }, () => asGuest(sku, person)));
  expect(tally(replies)).toEqual({ "201": 5, "429 too_many_requests": 7 });
  expect((await stock()).reserved).toBe(11);
});

test("checkouts from one IP address create at most ten open orders, even concurrently, and refused checkouts reserve no stock", async () => {
  const { sku, stock } = await plantProduct(table, { units: 40 });
  const client = clientOf(baseUrl);
  const checkOuts = await fromOneAddress(client, sku, 13);
  const replies = await Promise.all(checkOuts.map((checkOut) => checkOut()));
  expect(tally(replies)).toEqual({ "201": 10, "429 too_many_requests": 3 });
  expect((await stock()).reserved).toBe(10);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.headers.get("x-ratelimit-limit")).toBe("10");
  const seconds = Number(refused?.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(23 * 3_600);
  expect(seconds).toBeLessThanOrEqual(24 * 3_600);
  expect((await asGuest(sku, {})).status).toBe(201);
});

test("checkouts from one IPv6 network of 56 bits create at most forty open orders a day, also from many of its addresses", async () => {
  const { sku, stock } = await plantProduct(table, { units: 5 });
  const site = `2001:db8:${randomInt(0x10000).toString(16)}`;
  const rates = openRateCounters(table, { error: () => undefined });
  const [inside, outside] = [`${site}:12ff::1`, `${site}:13ff::1`].map((ip) =>
    fromOneAddress(clientOf(baseUrl, ip), sku, 1),
  );
  const counter = { limit: "open_orders", caller: `${site}:1200::/56` } as const;
  await addToCount(rates, { ...counter, by: 40 }, new Date());
  const [[checkOut], [elsewhere]] = await Promise.all([inside!, outside!]);
  expect(await checkOut!()).toMatchObject(tooMany);
  expect((await stock()).reserved).toBe(0);
  expect((await elsewhere!()).status).toBe(201);
  await addToCount(rates, { ...counter, by: -1 }, new Date());
  expect((await checkOut!()).status).toBe(201);
  expect(await addToCount(rates, { ...counter, by: 0 }, new Date())).toBe(40);
});

test("an order counts against its IP address's limit for 24 hours, whatever its status", async () => {
  const { sku } = await plantProduct(table, { units: 40 });
  const client = clientOf(baseUrl);
  const [first, ...others] = await fromOneAddress(client, sku, 12);
  const placed = await first!();
  expect(placed.status).toBe(201);
  await desk.cancel(placed.body.data.order.id);
  const caller = callerHash(callerOf(client.ip));
  const { opened } = (await table.get(OrderOpenings, { caller }))!;
  const nineMore = Array.from({ length: 9 }, (_, hour) => opened[0]! - hour * 3_600);
  const opening = (at: number[]) => update(OrderOpenings, { caller }, { set: { opened: at } });
  await table.write(opening([...opened, ...nineMore]));
  expect(await others[0]!()).toMatchObject(tooMany);
  await table.write(opening([...nineMore, opened[0]! - 24 * 3_600]));
  expect((await others[0]!()).status).toBe(201);
  expect(await others[1]!()).toMatchObject(tooMany);
});

test("a repeated checkout returns the same order, even from an IP address at its limit", async () => {
  const { sku } = await plantProduct(table, { units: 40 });
  const client = clientOf(baseUrl);
  const checkOuts = await fromOneAddress(client, sku, 10);
  const replies = [];
  for (const checkOut of checkOuts) replies.push(await checkOut());
  expect(tally(replies)).toEqual({ "201": 10 });
  const again = await checkOuts[9]!();
  expect([again.status, again.body.data.order.id]).toEqual([201, replies[9]!.body.data.order.id]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("an order with a total of zero does not count against the limit of open orders", async () => {
  const variants = aPublishedProduct().variants.map((variant) => ({ ...variant, price: 0 }));
  const { sku } = await plantProduct(table, { units: 40, variants });
  const person = { ...aPerson(), shipping_method: "pickup" };
  for (let count = 0; count < 6; count++) {
    const { status, body } = await asGuest(sku, person);
    expect([status, body.data?.order.status]).toEqual([201, "confirmed"]);
  }
});

test("a guest's bank transfer order expires after 24 hours, a customer's after 72", async () => {
  const { sku } = await plantProduct(table, { units: 10 });
  const guests = (await asGuest(sku, {})).body.data.order;
  const own = (await asMember(await aMember(baseUrl), sku, {})).body.data.order;
  const hours = ({ placed_at, expires_at }: Order) =>
    (Date.parse(expires_at ?? "") - Date.parse(placed_at)) / 3_600_000;
  expect([hours(guests), hours(own)]).toEqual([24, 72]);
});
