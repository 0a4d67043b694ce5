import { describe, expect, test } from "vitest";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Order, OrderSummary } from "#shared/domain/order/view/buyer-order.ts";
import type { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import { expireOrder } from "#shared/domain/order/status/order-timers-after.ts";
import { charge } from "#shared/domain/payment/payment.ts";
import { receiveMoney } from "#shared/domain/payment/receive-money.ts";
import { type OrderStep, stepOrder } from "#shared/application/order/step-order.ts";
import { type BuyerKey, Buyers } from "#shared/storage/order/buyers.ts";
import { CouponUses } from "#shared/storage/pricing/coupons.ts";
import { joinGuestOrders } from "#shared/storage/order/customer-orders.ts";
import { OrderTransactions, Orders, openOrders } from "#shared/storage/order/orders.ts";
import { put, update } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { type Member, aMember } from "#test/support/people/members.ts";
import { aCheckout, plantCoupon, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aShopper, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop();

type One = Data<Order> & Problem;
type Page = { data: OrderSummary[]; meta: { per_page: number; next_cursor: string | null } };

async function order(member: Member, sku: string, quantity = 1, overrides = {}): Promise<Order> {
  const { client, headers, email, phone } = member;
  await client.post("/cart", { items: [{ sku, quantity }] }, headers);
  const body = aCheckout({ email, phone, ...overrides });
  // From a separate IP address, because checkouts are limited per IP address.
  const reply = await clientOf(baseUrl).post<Data<CheckoutAnswer>>("/checkout", body, headers);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.order;
}

const cancel = ({ headers }: Member, id: string, more = {}) =>
  clientOf(baseUrl).send<One>("POST", `/api/v1/orders/${id}/cancel`, {
    headers: { ...headers, ...more },
  });
const toStatus = (id: string, status: OrderStatus) =>
  table.write(update(Orders, { id }, { set: { status }, add: { version: 1 } }));

const buyersOf = (member: Member): Promise<({ orders: number; pending: number } | undefined)[]> =>
  Promise.all(
    [`customer#${member.id}`, `email#${member.email}`, `phone#${member.phone}`].map((buyer) =>
      table.get(Buyers, { buyer: buyer as BuyerKey }),
    ),
  );

/** The expected counters of the customer, the email and the phone. Only the customer's counter includes open orders. */
const countedAs = (counts: object, open: number) =>
  [open, 0, 0].map((each) => ({ ...counts, open: each }));

describe("the customer's orders", () => {
  test("are listed newest first, paginated by cursor, and each can be read in full", async () => {
    const member = await aMember(baseUrl);
    const { sku, product } = await plantProduct(table);
    const placed = [];
    for (let number = 1; number <= 5; number++) placed.push(await order(member, sku));
    const seen: OrderSummary[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `?per_page=2${cursor ? `&cursor=${cursor}` : ""}`;
      const { body } = await member.client.get<Page>(`/orders${query}`, member.headers);
      expect(body.meta.per_page).toBe(2);
      seen.push(...body.data);
      cursor = body.meta.next_cursor;
    } while (cursor);
    expect(seen.map(({ id }) => id)).toEqual(placed.map(({ id }) => id).toReversed());
    const last = placed[4];
    expect(seen[0]).toMatchObject({
      number: last?.number,
      status: "pending_payment",
      grand_total: last?.totals.grand_total,
      item_count: 1,
      items: [{ name: product.name, quantity: 1 }],
    });

    const reply = await member.client.get<One>(`/orders/${last?.id}`, member.headers);
    expect([reply.status, reply.body, reply.headers.get("etag")]).toEqual([
      200,
      { data: last },
      '"v1"',
    ]);
  });

  test("return 404 to other customers", async () => {
    const [member, stranger] = await Promise.all([aMember(baseUrl), aMember(baseUrl)]);
    const { sku, stock } = await plantProduct(table);
    const { id } = await order(member, sku);
    const read = await stranger.client.get<Problem>(`/orders/${id}`, stranger.headers);
    expect([read.status, (await cancel(stranger, id)).status]).toEqual([404, 404]);
    expect((await cancel(stranger, "ord_none")).status).toBe(404);
    expect((await stock()).reserved).toBe(1);

    const guest = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const guests = (await guest.checkOut()).body.data.order;
    expect((await member.client.get(`/orders/${guests.id}`, member.headers)).status).toBe(404);
  });
});

describe("a customer's cancellation of an order", () => {
  test("releases the stock and the coupon use, lowers the count of open orders, and is recorded in the timeline", async () => {
    const member = await aMember(baseUrl);
    const { sku, stock } = await plantProduct(table, { units: 5 });
    const { code } = await plantCoupon(table, { max_uses: 3, max_uses_per_customer: 1 });
    const { id } = await order(member, sku, 3, { coupon: code });
    expect(await stock()).toMatchObject({ reserved: 3, available: 2 });
    expect(await buyersOf(member)).toEqual(countedAs({ orders: 1, pending: 1 }, 1));

    const { status, body, headers } = await cancel(member, id);
    expect([status, headers.get("etag")]).toEqual([200, '"v2"']);
    expect(body.data).toMatchObject({ status: "cancelled", expires_at: null, version: 2 });
    expect(body.data.totals.due).toBe(0);
    expect(body.data.timeline.at(-1)).toMatchObject({ type: "cancelled", public: true });
    const read = await member.client.get<One>(`/orders/${id}`, member.headers);
    expect(read.body).toEqual(body);

    expect(await stock()).toMatchObject({ on_hand: 5, reserved: 0, available: 5 });
    expect(await buyersOf(member)).toEqual(countedAs({ orders: 0, pending: 0 }, 0));
    for (const by of ["all", `customer#${member.id}`] as const) {
      expect(await table.get(CouponUses, { code, by })).toEqual({ uses: 0 });
    }
    expect((await order(member, sku, 1, { coupon: code })).coupon_code).toBe(code);
  });

  test("is idempotent, even with concurrent requests", async () => {
    const member = await aMember(baseUrl);
    const { sku, stock } = await plantProduct(table, { units: 5 });
    const { id } = await order(member, sku, 2);
    const replies = await Promise.all(Array.from({ length: 6 }, () => cancel(member, id)));
    expect(tally(replies)).toEqual({ "200": 6 });
    expect((await cancel(member, id)).body.data.version).toBe(2);
    expect(await stock()).toMatchObject({ on_hand: 5, reserved: 0, available: 5 });
    const { timeline } = (await member.client.get<One>(`/orders/${id}`, member.headers)).body.data;
    expect(timeline.filter(({ type }) => type === "cancelled")).toHaveLength(1);
    expect(await buyersOf(member)).toEqual(countedAs({ orders: 0, pending: 0 }, 0));
  });

  test("is refused once the order is in production", async () => {
    const member = await aMember(baseUrl);
    const { sku, stock } = await plantProduct(table);
    const { id } = await order(member, sku);
    await toStatus(id, "in_production");
    const { status, body } = await cancel(member, id);
    expect([status, body.code, body.details]).toEqual([
      409,
      "invalid_transition",
      { from: "in_production", to: "cancelled", allowed: [] },
    ]);
    expect((await stock()).reserved).toBe(1);
  });

  test("creates a pending refund for staff to make if the order is partly paid", async () => {
    const member = await aMember(baseUrl);
    const { sku } = await plantProduct(table);
    const { id, placed_at } = await order(member, sku);
    await table.transact([
      update(Orders, { id }, { set: { paid: 50_000, received: 50_000 }, add: { version: 1 } }),
      put(OrderTransactions, {
        order_id: id,
        ...charge({
          id: "txn_1",
          state: "succeeded",
          amount: 50_000,
          method: "bank_transfer",
          provider_ref: "UTR-1",
          at: placed_at,
        }),
      }),
    ]);
    const { body } = await cancel(member, id);
    expect(body.data.transactions).toMatchObject([
      { type: "charge", state: "succeeded", amount: 50_000 },
      { type: "refund", state: "pending", amount: 50_000, method: "bank_transfer" },
    ]);
  });

  test("lowers the counters of the account and of the email if a guest placed the order and then registered", async () => {
    const email = (await aMember(baseUrl)).email.replace("ravi", "guest");
    const { sku, stock } = await plantProduct(table);
    const guest = await aShopper(baseUrl, [{ sku, quantity: 2 }]);
    const { id } = (await guest.checkOut({ email })).body.data.order;
    const member = await aMember(baseUrl, { email });
    await joinGuestOrders(table, member);
    expect((await cancel(member, id)).status).toBe(200);
    expect((await stock()).reserved).toBe(0);
    const [own, byEmail] = await buyersOf(member);
    expect([own, byEmail]).toEqual(countedAs({ orders: 0, pending: 0 }, 0).slice(1));
  });
});

test("an expired guest order that was added to an account counts as the account's order once a late payment confirms it", async () => {
  const email = (await aMember(baseUrl)).email.replace("ravi", "late");
  const { sku } = await plantProduct(table);
  const guest = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const placed = (await guest.checkOut({ email, payment_method: "bank_transfer" })).body.data;
  const { id, expires_at, totals } = placed.order;
  const orders = openOrders(table);
  const stepLate = async (step: OrderStep) =>
    stepOrder({ table }, (await orders.find(id))!, late, step);
  const late = new Date(Date.parse(expires_at ?? "") + 1_000);
  await stepLate((record) => expireOrder(record, late));
  const member = await aMember(baseUrl, { email });
  await joinGuestOrders(table, member);
  expect((await buyersOf(member)).slice(0, 2)).toMatchObject([
    { orders: 0, pending: 0 },
    { orders: 0, pending: 0 },
  ]);
  const arrived = charge({
    id: "txn_late",
    state: "succeeded",
    amount: totals.grand_total,
    method: "bank_transfer",
    provider_ref: "UTR late",
    at: late.toISOString(),
  });
  await stepLate((record, context) => receiveMoney(record, arrived, context));
  expect((await buyersOf(member)).slice(0, 2)).toMatchObject([
    { orders: 1, pending: 0 },
    { orders: 1, pending: 0 },
  ]);
});
