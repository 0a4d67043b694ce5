import { beforeAll, describe, expect, test } from "vitest";
import type { Order, TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import type {
  AdminOrder,
  AdminOrderSummary,
  AdminShipment,
} from "#shared/domain/order/view/admin-order.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  type Booked,
  type DeskOrder,
  type PaidOrder,
  aKey,
} from "#test/support/back-office/orders.ts";
import { aMember } from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, inbox, desk, staffAs } = await useShop({ effects: ["mail"] });

const staff = await staffAs("manager");

type Refunded = Booked & Problem;
interface Sent {
  readonly order: AdminOrder;
  readonly shipment: AdminShipment;
}
const reason = "Scratched";
const refund = (order: Pick<DeskOrder, "id">, body: object, headers: object = aKey()) =>
  staff.post<Refunded>(`/admin/orders/${order.id}/refunds`, { reason, ...body }, { ...headers });
const settle = (order: Pick<DeskOrder, "id">, transaction: string, reference: string) =>
  staff.patch<Refunded>(`/admin/orders/${order.id}/refunds/${transaction}`, { reference });

/** A refund that the gateway refuses for a reason that the payment's state does not show. */
async function refusedRefund({ id, payment }: PaidOrder, body: object) {
  await desk.stripe.fail({ call: "refunds.create", about: payment, fault: "refused" });
  return refund({ id }, body);
}

/** The types of the timeline entries that order tracking shows to the buyer. */
async function seen({ number, email }: Pick<DeskOrder, "number" | "email">): Promise<string[]> {
  const path = `/orders/track/${number}?email=${encodeURIComponent(email)}`;
  const { body } = await clientOf(baseUrl).get<Data<TrackedOrder>>(path);
  return body.data.timeline.map(({ type }) => type);
}

/** An order that was paid by transfer. */
async function aTransfer(): Promise<DeskOrder> {
  const order = await desk.place("bank_transfer");
  const body = { amount: order.total, method: "bank_transfer", reference: order.id };
  await staff.post(`/admin/orders/${order.id}/payments`, body, aKey());
  return order;
}

test("a buyer who confirms the order again sees the unit that a refund took off", async () => {
  const member = await aMember(baseUrl);
  const { sku } = await plantProduct(table, { units: 5 });
  await member.client.post("/cart", { items: [{ sku, quantity: 2 }] }, member.headers);
  const checkout = aCheckout({ payment_method: "bank_transfer" });
  const placed = await member.client.post<Data<{ order: Order }>>(
    "/checkout",
    checkout,
    member.headers,
  );
  const { id, items, totals } = placed.body.data.order;
  const payment = { amount: totals.grand_total, method: "bank_transfer", reference: id };
  await staff.post(`/admin/orders/${id}/payments`, payment, aKey());
  const made = await refund({ id }, { items: [{ id: items[0]?.id, quantity: 1 }] });
  expect(made.status).toBe(201);
  const confirmed = await member.client.post<Data<{ order: Order }>>(
    `/checkout/${id}/confirm`,
    {},
    member.headers,
  );
  expect(confirmed.body.data.order.items).toMatchObject([
    { quantity: 2, units: { open: 1, taken_off: 1 } },
  ]);
});

describe("a refund of an order that was paid by card", () => {
  test("can be partial, and completes through the gateway within the request", async () => {
    const order = await desk.placePaid();
    await desk.send(order, 1, "delivered");
    const reply = await refund(order, { amount: 300 });
    expect([reply.status, reply.body.data]).toMatchObject([
      201,
      {
        refunds: [{ type: "refund", state: "succeeded", amount: 300, method: "gateway", reason }],
        order: {
          payment_status: "partially_refunded",
          totals: { refunded: 300, current: order.total - 300, due: 0 },
        },
      },
    ]);
    const rest = await refund(order, { amount: order.total - 300 });
    expect(rest.body.data.order).toMatchObject({ payment_status: "refunded" });
    const more = await refund(order, { amount: 1 });
    expect([more.status, Object.keys(more.body.errors ?? {})]).toEqual([422, ["amount"]]);
    expect(await desk.refunded(order.payment)).toBe(2);
  });

  test("of everything is refused while nothing was sent, because the order can be cancelled", async () => {
    const order = await desk.placePaid();
    const reply = await refund(order, { amount: order.total });
    expect([reply.status, reply.body]).toMatchObject([
      409,
      { code: "invalid_transition", details: { allowed: ["cancelled"] } },
    ]);
    expect((await order.read()).order).toMatchObject({ refunded: 0, status: "confirmed" });
  });

  test("of everything that was paid takes off what was not sent", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    await desk.send(order, 1, "delivered");
    const { body } = await refund(order, { amount: order.total });
    expect(body.data.order).toMatchObject({
      status: "delivered",
      payment_status: "refunded",
      items: [{ units: { open: 0, taken_off: 1, delivered: 1 } }],
      totals: { current: 0, due: 0 },
    });
  });

  test("less than the price of delivered units needs keep, and the shop keeps the rest", async () => {
    const order = await desk.placePaid({ quantity: 2, price: 500_000 });
    await desk.send(order, 2, "delivered");
    const items = [{ id: order.line, quantity: 1 }];
    const less = { items, restock: true, amount: 400_000 };
    const refused = await refund(order, less);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ["amount"]]);
    const { body } = await refund(order, { ...less, keep: true });
    expect(body.data.order.totals).toMatchObject({
      refunded: 400_000,
      current: order.total - 400_000,
      due: 0,
    });
  });

  test("moves money alone with pay_again, after which dispatch waits for it or for a waiver", async () => {
    const order = await desk.placePaid();
    await refund(order, { amount: 300, pay_again: true });
    const { order: short } = await order.read();
    expect(short).toMatchObject({ current: order.total, payment_status: "partially_paid" });
    const kept = await refund(order, { amount: 100 });
    expect([kept.status, Object.keys(kept.body.errors ?? {})]).toEqual([422, ["amount"]]);
    const path = `/admin/orders/${order.id}`;
    await staff.patch(path, { status: "ready_to_dispatch" });
    const made = await staff.post<Data<Sent>>(`${path}/shipments`, {}, aKey());
    const shipment = `${path}/shipments/${made.body.data.shipment.id}`;
    await staff.patch(shipment, { status: "packed" });
    const held = await staff.patch<Problem>(shipment, { status: "out_for_delivery" });
    expect([held.status, held.body.code]).toEqual([409, "balance_due"]);
    const waiver = { state: "waived", reason: "A regular buyer" };
    expect((await staff.patch(`${path}/payment-schedule/full`, waiver)).status).toBe(200);
    const left = await staff.patch<Data<Sent>>(shipment, { status: "out_for_delivery" });
    expect(left.body.data.order).toMatchObject({ status: "shipped", totals: { due: 300 } });
  });

  test("can be made unit by unit, up to exactly the total", async () => {
    const order = await desk.placePaid({ quantity: 3, price: 333_335 });
    await desk.send(order, 3);
    const amounts: number[] = [];
    for (let unit = 0; unit < 3; unit++) {
      const { body } = await refund(order, { items: [{ id: order.line, quantity: 1 }] });
      amounts.push(body.data.refunds[0]?.amount ?? 0);
    }
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(order.lineTotal);
    const fourth = await refund(order, { items: [{ id: order.line, quantity: 1 }] });
    expect([fourth.status, Object.keys(fourth.body.errors ?? {})]).toEqual([
      422,
      ["items.0.quantity"],
    ]);
  });

  test("pays a returned unit back less what was given back for it before, and never twice", async () => {
    const order = await desk.placePaid({ quantity: 2, price: 2_199_000 });
    await desk.send(order, 2, "delivered");
    const goodwill = await refund(order, { amount: 500_000 });
    expect(goodwill.body.data.refunds).toMatchObject([{ amount: 500_000 }]);
    const items = [{ id: order.line, quantity: 1 }];
    const paid = async (body: object) => {
      const reply = await refund(order, { items, ...body });
      expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
      return reply.body.data.refunds.map(({ amount }) => amount);
    };
    const [kept = 0] = await paid({});
    // The unit for which its buyer has the money already comes back first.
    expect(await paid({ restock: true })).toEqual([]);
    const [returned = 0] = await paid({ restock: true });
    const share = Math.round((500_000 * order.lineTotal) / order.total);
    expect([kept + returned, Math.abs(kept - returned) <= 1]).toEqual([
      order.lineTotal - share,
      true,
    ]);
    const more = await refund(order, { items, restock: true });
    expect([more.status, Object.keys(more.body.errors ?? {})]).toEqual([422, ["items.0.quantity"]]);
    expect(await order.stock()).toMatchObject({ on_hand: 10, reserved: 0 });
  });

  test("is refused with the reason and changes nothing if the gateway would refuse it; staff can refund in another way", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    await desk.stripe.hold(order.id);
    const dispute = await desk.stripe.dispute(order.payment);
    const before = await order.read();
    const items = [{ id: order.line, quantity: 1 }];
    const key = aKey();
    const reply = await refund(order, { items }, key);
    expect([reply.status, reply.body]).toMatchObject([
      409,
      {
        code: "payment_refused",
        details: { code: "charge_disputed", reason: expect.stringContaining("bank") as string },
      },
    ]);
    expect(await order.read()).toEqual(before);
    expect(await order.stock()).toMatchObject({ reserved: 2 });
    const byHand = await refund(order, { items, method: "bank_transfer", reference: "N1" });
    expect([byHand.status, byHand.body.data.refunds]).toMatchObject([
      201,
      [{ state: "succeeded", method: "bank_transfer", provider_ref: "N1" }],
    ]);
    // The refusal has not bound the key.
    await desk.stripe.closeDispute(dispute, "won");
    await desk.send(order, 1, "delivered");
    const again = await refund(order, { items, amount: 100, keep: true, restock: true }, key);
    expect([again.status, again.body.data.refunds]).toMatchObject([201, [{ state: "succeeded" }]]);
  });

  test.each([
    ["all of the payment", 0, "charge_already_refunded"],
    ["so much that too little is left", 299, "amount_too_large"],
  ])("is refused if the owner refunded %s at the gateway", async (_what, left, code) => {
    const order = await desk.placePaid();
    await desk.stripe.hold(order.id);
    await desk.stripe.refundByHand(order.payment, order.total - left);
    const reply = await refund(order, { amount: 300 });
    expect([reply.status, reply.body]).toMatchObject([
      409,
      { code: "payment_refused", details: { code } },
    ]);
    const { order: kept, rows } = await order.read();
    expect([kept.current, rows.transactions.length]).toEqual([order.total, 1]);
  });

  test("that moves money alone is 409 if the gateway refuses it unforeseen, and can be repeated", async () => {
    const order = await desk.placePaid();
    const call = { call: "refunds.create", about: order.payment } as const;
    await desk.stripe.fail({ ...call, fault: "refused" });
    const [key, body] = [aKey(), { amount: 300, pay_again: true }];
    const reply = await refund(order, body, key);
    expect([reply.status, reply.body]).toMatchObject([
      409,
      {
        code: "payment_refused",
        details: { code: "charge_not_refundable", reason: "This charge cannot be refunded." },
      },
    ]);
    const { order: kept, rows } = await order.read();
    expect([kept.received, rows.transactions]).toMatchObject([
      order.total,
      [{ type: "charge" }, { type: "refund", state: "failed" }],
    ]);
    const again = await refund(order, body, key);
    expect([again.status, again.body.data.refunds]).toMatchObject([201, [{ state: "succeeded" }]]);
    expect(await desk.refunded(order.payment)).toBe(1);
  });

  test("that changes the order's value fails if the gateway refuses it unforeseen, and the change stands", async () => {
    const order = await desk.placePaid();
    const reply = await refusedRefund(order, { amount: 300 });
    const message = expect.stringContaining("This charge cannot be refunded.") as string;
    expect([reply.status, reply.body.data]).toMatchObject([
      201,
      {
        refunds: [{ state: "failed", amount: 300 }],
        order: { payment_status: "overpaid", attention: [{ code: "refund_failed", message }] },
      },
    ]);
    const byHand = await refund(order, { amount: 300, method: "bank_transfer", reference: "N1" });
    expect(byHand.body.data.refunds).toMatchObject([
      { state: "succeeded", method: "bank_transfer", provider_ref: "N1" },
    ]);
  });

  test("of everything that is sent twenty times with one key is made once", async () => {
    const order = await desk.placePaid({ price: 100_000, quantity: 1 });
    await desk.send(order, 1, "delivered");
    const key = aKey();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => refund(order, { amount: order.total }, key)),
    );
    const { 201: made = 0, "409 in_progress": waiting = 0 } = tally(replies);
    expect([made > 0, made + waiting]).toEqual([true, 20]);
    expect(await desk.refunded(order.payment)).toBe(1);
  });

  test("is not shown to the buyer as failed if no mail announced it", async () => {
    const order = await desk.placePaid();
    await refusedRefund(order, { amount: 300 });
    const { timeline } = (await order.read()).rows;
    expect(timeline.map(({ type }) => type)).toContain("refund_to_repeat");
    expect(await seen(order)).not.toContain("refund_failed");
  });

  test("sends a mail to the buyer if it fails after the cancellation mail announced it", async () => {
    const order = await desk.placePaid();
    await desk.stripe.hold(order.id);
    await desk.stripe.refundByHand(order.payment, order.total);
    await desk.cancel(order.id);
    await desk.advance(order.id);
    expect(await seen(order)).toContain("refund_failed");
    await inbox.waitFor(order.email, ({ subject }) => subject.endsWith("did not go through"));
  });

  test("flags the order if it fails, until all of it came back in another way", async () => {
    const order = await desk.placePaid();
    await refusedRefund(order, { amount: 300 });
    const marked = async () => {
      const query = `q=${order.email}&attention=1`;
      const { body } = await staff.get<Data<AdminOrderSummary[]>>(`/admin/orders?${query}`);
      return body.data.map(({ attention }) => attention);
    };
    const path = `/admin/orders/${order.id}`;
    await staff.patch(path, { attention: ["refund_failed"], notes: "Called" });
    await refund(order, { amount: 100, method: "bank_transfer", reference: "N1" });
    expect(await marked()).toEqual([["refund_failed"]]);
    const { body } = await refund(order, { amount: 200, method: "bank_transfer" });
    expect(await marked()).toEqual([["refund_failed", "refund_to_make"]]);
    const made = `${path}/refunds/${body.data.refunds[0]!.id}`;
    expect((await staff.patch(made, { reference: "N2" })).status).toBe(200);
    expect(await marked()).toEqual([]);
  });

  test("leaves a flag that staff can clear", async () => {
    const order = await desk.placePaid();
    await refusedRefund(order, { amount: 300 });
    await staff.patch(`/admin/orders/${order.id}`, { attention: [] });
    expect((await order.read()).order.attention).toEqual([]);
  });

  test("is recorded as failed if the gateway reports a failure after success, and can then be made in another way", async () => {
    const order = await desk.placePaid({}, "pm_card_refundFail");
    const made = await refund(order, { amount: 300 });
    expect(made.body.data.refunds).toMatchObject([{ state: "succeeded" }]);
    await desk.stripe.letGo(order.id);
    await inbox.waitFor(order.email, ({ subject }) => subject.endsWith("did not go through"));
    const path = `/orders/track/${order.number}?email=${encodeURIComponent(order.email)}`;
    const track = () => clientOf(baseUrl).get<Data<TrackedOrder>>(path);
    const { timeline } = (await track()).body.data;
    expect(timeline.slice(-2).map(({ type }) => type)).toEqual(["refunded", "refund_failed"]);
    expect((await order.read()).order).toMatchObject({
      payment_status: "overpaid",
      refunded: 0,
      attention: [{ code: "refund_failed" }],
    });

    await refund(order, { amount: 300, method: "bank_transfer", reference: "N2" });
    const { body } = await inbox.waitFor(
      order.email,
      (mail) =>
        mail.subject.startsWith("Your refund of") && mail.body.text.includes("Reference: N2"),
    );
    expect(body.text).toContain("By bank transfer");
    expect((await track()).body.data.timeline.at(-1)?.type).toBe("refunded");
    const stranger = await clientOf(baseUrl).get<Data<TrackedOrder>>(path.split("?")[0] ?? "");
    expect(stranger.body.data.timeline.map(({ type }) => type)).toEqual(["placed", "confirmed"]);
  });

  test("is made once per key, also if it fails after its answer", async () => {
    const order = await desk.placePaid({}, "pm_card_refundFail");
    const [key, body] = [aKey(), { amount: 300, pay_again: true }];
    expect((await refund(order, body, key)).status).toBe(201);
    await desk.stripe.letGo(order.id);
    await inbox.waitFor(order.email, ({ subject }) => subject.endsWith("did not go through"));
    for (const { status, body: answer } of [
      await refund(order, body, key),
      await refund(order, body, key),
    ]) {
      expect([status, answer.data.refunds]).toMatchObject([201, [{ state: "failed" }]]);
    }
    expect(await desk.refunded(order.payment)).toBe(1);
  });

  test("stays pending while the gateway processes it", async () => {
    const order = await desk.placePaid({}, "pm_card_pendingRefund");
    const reply = await refund(order, { amount: 300 });
    expect(reply.body.data).toMatchObject({
      refunds: [{ state: "pending" }],
      order: { totals: { refunded: 0 } },
    });
    const over = await refund(order, { amount: order.total - 299 });
    expect(over.status).toBe(422);
  });
});

describe("a refund of an order that was paid by bank transfer", () => {
  test("is pending until staff record its reference", async () => {
    const order = await aTransfer();
    const done = await refund(order, { amount: 100, reference: "N1" });
    expect(done.body.data).toMatchObject({
      refunds: [{ state: "succeeded", method: "bank_transfer", provider_ref: "N1" }],
      order: { attention: [], totals: { refunded: 100 } },
    });

    const open = await refund(order, { amount: 200 });
    const id = open.body.data.refunds[0]?.id ?? "";
    expect(open.body.data).toMatchObject({
      refunds: [{ state: "pending", provider_ref: null }],
      order: { attention: [{ code: "refund_to_make" }], totals: { refunded: 100 } },
    });
    const made = await settle(order, id, "N2");
    expect([made.status, made.body.data]).toMatchObject([
      200,
      {
        refunds: [{ id, state: "succeeded", provider_ref: "N2" }],
        order: { attention: [], totals: { refunded: 300 } },
      },
    ]);
    const again = await settle(order, id, "N2");
    expect([again.status, again.headers.get("etag")]).toEqual([200, made.headers.get("etag")]);
    const other = await settle(order, id, "N3");
    expect([other.status, other.body.code]).toEqual([409, "invalid_transition"]);
    expect((await settle(order, "txn_nobody", "N4")).status).toBe(404);
  });
});

describe("restocking refunded units", () => {
  test("releases the reservation of units that were never packed, and adds returned units to stock", async () => {
    const order = await desk.placePaid({ quantity: 3, units: 10 });
    await desk.send(order, 1, "delivered");
    expect(await order.stock()).toMatchObject({ on_hand: 9, reserved: 2, available: 7 });
    const put = (quantity: number) =>
      refund(order, { items: [{ id: order.line, quantity }], restock: true });

    const first = await put(1);
    expect(first.body.data.order.items[0]?.units).toMatchObject({ taken_off: 1, came_back: 0 });
    expect(await order.stock()).toMatchObject({ on_hand: 9, reserved: 1, available: 8 });
    await put(2);
    expect(await order.stock()).toMatchObject({ on_hand: 10, reserved: 0, available: 10 });
    expect((await put(1)).status).toBe(422);
  });

  test("is refused for units that are on their way", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    await desk.send(order, 2);
    const items = [{ id: order.line, quantity: 1 }];
    const reply = await refund(order, { items, restock: true });
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([
      422,
      ["items.0.quantity"],
    ]);
    expect((await refund(order, { items })).status).toBe(201);
  });

  test("is not reverted if the refund fails", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    const items = [{ id: order.line, quantity: 1 }];
    const failed = await refusedRefund(order, { items, restock: true });
    expect(failed.body.data).toMatchObject({
      refunds: [{ state: "failed" }],
      order: { items: [{ units: { taken_off: 1, open: 1 } }] },
    });
    expect(await order.stock()).toMatchObject({ reserved: 1, available: 9 });
  });
});

describe("twenty concurrent refunds", () => {
  test("never refund more than was paid, even with different Idempotency-Keys", async () => {
    const order = await desk.placePaid({ price: 100_000, quantity: 1 });
    const amount = Math.floor(order.total / 6);
    const replies = await Promise.all(Array.from({ length: 20 }, () => refund(order, { amount })));
    expect(tally(replies)).toEqual({ 201: 6, "422 validation_failed": 14 });
    expect((await order.read()).order.refunded).toBe(6 * amount);
    expect(await desk.refunded(order.payment)).toBe(6);
  });

  test("never refund or restock the same unit twice", async () => {
    const order = await desk.placePaid({ quantity: 4, units: 4 });
    await desk.send(order, 4, "delivered");
    const body = { items: [{ id: order.line, quantity: 1 }], restock: true };
    const replies = await Promise.all(Array.from({ length: 20 }, () => refund(order, body)));
    expect(tally(replies)).toEqual({ 201: 4, "422 validation_failed": 16 });
    expect((await order.read()).order.refunded).toBe(order.lineTotal);
    expect(await order.stock()).toMatchObject({ on_hand: 4, reserved: 0, available: 4 });
  });

  test("create one refund if they have the same Idempotency-Key", async () => {
    const order = await desk.placePaid();
    const key = aKey();
    await desk.stripe.fail({
      call: "refunds.create",
      about: order.payment,
      fault: "slow",
      ms: 300,
    });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => refund(order, { amount: 100 }, key)),
    );
    const { 201: made = 0, "409 in_progress": waiting = 0 } = tally(replies);
    expect([made > 0, made + waiting]).toEqual([true, 20]);
    for (const { status, headers } of replies) {
      // The first call's claim ends after 20 seconds.
      if (status === 409) expect(headers.get("retry-after")).toMatch(/^(?:[2-9]|1\d|20)$/);
    }
    const replay = await refund(order, { amount: 100 }, key);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(replay.body.data.refunds).toMatchObject([{ state: "succeeded", amount: 100 }]);
    expect((await order.read()).order.refunded).toBe(100);
    expect(await desk.refunded(order.payment)).toBe(1);
    const other = await refund(order, { amount: 101 }, key);
    expect(other.body.code).toBe("idempotency_key_reused");
  });
});

describe("a refund by staff", () => {
  let order: DeskOrder;
  beforeAll(async () => {
    order = await aTransfer();
  });

  test.each([
    ["amount", {}],
    ["amount", { amount: 0 }],
    ["amount", { amount: 1e12 }],
    ["items", { amount: 5, restock: true }],
    ["items.0.id", { items: [{ id: "line_nobody", quantity: 1 }] }],
    ["items.0.quantity", { items: [{ id: "line_nobody", quantity: 0 }] }],
    ["reason", { amount: 5, reason: null }],
  ])("is refused at the path %s with %j", async (path, body) => {
    const reply = await refund(order, body);
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [path]]);
  });

  test("is refused if it names a line twice", async () => {
    const items = [1, 1].map((quantity) => ({ id: order.line, quantity }));
    const twice = await refund(order, { items });
    expect(Object.keys(twice.body.errors ?? {})).toEqual(["items.1.id"]);
  });
});
