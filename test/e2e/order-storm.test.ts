import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { standInKeys } from "#infra/local/stripe/keys.ts";
import type { Cart } from "#shared/domain/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout.ts";
import type { OrderRecord } from "#shared/domain/order.ts";
import { holdsStock, owedBySku, piecesOf } from "#shared/domain/order-pieces.ts";
import { moneyMoved, paymentStatus } from "#shared/domain/payment.ts";
import { openStripe } from "#shared/payments/stripe-gateway.ts";
import { Buyers, buyerKeys } from "#shared/storage/buyers.ts";
import { is } from "#shared/storage/conditions.ts";
import { CouponUses } from "#shared/storage/coupons.ts";
import { lookAt } from "#shared/storage/due-orders.ts";
import { Orders, openOrders } from "#shared/storage/orders.ts";
import { Refused, update } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/client.ts";
import { aKey } from "#test/support/order-desk.ts";
import { worldOf } from "#test/support/people.ts";
import {
  type PlantedProduct,
  aCheckout,
  plantCoupon,
  plantProduct,
  tableOf,
} from "#test/support/plant.ts";
import { type Data, aPerson } from "#test/support/shopping.ts";
import { type StaffClient, staffClient } from "#test/support/staff-client.ts";
import { stripeAt } from "#test/support/stripe.ts";

const operations = 500;
const atOnce = 16;
const pieces = 100;

const baseUrl = inject("baseUrl");
const environment = inject("environment");
const table = tableOf(environment);
const orders = openOrders(table);
const stripe = stripeAt(environment.STRIPE_API_URL);
const gateway = openStripe({
  ...standInKeys,
  endpoint: environment.STRIPE_API_URL,
  log: { error: () => undefined },
});

/** Park and Miller's numbers: the same storm each time, as far as one that runs 16 at a time can be. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}
const roll = dice(20_261_121);
const oneOf = <Value>(values: readonly Value[]): Value => values[roll(values.length)]!;

interface Placed {
  readonly id: string;
  readonly total: number;
  readonly line: string;
  readonly clientSecret: string | null;
}
const placed: Placed[] = [];
const answers: { operation: string; status: number; text: string }[] = [];
const people = Array.from({ length: 40 }, aPerson);

let staff: StaffClient;
let products: PlantedProduct[];
let coupon: string;
beforeAll(async () => {
  staff = await staffClient(baseUrl, worldOf(environment), "owner");
  products = await Promise.all([1, 2, 3].map(() => plantProduct(table, { pieces })));
  coupon = (await plantCoupon(table, { max_uses: 60, max_uses_per_customer: 50 })).code;
});
afterAll(() => stripe.heal());

async function place(): Promise<void> {
  const chosen = new Set([oneOf(products), oneOf(products)]);
  const items = [...chosen].map(({ sku }) => ({ sku, quantity: 1 + roll(3) }));
  const payment_method = oneOf(["cod", "bank_transfer", "gateway", "gateway"] as const);
  const client = clientOf(baseUrl);
  const cart = await client.post<Data<Cart>>("/cart", { items });
  if (cart.status !== 201) return note("cart", cart);
  const reply = await client.post<Data<CheckoutAnswer>>(
    "/checkout",
    aCheckout({ ...oneOf(people), payment_method, ...(roll(2) === 0 && { coupon }) }),
    { "x-cart-token": cart.body.data.token ?? "" },
  );
  note("place", reply);
  if (reply.status !== 201) return;
  const { order, payment } = reply.body.data;
  placed.push({
    id: order.id,
    total: order.totals.grand_total,
    line: order.items[0]?.id ?? "",
    clientSecret:
      payment.action.type === "stripe_payment_intent" ? payment.action.client_secret : null,
  });
}

function note(operation: string, { status, text }: { status: number; text: string }): void {
  answers.push({ operation, status, text });
}

async function pay({ id, total, clientSecret }: Placed): Promise<void> {
  if (clientSecret !== null) {
    const method = oneOf(["pm_card_visa", "pm_card_visa", "pm_card_chargeDeclined"]);
    await stripe.pay(clientSecret, method);
    return;
  }
  const amount = oneOf([total, total, Math.ceil(total / 2), total + 100]);
  const { "idempotency-key": reference } = aKey();
  const body = { amount, method: "bank_transfer", reference };
  note("pay", await staff.post(`/admin/orders/${id}/payments`, body, aKey()));
}

const cancel = async ({ id }: Placed) =>
  note("cancel", await staff.patch(`/admin/orders/${id}`, { status: "cancelled" }));

async function refund({ id, line }: Placed): Promise<void> {
  const body = oneOf<object>([
    { amount: 1 + roll(1_500_000), reason: "Goodwill" },
    { items: [{ id: line, quantity: 1 }], restock: true, reason: "Sent back", reference: "UTR 1" },
  ]);
  note("refund", await staff.post(`/admin/orders/${id}/refunds`, body, aKey()));
}

/** Its time is over, and the schedule finds it. */
async function lapse({ id }: Placed): Promise<void> {
  const past = new Date(Date.now() - 60_000).toISOString();
  const set = { expires_at: past };
  try {
    await table.transact([
      update(Orders, { id }, { set, add: { version: 1 } }, is("status", "pending_payment")),
      lookAt(id, past),
    ]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

async function send({ id }: Placed): Promise<void> {
  note("send", await staff.patch(`/admin/orders/${id}`, { status: "ready_to_dispatch" }));
  const path = `/admin/orders/${id}/shipments`;
  const made = await staff.post<Data<{ shipment: { id: string } }>>(path, {});
  note("send", made);
  if (made.status !== 201) return;
  const { id: shipment } = made.body.data.shipment;
  for (const status of ["packed", "out_for_delivery", oneOf(["delivered", "delivery_failed"])]) {
    note("send", await staff.patch(`${path}/${shipment}`, { status }));
  }
}

async function operate(): Promise<void> {
  const chance = roll(100);
  if (chance < 35 || placed.length === 0) return place();
  const one = oneOf(placed);
  if (chance < 55) return pay(one);
  if (chance < 68) return cancel(one);
  if (chance < 82) return refund(one);
  if (chance < 94) return lapse(one);
  return send(one);
}

/** What the shop holds of a SKU by its orders, as against what its row says. */
function expectedStock(sku: string, records: readonly OrderRecord[]) {
  let reserved = 0;
  let gone = 0;
  for (const record of records) {
    if (holdsStock(record.order.status)) reserved += owedBySku(record).get(sku) ?? 0;
    for (const { id } of record.order.items.filter((item) => item.sku === sku)) {
      const line = piecesOf(record).get(id);
      gone += (line?.away ?? 0) - (line?.returned ?? 0);
    }
  }
  const on_hand = pieces - gone;
  return { on_hand, reserved, available: on_hand - reserved };
}

/** What the ledger says of the gateway's payments, as against what the gateway says. */
async function expectGatewayAgrees({ rows: { transactions } }: OrderRecord): Promise<void> {
  for (const { id, state, amount, method, type, provider_ref } of transactions) {
    if (type !== "charge" || method !== "gateway" || provider_ref === null) continue;
    const payment = await gateway.find(provider_ref);
    expect(payment?.received).toBe(state === "succeeded" ? amount : 0);
    const given = transactions
      .filter((row) => row.charge_id === id && row.state === "succeeded")
      .map((row) => row.amount);
    expect(payment?.refunds.map((each) => each.amount).toSorted()).toEqual(given.toSorted());
  }
}

const counts = ({ order }: OrderRecord) => !["cancelled", "expired"].includes(order.status);

test(`after ${operations} random operations, ${atOnce} at a time, all counters say what the orders say`, async () => {
  let left = operations;
  const worker = async () => {
    while (left-- > 0) await operate();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await stripe.quiet();

  const records = await vi.waitFor(
    async () => {
      const read = await Promise.all(placed.map(async ({ id }) => (await orders.find(id))!));
      const now = new Date().toISOString();
      for (const { order, rows } of read) {
        const overdue = order.status === "pending_payment" && (order.expires_at ?? "9") < now;
        const open = rows.transactions.some(
          ({ type, state, method }) =>
            type === "refund" && state === "pending" && method === "gateway",
        );
        expect([order.id, overdue, open]).toEqual([order.id, false, false]);
      }
      return read;
    },
    { timeout: 30_000, interval: 200 },
  );

  // Whatever was refused was refused in words; nothing broke.
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const seen = new Set(records.map(({ order }) => order.status));
  for (const status of ["pending_payment", "confirmed", "cancelled", "expired"] as const)
    expect([...seen]).toContain(status);
  expect(records.length).toBeGreaterThan(60);

  for (const { sku, stock } of products) {
    expect(await stock()).toMatchObject(expectedStock(sku, records));
  }

  const uses = await table.get(CouponUses, { code: coupon, by: "all" });
  const used = records.filter((record) => record.order.coupon_code === coupon && counts(record));
  expect(uses?.uses).toBe(used.length);

  for (const person of people) {
    const own = records.filter(({ order }) => order.customer.email === person.email);
    const expected = {
      orders: own.filter(counts).length,
      pending: own.filter(({ order }) => order.status === "pending_payment").length,
    };
    for (const buyer of buyerKeys({ id: null, ...person })) {
      const counted = await table.get(Buyers, { buyer });
      expect({ orders: 0, pending: 0, ...counted }).toMatchObject(expected);
    }
  }

  for (const { order, rows } of records) {
    const { paid, refunded } = moneyMoved(rows.transactions);
    const status = paymentStatus(rows.transactions, order.payment_method, order.totals.grand_total);
    expect([order.id, order.paid, order.refunded, order.payment_status]).toEqual([
      order.id,
      paid,
      refunded,
      status,
    ]);
    const promised = rows.transactions
      .filter(({ type, state }) => type === "refund" && state !== "failed")
      .reduce((sum, { amount }) => sum + amount, 0);
    expect(promised).toBeLessThanOrEqual(paid);
    await expectGatewayAgrees({ order, rows });
    if (order.status === "cancelled" || order.status === "expired") expect(promised).toBe(paid);
  }
}, 90_000);
