// @module-tag emulator
// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onChangeDocuments } from "#functions/on-change/documents.ts";
import { openers as openersOfDocuments } from "#infra/generated/entries/on-change-documents.ts";
import { openShop } from "#shared/application/shop.ts";
import { families } from "#functions/families.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { Document } from "#shared/domain/document/document.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import { paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import type { Payment } from "#shared/domain/payment/payment.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { InvoiceNumbers } from "#shared/storage/order/number-series.ts";
import { RefundClaims, endRefundClaim } from "#shared/storage/payment/refund-claims.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import { type CallFaults, startCallFaults } from "#test/support/emulators/call-faults.ts";
import { aMessage } from "#test/support/emulators/queues.ts";
import { stripeAt } from "#test/support/emulators/stripe.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { worldOf, type StaffClient, asking, staffClient } from "#test/support/people/people.ts";
import { type OrderInParts, ordersInParts } from "#test/support/shop/placed-orders.ts";
import { aCheckout } from "#test/support/shop/plant.ts";
import { type Data, type Shopper, aPerson } from "#test/support/shop/shopping.ts";

/** Prepares the tests, without faults. No consumer and no schedule runs. */
let base: Stack;
/** The same functions over the same data. They reach storage, gateway, files and queues through the faults. */
let service: Stack;
let faults: CallFaults<"DYNAMODB_ENDPOINT" | "STRIPE_API_URL" | "S3_ENDPOINT" | "SQS_ENDPOINT">;
let shop: ReturnType<typeof ordersInParts>;
let stripe: ReturnType<typeof stripeAt>;
let staff: StaffClient;
beforeAll(async () => {
  base = await startStack({ shop: "planted", consumers: [] });
  const { environment } = base;
  const { DYNAMODB_ENDPOINT, STRIPE_API_URL, S3_ENDPOINT, SQS_ENDPOINT } = environment;
  faults = await startCallFaults({
    DYNAMODB_ENDPOINT,
    STRIPE_API_URL,
    S3_ENDPOINT,
    SQS_ENDPOINT,
  });
  service = await startStack({
    dynamoDbEndpoint: DYNAMODB_ENDPOINT,
    tableName: environment.TABLE_NAME,
    consumers: [],
    families: families.filter(({ name }) => used.has(name)),
    environment: { ...environment, ...faults.endpoints },
  });
  shop = ordersInParts(base.baseUrl, environment);
  stripe = stripeAt(STRIPE_API_URL);
  staff = await staffClient(base.baseUrl, worldOf(environment), "manager");
});
const used = new Set(["checkout", "account", "admin-orders", "admin-sales", "admin-exports"]);
afterAll(async () => {
  await service.stop();
  await faults.stop();
  await base.stop();
});

const secretOf = ({ action }: Payment) =>
  action.type === "stripe_payment_intent" ? action.client_secret : "";

/** An order whose gateway payment of the deposit succeeded. No webhook arrives. */
async function withDeposit(): Promise<OrderInParts> {
  const order = await shop.place({ payment_method: "gateway" });
  await stripe.holdNext(order.id);
  await stripe.pay(secretOf(order.placed.payment));
  await order.confirm();
  return order;
}

async function withPaidBalance(): Promise<OrderInParts> {
  const order = await withDeposit();
  const { body } = await order.payBy("gateway");
  await stripe.pay(secretOf(body.data.payment));
  return order;
}

const asBuyer = (order: OrderInParts, path: string, body: object) =>
  clientOf(service.baseUrl).post<unknown>(
    `/checkout/${order.id}/${path}`,
    body,
    order.shopper.headers,
  );
const asStaff = (
  order: OrderInParts,
  method: "GET" | "PATCH" | "POST",
  path: string,
  body?: object,
  headers?: Record<string, string>,
) =>
  asking(service.baseUrl, staff.token)<unknown>(
    method,
    `/admin/orders/${order.id}${path}`,
    body,
    headers,
  );

/** What a request may change, without times and ids. */
async function stateOf(order: Pick<OrderInParts, "read">) {
  const record = await order.read();
  const { status, payment_status, payment_method, paid, refunded, current, waiver, attention } =
    record.order;
  return {
    status,
    payment_status,
    payment_method,
    money: [paid, refunded, current, waiver?.reason ?? null],
    attention: attention.map(({ code }) => code),
    ledger: record.rows.transactions.map(({ type, state, amount }) => `${type} ${amount} ${state}`),
    schedule: paymentSchedule(record).map(({ code, state }) => `${code} ${state}`),
    timeline: record.rows.timeline.map(({ type }) => type),
    advances: record.rows.transactions.map(({ advance = 0 }) => advance),
  };
}
type State = Awaited<ReturnType<typeof stateOf>>;

/** The different payments that were created, and the refunds that were made, at the gateway. */
async function gatewayOf(order: OrderInParts) {
  const made = await stripe.calls(order.id);
  const distinct = (name: string) =>
    new Set(
      made.flatMap(({ call, idempotencyKey, status }) =>
        call === name && status === 200 ? (idempotencyKey ?? []) : [],
      ),
    ).size;
  const charges = (await order.read()).rows.transactions.filter(({ type }) => type === "charge");
  const refunds = await Promise.all(
    charges.map(async ({ provider_ref }) =>
      (await stripe.calls(provider_ref ?? "")).flatMap(({ call, idempotencyKey, status }) =>
        call === "refunds.create" && status === 200 ? (idempotencyKey ?? []) : [],
      ),
    ),
  );
  return { payments: distinct("payment_intents.create"), refunds: new Set(refunds.flat()).size };
}

/** Claims of a crashed worker end after some time. */
async function claimsEnd(order: OrderInParts): Promise<void> {
  for (const { batch_id } of (await order.read()).rows.transactions) {
    if (batch_id === null) continue;
    const claim = await shop.table.get(RefundClaims, { batch_id });
    if (claim) await shop.table.write(endRefundClaim(batch_id));
  }
}

/** A request of an order that is paid in parts. */
interface Flow {
  readonly prepare: () => Promise<OrderInParts>;
  readonly send: (order: OrderInParts, key: { "idempotency-key": string }) => Promise<Reply>;
  /** A part of the state after the request. */
  readonly end: Partial<State>;
  readonly gateway: { readonly payments: number; readonly refunds: number };
  /** Whether the state between two steps of the request is allowed after a fault. */
  readonly mayStopAt?: (state: State) => boolean;
}

const flows: Record<string, Flow> = {
  "paying a balance": {
    prepare: withDeposit,
    send: (order) => asBuyer(order, "payment", { payment_method: "gateway" }),
    end: { schedule: ["deposit paid", "balance open"] },
    gateway: { payments: 2, refunds: 0 },
  },
  "confirming a paid balance": {
    prepare: withPaidBalance,
    send: (order) => asBuyer(order, "confirm", {}),
    end: { payment_status: "paid", schedule: ["deposit paid", "balance paid"] },
    gateway: { payments: 2, refunds: 0 },
  },
  "waiving a balance": {
    prepare: withDeposit,
    send: (order) =>
      asStaff(order, "PATCH", "/payment-schedule/balance", { state: "waived", reason: "Regular" }),
    end: { schedule: ["deposit paid", "balance waived"] },
    gateway: { payments: 1, refunds: 0 },
  },
  "cancelling with a part of the deposit kept": {
    prepare: withDeposit,
    send: (order) =>
      asStaff(order, "PATCH", "", {
        status: "cancelled",
        requested_by: "buyer",
        reason: "Changed their mind",
        keep_amount: 1_000,
      }),
    end: { status: "cancelled" },
    gateway: { payments: 1, refunds: 0 },
  },
  "refunding a part of the deposit": {
    prepare: withDeposit,
    send: (order, key) =>
      asStaff(order, "POST", "/refunds", { amount: 500, reason: "Late", pay_again: true }, key),
    end: { payment_status: "partially_paid" },
    gateway: { payments: 1, refunds: 1 },
    // The refund is stored before the gateway is asked for it.
    mayStopAt: ({ ledger }) => ledger.includes("refund 500 pending"),
  },
};

const kinds = ["unreachable", "answer_lost"] as const;

describe.each(kinds)("when a call is %s (storage, gateway or files)", (fault) => {
  test.each(Object.entries(flows))(
    "%s changes everything or nothing, and a repeat has the same result as without the fault",
    async (_what, { prepare, send, end, gateway, mayStopAt = () => false }) => {
      const model = await prepare();
      const before = await stateOf(model);
      const key = aKey();
      const { calls } = await faults.during(() => send(model, key));
      const expected = await stateOf(model);
      expect(expected).toMatchObject(end);
      expect(await gatewayOf(model)).toEqual(gateway);

      // A later run may need further calls, because functions remember settings for a moment.
      for (let position = 1, made = calls.length; position <= made; position++) {
        const order = await prepare();
        const ownKey = aKey();
        const failed = await faults.during(() => send(order, ownKey), position, fault);
        made = Math.max(made, failed.calls.length);
        const where = [position, failed.calls[position - 1]];
        const after = await stateOf(order);
        if (!mayStopAt(after))
          expect([where, [before, expected]]).toEqual([where, expect.arrayContaining([after])]);
        await claimsEnd(order);
        const repeat = await send(order, ownKey);
        expect([where, Math.floor(repeat.status / 100)]).toEqual([where, 2]);
        expect([where, await stateOf(order)]).toEqual([where, expected]);
        expect([where, await gatewayOf(order)]).toEqual([where, gateway]);
      }
    },
  );

  test("a checkout with a deposit places one order with one payment, or none, and a repeat places it", async () => {
    const send = (shopper: Shopper, person: object, key: object) =>
      clientOf(service.baseUrl).post<Data<CheckoutAnswer>>(
        "/checkout",
        aCheckout({ ...person, payment_plan: "deposit", payment_method: "gateway" }),
        { ...shopper.headers, ...key },
      );
    const found = async (email: string) => {
      const { body } = await staff.get<Data<AdminOrder[]>>(
        `/admin/orders?q=${encodeURIComponent(email)}`,
      );
      return body.data;
    };
    for (let position = 0, made = 0; position <= made; position++) {
      const [shopper, person, key] = [await shop.aSofaCart(), aPerson(), aKey()];
      const failed = await faults.during(() => send(shopper, person, key), position, fault);
      made = Math.max(made, failed.calls.length);
      const where = [position, failed.calls[position - 1]];
      const placed = await found(person.email);
      const isPlaced = failed.result.status === 201;
      expect([where, placed.length]).toEqual([where, isPlaced ? 1 : placed.length % 2]);
      const repeat = await send(shopper, person, key);
      expect([where, repeat.status]).toEqual([where, 201]);
      const { order, payment } = repeat.body.data;
      const [deposit] = order.payment_schedule;
      expect([where, payment.amount_due, deposit?.state]).toEqual([where, deposit?.amount, "due"]);
      expect([where, secretOf(payment)]).not.toEqual([where, ""]);
      expect((await found(person.email)).map(({ id }) => id)).toEqual([order.id]);
      const created = (await stripe.calls(order.id)).filter(
        ({ call }) => call === "payment_intents.create",
      );
      expect(new Set(created.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    }
  });

  test("documents are made once, with a number that no other document has and no gap, and are listed", async () => {
    const types = ["receipt_voucher"];
    for (let position = 0, made = 0; position <= made; position++) {
      const order = await withDeposit();
      const event = { Records: [aMessage({ changes: [{ kind: "order", id: order.id }] })] };
      const make = () =>
        onChangeDocuments(
          event,
          openShop({ ...base.environment, ...faults.endpoints }, openersOfDocuments),
        );
      const failed = await faults.during(make, position, fault);
      made = Math.max(made, failed.calls.length);
      const where = [position, failed.calls[position - 1]];
      const repeat = await make();
      expect([where, repeat.batchItemFailures]).toEqual([where, []]);
      const { documents, vouchers } = await documentsOf(shop.table, order.id);
      expect([where, documents.map(({ type }) => type).toSorted()]).toEqual([where, types]);
      expect([where, vouchers.map(({ number }) => number)]).toEqual([
        where,
        documents.flatMap(({ type, number }) => (type === "receipt_voucher" ? number : [])),
      ]);
      numbers.push(...vouchers.map(({ number }) => number));
      const list = await asStaff(order, "GET", "/documents");
      const drawn = (list.body as Data<Document[]>).data.filter(
        ({ type }) => type !== "order_confirmation",
      );
      expect([where, drawn.length]).toEqual([where, types.length]);
      for (const { url } of drawn) {
        const file = await fetch(url);
        expect([where, file.status]).toEqual([where, 200]);
      }
    }
    const [first = ""] = numbers;
    const series = first.slice(0, -5);
    const last = (await shop.table.get(InvoiceNumbers, { series }))?.last;
    const positions = numbers.map((number) => Number(number.slice(-5)));
    const firstPosition = positions[0] ?? 0;
    expect(positions).toEqual(positions.map((_position, index) => firstPosition + index));
    expect(positions.at(-1)).toBe(last);
  });
  const numbers: string[] = [];

  test.each(["buyer", "staff"])(
    "the list of documents for the %s fails with a retryable error, and then shows them",
    async (who) => {
      const order = await withDeposit();
      const { client } = { client: clientOf(service.baseUrl) };
      const list = () =>
        who === "staff"
          ? asStaff(order, "GET", "/documents")
          : client.get<unknown>(`/orders/${order.id}/documents`, order.shopper.headers);
      const { calls } = await faults.during(list);
      for (let position = 1; position <= calls.length; position++) {
        const failed = await faults.during(list, position, fault);
        expect([200, 503]).toContain(failed.result.status);
        expect((await list()).status).toBe(200);
      }
    },
  );
});
