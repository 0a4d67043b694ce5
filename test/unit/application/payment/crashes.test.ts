// @module-tag slow
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { payBy } from "#shared/application/checkout/pay-order.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { type StripeEmulator, startStripe } from "#infra/local/stripe/emulator.ts";
import { waivePart } from "#shared/domain/order/status/balance.ts";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { moveOrder } from "#shared/domain/order/status/move-order.ts";
import { type OrderDeposit, amountDue } from "#shared/domain/payment/owing.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import { paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import { PaymentInput, recordPayment } from "#shared/domain/payment/record-payment.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import { newStock } from "#shared/domain/catalog/stock.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { advanceOrder } from "#shared/application/payment/advance-order.ts";
import { reconcileWithGateway } from "#shared/application/payment/reconcile-with-gateway.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import { type OrderStep, stepOrder } from "#shared/application/order/step-order.ts";
import { openStripe } from "#shared/payments/stripe-gateway.ts";
import { type BuyerKey, Buyers, countOrder } from "#shared/storage/order/buyers.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { newOrder, openOrders } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { put, update } from "#shared/storage/writes.ts";
import { anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aDeposit } from "#test/support/shop/order-record.ts";
import { aShop } from "#test/support/shop/parts.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { stripeAt } from "#test/support/emulators/stripe.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
let emulator: StripeEmulator;
let stripe: ReturnType<typeof stripeAt>;
let gateway: PaymentGateway;
beforeAll(async () => {
  fixture = await startTestTable();
  // No webhook receiver is needed here.
  emulator = await startStripe({ webhookUrl: "http://127.0.0.1:9/", bankMs: 20 });
  stripe = stripeAt(emulator.endpoint);
  const log = { error: () => undefined };
  gateway = openStripe({ ...emulatorKeys, endpoint: emulator.endpoint, log });
});
afterAll(async () => {
  await emulator.stop();
  await fixture.stop();
});

class Crash extends Error {}

/** Counts calls, and throws `Crash` right after one of them has taken effect. */
function lifeline(crashAfter = Infinity) {
  let calls = 0;
  const through = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          if (calls >= crashAfter) throw new Crash();
          const answer: unknown = await Reflect.apply(member, target, given);
          if (++calls === crashAfter) throw new Crash();
          return answer;
        };
      },
    });
  return { through, calls: () => calls };
}

type Parts = Parameters<typeof advanceOrder>[0];

function partsOver(table: Table, at: PaymentGateway): Parts {
  const ready = async () => at;
  const checkout = { ...defaultSettings.checkout, completed_after_days: 7 };
  return aShop<Parts>({
    table,
    gateways: { current: ready, configured: ready },
    settings: { current: async () => ({ checkout }) },
  });
}
const sound = () => partsOver(fixture.table, gateway);

const minutes = (after: number) => new Date(noon.getTime() + after * 60_000);

/** An order of one unit, to be paid through the gateway. Ten units are in stock. */
async function placed(deposit: OrderDeposit | null = null) {
  const id = newId("ord", noon);
  const sku = `SKU-${ulid()}`;
  const buyer: BuyerKey = `email#${id}@example.com`;
  const base = aPlacedOrder({ payment_method: "gateway" });
  const order = {
    ...base,
    id,
    number: orderNumber(crypto.getRandomValues(Buffer.alloc(12))),
    deposit,
    items: base.items.map((item) => ({ ...item, sku, variant_id: sku, quantity: 1 })),
    counted: { buyers: [buyer], open: [buyer], coupon: [] },
  };
  const owner = { kind: "product", id: anId("prd"), slug: "chair" } as const;
  const shelf = newStock(sku, owner, { policy: "deny", low_stock_threshold: 0 }, noon);
  await fixture.table.transact([
    ...newOrder(order, []),
    put(Stocks, { ...shelf, on_hand: 10, reserved: 1, available: 9 }),
    countOrder(buyer, { orders: 1, pending: 1, open: 1 }, { open: 5, orders: null }),
  ]);
  return { id, sku, buyer };
}
type Placed = Awaited<ReturnType<typeof placed>>;

async function recordOf({ id }: Placed, { table }: Pick<Parts, "table"> = sound()) {
  const record = await openOrders(table).find(id);
  if (!record) throw new Error(`There is no order ${id}`);
  return record;
}

const ask = async (
  order: Placed,
  parts = sound(),
  { after = 1, begins = true }: { after?: number; begins?: boolean } = {},
) =>
  reconcileWithGateway(
    parts,
    await recordOf(order, parts),
    await parts.gateways.configured().then((at) => at!),
    { begins, now: minutes(after) },
  );
const advance = (order: Placed, after: number, parts = sound()) =>
  advanceOrder(parts, order.id, minutes(after));

async function begun(method?: string): Promise<Placed> {
  const order = await placed();
  const { payment } = await ask(order);
  if (method !== undefined) await stripe.pay(payment?.clientSecret ?? "", method);
  return order;
}

/** The bank was processing the payment when the order expired, and the stock has been sold since. */
async function paidTooLate(): Promise<Placed> {
  const order = await begun("pm_usBankAccount_processing");
  await advance(order, 31 + 10 * 24 * 60);
  const { rows } = await recordOf(order);
  await stripe.completePayment(rows.transactions[0]?.provider_ref ?? "", "succeeded");
  const taken = { reserved: 10, available: 0 };
  await fixture.table.write(update(Stocks, { id: order.sku }, { set: taken }));
  return order;
}

async function cancelledAfterPayment(): Promise<Placed> {
  const order = await begun("pm_card_visa");
  await ask(order);
  await step(order, (record, context) => {
    const outcome = cancelOrder(record, "staff", context);
    return outcome.kind === "cancelled" ? outcome.change : undefined;
  });
  return order;
}

const inParts = () => placed(aDeposit({ amount: 1_000_000 }));

/** An order whose deposit is paid through the gateway. */
async function withDeposit(): Promise<Placed> {
  const order = await inParts();
  const { payment } = await ask(order);
  await stripe.pay(payment?.clientSecret ?? "");
  await ask(order);
  return order;
}

/** An order whose balance has an open payment at the gateway. */
async function withOpenBalance(method?: string): Promise<Placed> {
  const order = await withDeposit();
  const { payment } = await ask(order, sound(), { after: 2 });
  if (method !== undefined) await stripe.pay(payment?.clientSecret ?? "", method);
  return order;
}

async function readyToDispatch(): Promise<Placed> {
  const order = await withDeposit();
  await step(order, (record, context) => {
    const to = { ...context, permissions: ["*"], completesAt: minutes(9).toISOString() };
    const outcome = moveOrder(record, "ready_to_dispatch", to);
    return outcome.kind === "moved" ? outcome.change : undefined;
  });
  return order;
}

/** Applies a step as staff's requests do. */
const step = async (order: Placed, take: OrderStep, parts: Parts = sound()) =>
  stepOrder(parts, await recordOf(order, parts), minutes(2), take);

const cancelKeeping =
  (keep_amount: number): OrderStep =>
  (record, context) => {
    const terms = { requested_by: "buyer", keep_amount } as const;
    const outcome = cancelOrder(record, "staff", context, terms);
    return outcome.kind === "cancelled" ? outcome.change : undefined;
  };

async function cancelledKeeping(keep_amount: number): Promise<Placed> {
  const order = await withOpenBalance("pm_card_visa");
  await ask(order, sound(), { after: 2 });
  await step(order, cancelKeeping(keep_amount));
  return order;
}

const waiving: OrderStep = (record, { now }) => {
  const outcome = waivePart(record, "balance", "A regular", now);
  return outcome.kind === "changed" ? outcome.change : undefined;
};

/** The shop offers cash on delivery for any amount. */
async function payInCash(order: Placed, parts: Parts): Promise<unknown> {
  const record = await recordOf(order, parts);
  const { payments, ...others } = someSettings();
  const cod = { ...payments.cod, max_amount: record.order.totals.grand_total };
  const settings = { ...others, payments: { ...payments, cod } };
  return payBy({ record, settings, now: minutes(3) }, "cod", parts);
}

async function payBalanceOnline(order: Placed, parts: Parts): Promise<unknown> {
  const record = await recordOf(order, parts);
  return payBy({ record, settings: someSettings(), now: minutes(3) }, "gateway", parts);
}

async function payByTransfer(order: Placed, parts: Parts): Promise<unknown> {
  const record = await recordOf(order, parts);
  const wish = { record, settings: someSettings(), now: minutes(3) };
  return payBy(wish, "bank_transfer", parts);
}

async function endOf(order: Placed) {
  const { table } = fixture;
  const { order: stored, rows } = await recordOf(order);
  const stock = await table.get(Stocks, { id: order.sku });
  const payments = rows.transactions.filter(({ type }) => type === "charge");
  const found = await Promise.all(payments.map((row) => gateway.find(row.provider_ref ?? "")));
  return {
    status: stored.status,
    payment_method: stored.payment_method,
    payment_status: stored.payment_status,
    attention: stored.attention.map(({ code }) => code),
    ledger: rows.transactions.map(({ type, state, amount }) => [type, state, amount]),
    timeline: rows.timeline.map(({ type }) => type),
    schedule: paymentSchedule({ order: stored, rows }).map(({ code, state }) => `${code} ${state}`),
    retained: totalsNow(stored).retained,
    stock: [stock?.on_hand, stock?.reserved, stock?.available],
    counted: await table.get(Buyers, { buyer: order.buyer }),
    gateway: found.map((each) => [
      each?.state,
      each?.received,
      each?.refunds.map(({ state, amount }) => [state, amount]),
    ]),
    charges: new Set(
      (await stripe.calls(order.id))
        .filter(({ call }) => call === "payment_intents.create")
        .map(({ idempotencyKey }) => idempotencyKey),
    ).size,
  };
}

interface Story {
  readonly prepare: () => Promise<Placed>;
  readonly act: (order: Placed, parts: Parts) => Promise<unknown>;
  readonly end: object;
}

const stories: Record<string, Story> = {
  "opening the payment of an order": {
    prepare: placed,
    act: ask,
    end: { status: "pending_payment", ledger: [["charge", "pending", expect.any(Number)]] },
  },
  "confirming an order whose payment succeeded": {
    prepare: () => begun("pm_card_visa"),
    act: ask,
    end: { status: "confirmed", payment_status: "paid", stock: [10, 1, 9] },
  },
  "expiring an order": {
    prepare: () => begun(),
    act: (order, parts) => advance(order, 31, parts),
    end: { status: "expired", stock: [10, 0, 10], counted: { orders: 0, pending: 0 } },
  },
  "refunding a payment that arrived after the expiry": {
    prepare: paidTooLate,
    act: (order, parts) => advance(order, 92, parts),
    end: { status: "expired", payment_status: "refunded", stock: [10, 10, 0] },
  },
  "refunding a cancelled order": {
    prepare: cancelledAfterPayment,
    act: (order, parts) => advance(order, 4, parts),
    end: { status: "cancelled", payment_status: "refunded", stock: [10, 0, 10] },
  },
  "changing the payment method": {
    prepare: () => begun(),
    act: payByTransfer,
    end: { payment_method: "bank_transfer", payment_status: "awaiting_transfer" },
  },
  "confirming an order whose deposit was paid": {
    async prepare() {
      const order = await inParts();
      const { payment } = await ask(order);
      await stripe.pay(payment?.clientSecret ?? "");
      return order;
    },
    act: (order, parts) => ask(order, parts, { begins: false }),
    end: {
      status: "confirmed",
      payment_status: "partially_paid",
      schedule: ["deposit paid", "balance open"],
    },
  },
  "opening the payment of a balance": {
    prepare: withDeposit,
    act: payBalanceOnline,
    end: { charges: 2, schedule: ["deposit paid", "balance open"] },
  },
  "receiving the payment of a balance": {
    prepare: () => withOpenBalance("pm_card_visa"),
    act: (order, parts) => advance(order, 4, parts),
    end: { charges: 2, payment_status: "paid", schedule: ["deposit paid", "balance paid"] },
  },
  "receiving a transfer for a balance that has an open payment": {
    async prepare() {
      const order = await withOpenBalance();
      await step(order, (record, context) => {
        const sent = {
          amount: amountDue(record.order),
          method: "bank_transfer",
          reference: "UTR 1",
        };
        const facts = { id: newId("txn", context.now), today: "2026-11-21", since: "2026-11-01" };
        const outcome = recordPayment(record, PaymentInput.parse(sent), facts, context);
        return outcome.kind === "recorded" ? outcome.change : undefined;
      });
      return order;
    },
    act: (order, parts) => advance(order, 4, parts),
    end: {
      charges: 2,
      payment_status: "paid",
      gateway: expect.arrayContaining([["cancelled", 0, []]]),
    },
  },
  "paying a balance on delivery that has an open payment": {
    prepare: () => withOpenBalance(),
    act: payInCash,
    end: { charges: 2, payment_method: "cod", schedule: ["deposit paid", "balance open"] },
  },
  "reminding the buyer of a balance, and flagging it": {
    prepare: readyToDispatch,
    act: (order, parts) => advance(order, 8 * 24 * 60, parts),
    end: { attention: ["balance_overdue"], schedule: ["deposit paid", "balance due"] },
  },
  "waiving a balance": {
    prepare: readyToDispatch,
    act: (order, parts) => step(order, waiving, parts),
    end: { schedule: ["deposit paid", "balance waived"] },
  },
  "cancelling for the buyer, who loses a part of the deposit": {
    prepare: withDeposit,
    act: (order, parts) => step(order, cancelKeeping(400_000), parts),
    end: { status: "cancelled", retained: 400_000, stock: [10, 0, 10] },
  },
  "refunding what a cancelled order does not keep": {
    prepare: () => cancelledKeeping(1_000_000),
    act: (order, parts) => advance(order, 4, parts),
    end: {
      charges: 2,
      status: "cancelled",
      retained: 1_000_000,
      payment_status: "partially_refunded",
    },
  },
};

test.each(Object.entries(stories))(
  "%s has the same result after a retry as without a crash, whichever step of the first attempt crashed",
  async (_what, { prepare, act, end }) => {
    const model = await prepare();
    const whole = lifeline();
    await act(model, partsOver(whole.through(fixture.table), whole.through(gateway)));
    const expected = await endOf(model);
    expect(expected).toMatchObject({ charges: 1, ...end });

    expect(whole.calls()).toBeGreaterThan(1);
    for (let last = 1; last <= whole.calls(); last++) {
      const order = await prepare();
      const { through } = lifeline(last);
      const parts = partsOver(through(fixture.table), through(gateway));
      await expect(act(order, parts)).rejects.toThrow(Crash);
      await act(order, sound());
      expect([last, await endOf(order)]).toEqual([last, expected]);
    }
  },
);
