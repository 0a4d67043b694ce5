// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { RefundClaims, endRefundClaim } from "#shared/storage/payment/refund-claims.ts";
import { failing } from "#test/support/emulators/dynamodb-proxy.ts";
import {
  type Booked,
  type DeskOrder,
  type PaidOrder,
  aKey,
} from "#test/support/back-office/orders.ts";
import { type StaffClient, asking } from "#test/support/people/people.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { environment, desk, staffAs } = await useShop();

let staff: StaffClient;
let service: ProxiedService;
beforeAll(async () => {
  staff = await staffAs("manager");
  service = await startProxiedService(environment);
});
afterAll(() => service.stop());

const book = (
  url: string,
  { order, what }: { order: DeskOrder; what: "changes" | "payments" | "refunds" },
  key: object,
  body: object,
) =>
  asking(url, staff.token)<Booked>("POST", `/admin/orders/${order.id}/${what}`, body, { ...key });
const refund = (url: string, order: DeskOrder, body: object, key: object) =>
  book(url, { order, what: "refunds" }, key, { reason: "Scratched", ...body });

/** An order that was delivered, and whose only return was received. */
async function withReturn(): Promise<PaidOrder> {
  const order = await desk.placePaid();
  await desk.send(order, 2, "delivered");
  const items = [{ id: order.line, quantity: 1, reason: "damaged" }];
  const asked = { order: order.id, items };
  const { body } = await staff.post<Data<{ id: string }>>("/admin/returns", asked, aKey());
  for (const status of ["approved", "received"]) {
    await staff.patch(`/admin/returns/${body.data.id}`, { status });
  }
  return order;
}
async function settleReturn(url: string, { line, read }: DeskOrder) {
  const [found] = (await read()).rows.returns;
  const body = { status: "refunded", items: [{ id: line, accepted: 1, goods: "restock" }] };
  return asking(url, staff.token)<Booked>("PATCH", `/admin/returns/${found?.id}`, body, {});
}

/** Ends the claims on the order's refunds. Claims of a crashed worker end by themselves after some time. */
const timePasses = async (order: DeskOrder) => {
  const { transactions, changes, returns } = (await order.read()).rows;
  const batches = [
    ...transactions.map((row) => row.batch_id),
    ...[...changes, ...returns].map(({ id }) => id),
  ];
  for (const batch_id of new Set(batches)) {
    if (batch_id === null) continue;
    const claim = await desk.table.get(RefundClaims, { batch_id });
    if (claim) await desk.table.write(endRefundClaim(batch_id));
  }
};
const endOf = async (order: PaidOrder) => {
  const { order: stored, rows } = await order.read();
  return {
    refunded: stored.refunded,
    payment_status: stored.payment_status,
    ledger: rows.transactions.map(({ type, state, amount }) => [type, state, amount]),
    timeline: rows.timeline.map(({ type }) => type),
    reserved: (await order.stock()).reserved,
    gatewayRefunds: await desk.refunded(order.payment),
  };
};

/**
 * The tested requests: a refund of units that were paid by card, a cheaper delivery, a transfer that pays an order, and
 * the refund of a return.
 */
const bookings = {
  refund: {
    place: () => desk.placePaid(),
    send: (order: DeskOrder, key: object) =>
      refund(
        service.baseUrl,
        order,
        { items: [{ id: order.line, quantity: 1 }], restock: true },
        key,
      ),
    end: { payment_status: "partially_refunded", reserved: 1, gatewayRefunds: 1 },
    status: 201,
  },
  change: {
    place: () => desk.placePaid({ price: 100_000 }),
    send: (order: DeskOrder, key: object) =>
      book(service.baseUrl, { order, what: "changes" }, key, {
        shipping_method: "pickup",
        reason: "The buyer collects",
      }),
    end: { payment_status: "partially_refunded", reserved: 2, gatewayRefunds: 1 },
    status: 200,
  },
  payment: {
    place: async () => ({ ...(await desk.place("bank_transfer")), payment: "none" }),
    send: (order: DeskOrder, key: object) =>
      book(service.baseUrl, { order, what: "payments" }, key, {
        amount: order.total,
        method: "bank_transfer",
        reference: order.id,
      }),
    end: { payment_status: "paid", reserved: 2, gatewayRefunds: 0 },
    status: 201,
  },
  return: {
    place: withReturn,
    send: (order: DeskOrder) => settleReturn(service.baseUrl, order),
    end: { payment_status: "partially_refunded", reserved: 0, gatewayRefunds: 1 },
    status: 200,
  },
};

const faults = (["refund", "change", "payment", "return"] as const).flatMap((what) =>
  (["server-error", "answer-lost"] as const).map((fault) => [what, fault] as const),
);
test.each(faults)(
  "a %s request that is repeated after any storage call failed has the same result as an undisturbed request (fault: %s)",
  async (what, fault) => {
    const { place, send, end, status } = bookings[what];
    const model = await place();
    const { calls } = await service.proxy.record(() => send(model, aKey()));
    const expected = await endOf(model);
    expect(expected).toMatchObject(end);
    const positions = new Set(calls.map(({ invocation }) => invocation)).size;

    const orders = await Promise.all(Array.from({ length: positions }, place));
    for (const [index, order] of orders.entries()) {
      const [position, key] = [index + 1, aKey()];
      await service.proxy.disturb(failing(position, fault), () => send(order, key));
      await timePasses(order);
      const repeat = await send(order, key);
      expect([position, repeat.status]).toEqual([position, status]);
      expect([position, await endOf(order)]).toEqual([position, expected]);
    }
  },
);

test.each(["server-error", "answer-lost"] as const)(
  "a refund that the gateway refuses leaves nothing, whichever storage call fails before it is repeated (fault: %s)",
  async (fault) => {
    const place = async () => {
      const order = await desk.placePaid();
      await desk.stripe.hold(order.id);
      await desk.stripe.dispute(order.payment);
      return order;
    };
    const send = (order: DeskOrder, key: object) =>
      refund(service.baseUrl, order, { items: [{ id: order.line, quantity: 1 }] }, key);
    const model = await place();
    const untouched = await endOf(model);
    const { calls } = await service.proxy.record(() => send(model, aKey()));
    const positions = new Set(calls.map(({ invocation }) => invocation)).size;
    for (let position = 1; position <= positions; position++) {
      const [order, key] = [await place(), aKey()];
      await service.proxy.disturb(failing(position, fault), () => send(order, key));
      const repeat = await send(order, key);
      expect([position, repeat.status]).toEqual([position, 409]);
      expect([position, await endOf(order)]).toEqual([position, untouched]);
    }
  },
);

test.each(["server-error", "answer-lost"] as const)(
  "money alone moves once if its refund is refused, and any storage call fails before it is repeated (fault: %s)",
  async (fault) => {
    const [body, about] = [{ amount: 300, pay_again: true }, "refunds.create"] as const;
    const place = async () => {
      const order = await desk.placePaid();
      await desk.stripe.fail({ call: about, about: order.payment, fault: "refused" });
      return order;
    };
    const model = await place();
    const { calls } = await service.proxy.record(() =>
      refund(service.baseUrl, model, body, aKey()),
    );
    const positions = new Set(calls.map(({ invocation }) => invocation)).size;
    for (let position = 1; position <= positions; position++) {
      const [order, key] = [await place(), aKey()];
      const send = () => refund(service.baseUrl, order, body, key);
      await service.proxy.disturb(failing(position, fault), send);
      await timePasses(order);
      const repeats = [await send(), await send()];
      expect([position, repeats.map(({ status }) => status)]).toEqual([
        position,
        expect.arrayContaining([201]) as number[],
      ]);
      const { payment_status, ledger, gatewayRefunds } = await endOf(order);
      const made = ledger.filter(([type, state]) => type === "refund" && state === "succeeded");
      expect([position, made.length, payment_status, gatewayRefunds]).toEqual([
        position,
        1,
        "partially_paid",
        1,
      ]);
    }
  },
);

test.each(["server-error", "answer-lost"] as const)(
  "the scheduled check makes the refund of a return once, whichever storage call of the request failed (fault: %s)",
  async (fault) => {
    const model = await withReturn();
    const { calls } = await service.proxy.record(() => settleReturn(service.baseUrl, model));
    const expected = await endOf(model);
    const positions = new Set(calls.map(({ invocation }) => invocation)).size;
    const orders = await Promise.all(Array.from({ length: positions }, withReturn));
    for (const [index, order] of orders.entries()) {
      const position = index + 1;
      const send = () => settleReturn(service.baseUrl, order);
      await service.proxy.disturb(failing(position, fault), send);
      await desk.advance(order.id);
      const { returns } = (await order.read()).rows;
      if (returns[0]?.status === "received") await send();
      expect([position, await endOf(order)]).toEqual([position, expected]);
      expect([position, (await send()).status]).toEqual([position, 200]);
      expect([position, await endOf(order)]).toEqual([position, expected]);
    }
  },
);

const breakdowns = (["refund", "return"] as const).flatMap((what) =>
  (["server_error", "answer_lost"] as const).flatMap((fault) =>
    (["repeat", "schedule"] as const).map((by) => [what, fault, by] as const),
  ),
);
test.concurrent.each(breakdowns)(
  "after a gateway failure the money of a %s remains pending (fault: %s) until the %s completes it",
  async (what, fault, by) => {
    const { place, send, end, status } = bookings[what];
    const [order, key] = [await place(), aKey()];
    const about = order.payment;
    await desk.stripe.fail({ call: "refunds.create", about, fault, times: 2 });
    expect((await send(order, key)).status).toBe(status);
    expect((await order.read()).rows.transactions).toContainEqual(
      expect.objectContaining({ type: "refund", state: "pending" }),
    );
    await desk.stripe.heal(about);
    if (by === "repeat") expect((await send(order, key)).status).toBe(status);
    else await desk.advance(order.id);
    // The gateway gets the refund once, under one key, however often it is called.
    const { gatewayRefunds: _calls, ...rest } = end;
    expect(await endOf(order)).toMatchObject(rest);
    const { transactions } = (await order.read()).rows;
    expect(transactions.map(({ type, state }) => [type, state])).toEqual([
      ["charge", "succeeded"],
      ["refund", "succeeded"],
    ]);
    const calls = await desk.stripe.calls(about);
    const refunds = calls.filter(({ call }) => call === "refunds.create");
    expect(new Set(refunds.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  },
);
