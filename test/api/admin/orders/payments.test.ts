import { beforeAll, describe, expect, test } from "vitest";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { update } from "#shared/storage/writes.ts";
import { type Booked, type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import { dayIn, plusDays } from "#shared/domain/base/day.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { desk, staffAs } = await useShop();

const staff = await staffAs("order_desk");

let references = 0;
const transfer = (amount: number) => ({
  amount,
  method: "bank_transfer",
  reference: `UTR ${++references}`,
});
const book = (order: Pick<DeskOrder, "id">, body: object, headers: object = aKey()) =>
  staff.post<Booked & Problem>(`/admin/orders/${order.id}/payments`, body, { ...headers });
const flags = ({ body }: Awaited<ReturnType<typeof book>>) =>
  body.data.order.attention.map(({ code }) => code);

describe("recording a bank transfer for an order that awaits payment", () => {
  test("confirms the order if the amount covers the total", async () => {
    const today = dayIn("Asia/Kolkata", new Date());
    const order = await desk.place("bank_transfer");
    const body = { ...transfer(order.total), received_on: today, note: "By hand" };
    const reply = await book(order, body);
    expect([reply.status, reply.body.data]).toMatchObject([
      201,
      {
        payment: {
          type: "charge",
          state: "succeeded",
          amount: order.total,
          provider_ref: body.reference,
          received_on: today,
        },
        order: {
          status: "confirmed",
          payment_status: "paid",
          expires_at: null,
          totals: { paid: order.total, due: 0 },
        },
      },
    ]);
    expect(flags(reply)).toEqual([]);
    expect(reply.body.data.order.timeline).toContainEqual(
      expect.objectContaining({ type: "payment_recorded", public: false }),
    );
  });

  test("prevents a partly paid order from expiring and flags it; the remaining payment confirms it", async () => {
    const order = await desk.place("bank_transfer");
    const part = await book(order, transfer(1));
    expect(part.body.data.order).toMatchObject({
      status: "pending_payment",
      payment_status: "partially_paid",
      expires_at: null,
    });
    expect(flags(part)).toEqual(["part_paid"]);
    const rest = await book(order, transfer(order.total - 1));
    expect(rest.body.data.order).toMatchObject({ status: "confirmed", payment_status: "paid" });
    expect(flags(rest)).toEqual([]);
  });

  test("confirms an overpaid order and flags it", async () => {
    const order = await desk.place("bank_transfer");
    const reply = await book(order, transfer(order.total + 500));
    expect(reply.body.data.order).toMatchObject({
      status: "confirmed",
      payment_status: "overpaid",
    });
    expect(flags(reply)).toEqual(["overpaid"]);
  });

  test("cancels the gateway payment that the buyer had started, at the next scheduled check", async () => {
    const order = await desk.place("gateway");
    const payment = await desk.begin(order);
    const reply = await book(order, transfer(order.total));
    expect(reply.body.data.order).toMatchObject({ status: "confirmed", payment_status: "paid" });
    await desk.advance(order.id);
    const { transactions } = (await order.read()).rows;
    expect(transactions).toContainEqual(
      expect.objectContaining({ provider_ref: payment.id, state: "failed" }),
    );
    expect((await desk.stripe.pay(payment.clientSecret)).status).toBe(400);
  });
});

describe("recording a payment for an expired or cancelled order", () => {
  async function expired(): Promise<DeskOrder> {
    const order = await desk.place("bank_transfer", { quantity: 2, units: 3 });
    await desk.expire(order.id);
    expect((await order.read()).order.status).toBe("expired");
    return order;
  }

  test("reserves the stock again and confirms the order if the stock is available", async () => {
    const order = await expired();
    const reply = await book(order, transfer(order.total));
    expect(reply.body.data.order).toMatchObject({ status: "confirmed", payment_status: "paid" });
    expect(flags(reply)).toEqual(["late_payment"]);
    expect(await order.stock()).toMatchObject({ reserved: 2, available: 1 });
  });

  test("creates a pending refund if the stock is missing", async () => {
    const order = await expired();
    const set = { on_hand: 1, available: 1 };
    await desk.table.write(update(Stocks, { id: order.stock_id }, { set }));
    const reply = await book(order, transfer(order.total));
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data.order).toMatchObject({
      status: "expired",
      transactions: [
        { type: "charge", state: "succeeded" },
        { type: "refund", state: "pending", amount: order.total, method: "bank_transfer" },
      ],
    });
    expect(flags(reply)).toEqual(["late_payment", "refund_to_make"]);
    expect(await order.stock()).toMatchObject({ reserved: 0 });
  });

  test("creates a pending refund if the order was cancelled", async () => {
    const order = await desk.place("bank_transfer");
    await desk.cancel(order.id);
    const reply = await book(order, transfer(700));
    expect(reply.body.data.order).toMatchObject({
      status: "cancelled",
      transactions: [{ amount: 700 }, { type: "refund", state: "pending", amount: 700 }],
    });
    expect(flags(reply)).toEqual(["late_payment", "refund_to_make"]);

    const path = `/admin/orders/${order.id}/refunds`;
    const id = reply.body.data.order.transactions.find(({ type }) => type === "refund")?.id ?? "";
    const manager = await staffAs("manager");
    const again = await manager.post<Problem>(path, { amount: 700, reason: "Late" }, aKey());
    expect([again.status, again.body.errors?.amount?.[0]]).toEqual([
      422,
      expect.stringContaining(id),
    ]);
    const made = await manager.patch<Booked & Problem>(`${path}/${id}`, { reference: "N1" });
    expect([made.status, flags(made)]).toEqual([200, ["late_payment"]]);
  });
});

test("recording the cash collected on delivery marks a shipped order as paid", async () => {
  const order = await desk.place("cod");
  await desk.send(order, 2);
  const reply = await book(order, { amount: order.total, method: "cod" });
  expect(reply.body.data.order).toMatchObject({ status: "shipped", payment_status: "paid" });
});

test("a partial cash payment on delivery flags the order until the remaining amount is paid", async () => {
  const order = await desk.place("cod");
  const part = await book(order, { amount: 100, method: "cod" });
  expect(part.body.data.order).toMatchObject({
    status: "confirmed",
    payment_status: "partially_paid",
  });
  expect(flags(part)).toEqual(["part_paid"]);
  const rest = await book(order, { amount: order.total - 100, method: "cod" });
  expect([flags(rest), rest.body.data.order.payment_status]).toEqual([[], "paid"]);
});

describe("a payment that is recorded again", () => {
  test("is refused as a duplicate if its reference is the same, in any spelling", async () => {
    const order = await desk.place("bank_transfer");
    const body = transfer(100);
    const first = await book(order, body);
    const again = { ...body, reference: body.reference.toLowerCase().replace(" ", "") };
    const second = await book(order, again);
    expect([second.status, second.body.code, second.body.details]).toMatchObject([
      409,
      "already_exists",
      { path: "reference", id: first.body.data.payment.id },
    ]);
  });

  test("is refused for another order, unless both were paid with it or the first was voided", async () => {
    const [first, second, third] = await Promise.all([
      desk.place("bank_transfer"),
      desk.place("bank_transfer"),
      desk.place("bank_transfer"),
    ]);
    const body = { ...transfer(100), tender: "upi", method: "cod" };
    const { body: booked } = await book(first, body);
    const refused = await book(second, body);
    expect([refused.status, refused.body.code, refused.body.details]).toMatchObject([
      409,
      "already_exists",
      { path: "reference", id: first.id },
    ]);
    expect((await second.read()).rows.transactions).toEqual([]);
    expect((await book(second, { ...body, again: true })).status).toBe(201);
    const manager = await staffAs("manager");
    const voiding = async (order: DeskOrder) => {
      const id = (await order.read()).rows.transactions[0]?.id;
      const path = `/admin/orders/${order.id}/payments/${id}/void`;
      return manager.post<Booked & Problem>(path, { reason: "Typed twice" });
    };
    expect((await voiding(first)).body.data.payment).toMatchObject({
      id: booked.data.payment.id,
      state: "voided",
    });
    expect((await book(third, body)).status).toBe(409);
    expect((await voiding(second)).status).toBe(200);
    expect((await book(third, body)).status).toBe(201);
    // Receipts of cash may repeat.
    const cash = { ...body, tender: "cash" };
    expect((await book(first, cash)).status).toBe(201);
    expect((await book(second, cash)).status).toBe(201);
  });

  test("is accepted for one of two orders at the same time", async () => {
    const orders = await Promise.all([desk.place("bank_transfer"), desk.place("bank_transfer")]);
    const body = transfer(100);
    const replies = await Promise.all(orders.map((order) => book(order, body)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });
});

test("an order with paise is paid in cash with whole rupees, which rounds what it is worth", async () => {
  const order = await desk.place("cod", { quantity: 1, price: 1_000_014 });
  const path = `/admin/orders/${order.id}`;
  const { totals } = (await staff.get<Data<AdminOrder>>(path)).body.data;
  const cash_due = Math.floor((totals.due + 50) / 100) * 100;
  expect(totals).toMatchObject({ rounding: 0, due: order.total, cash_due });
  expect(cash_due).not.toBe(totals.due);
  const reply = await book(order, { amount: cash_due, tender: "cash" });
  expect(reply.body.data.order).toMatchObject({
    payment_status: "paid",
    totals: { current: cash_due, rounding: cash_due - order.total, due: 0, cash_due: 0 },
  });
});

test("a dispute at the gateway flags the order; its loss is a row of the ledger and makes nothing due", async () => {
  const order = await desk.placePaid();
  await desk.stripe.letGo(order.id);
  const dispute = await desk.stripe.dispute(order.payment);
  const path = `/admin/orders/${order.id}`;
  const read = async () => (await staff.get<Data<AdminOrder>>(path)).body.data;
  await waitUntil(async () => {
    expect((await read()).attention).toMatchObject([{ code: "disputed" }]);
  });
  await desk.stripe.closeDispute(dispute, "lost");
  await waitUntil(async () => expect((await read()).transactions).toHaveLength(2));
  expect(await read()).toMatchObject({
    payment_status: "paid",
    totals: { due: 0, paid: order.total },
    attention: [{ code: "disputed" }],
    transactions: [{ type: "charge" }, { type: "dispute", amount: order.total }],
  });
  const manager = await staffAs("manager");
  const refund = { amount: 100, pay_again: true, reason: "Kindness" };
  const refused = await manager.post<Problem>(`${path}/refunds`, refund, aKey());
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["amount"]]);
});

describe("a cheque", () => {
  const pathOf = (order: DeskOrder, payment: Booked["data"]["payment"], more = "") =>
    `/admin/orders/${order.id}/payments/${payment.id}${more}`;
  const cheque = (amount: number) => ({ amount, tender: "cheque", reference: `C ${++references}` });

  test("is pending until staff record that it is cleared; a repeat changes nothing", async () => {
    const order = await desk.place("bank_transfer");
    const { payment, order: waiting } = (await book(order, cheque(order.total))).body.data;
    expect([payment, waiting]).toMatchObject([
      { state: "pending", method: "bank_transfer", tender: "cheque" },
      { status: "pending_payment", expires_at: null, totals: { paid: 0 } },
    ]);
    const clear = () => staff.patch<Booked & Problem>(pathOf(order, payment), { state: "cleared" });
    const cleared = await clear();
    expect([cleared.status, cleared.body.data]).toMatchObject([
      200,
      { payment: { state: "succeeded" }, order: { status: "confirmed", payment_status: "paid" } },
    ]);
    const repeated = await clear();
    expect(repeated.body.data.order.version).toBe(cleared.body.data.order.version);
    const bounced = await staff.patch<Problem>(pathOf(order, payment), { state: "bounced" });
    expect([bounced.status, bounced.body.details]).toEqual([
      409,
      { from: "succeeded", to: "bounced", allowed: [] },
    ]);
  });

  test("that bounces gives the order a new deadline", async () => {
    const order = await desk.place("bank_transfer");
    const { payment } = (await book(order, cheque(order.total))).body.data;
    const bounced = await staff.patch<Booked>(pathOf(order, payment), { state: "bounced" });
    expect(bounced.body.data).toMatchObject({
      payment: { state: "failed" },
      order: { status: "pending_payment", expires_at: expect.any(String) },
    });
  });
});

describe("a payment recorded by staff", () => {
  let order: DeskOrder;
  beforeAll(async () => {
    order = await desk.place("bank_transfer");
  });

  test.each([
    ["amount", { amount: 0 }],
    ["amount", { amount: 1.5 }],
    ["method", { method: "gateway" }],
    ["reference", { reference: undefined }],
    ["currency", { currency: "USD" }],
    ["received_on", { received_on: "2099-01-01" }],
    ["received_on", { received_on: plusDays(dayIn("Asia/Kolkata", new Date()), -2) }],
  ])("is refused at the path %s with %j", async (path, wrong) => {
    const reply = await book(order, { ...transfer(100), ...wrong });
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [path]]);
  });
});

test("a payment with an outdated If-Match returns 412, but a repeated request with the same Idempotency-Key is replayed", async () => {
  const order = await desk.place("bank_transfer");
  const [body, key] = [transfer(100), aKey()];
  const first = { ...key, "if-match": '"v1"' };
  expect((await book(order, body, first)).status).toBe(201);
  expect((await book(order, body, first)).headers.has("idempotent-replayed")).toBe(true);
  const late = { "if-match": '"v1"' };
  const stale = await book(order, transfer(100), { ...aKey(), ...late });
  expect([stale.status, stale.body.details]).toEqual([412, { current_version: 2 }]);
  const any = { ...aKey(), "if-match": "*" };
  expect((await book(order, transfer(order.total - 100), any)).status).toBe(201);
});
