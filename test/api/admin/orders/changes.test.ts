import { describe, expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { ChangeEffect } from "#shared/domain/order/change/plan-change.ts";
import { type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import { Buyers } from "#shared/storage/order/buyers.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { world, inbox, desk, staffAs } = await useShop({ effects: ["mail"] });

const [manager, clerk] = await Promise.all([staffAs("manager"), staffAs("order_desk")]);

type Changed = Data<ChangeEffect & { readonly order: AdminOrder }> & Problem;
const pathOf = ({ id }: Pick<DeskOrder, "id">) => `/admin/orders/${id}/changes`;
const change = (
  order: Pick<DeskOrder, "id">,
  body: object,
  { by = manager, headers = {} }: { by?: StaffClient; headers?: object } = {},
) =>
  by.post<Changed>(pathOf(order), { reason: "Ordered twice", ...body }, { ...aKey(), ...headers });
const preview = (order: Pick<DeskOrder, "id">, body: object, by = manager) =>
  by.post<Changed>(`${pathOf(order)}?preview=true`, { reason: "Ordered twice", ...body });
const unitsOf = (line: string, quantity = 1) => [{ id: line, quantity }];

describe("a change of an order", () => {
  test("does what its preview shows, which stores nothing", async () => {
    const order = await desk.placePaid({ quantity: 3 });
    const body = { take_off: unitsOf(order.line), reduce: [{ id: null, amount: 1_000 }] };
    const { version } = (await order.read()).order;
    const headers = { "if-match": `"v${version}"` };
    const shown = await preview(order, body);
    expect([shown.status, shown.headers.get("etag")]).toEqual([200, headers["if-match"]]);
    expect((await order.read()).order).toMatchObject({ version, current: order.total });
    expect(await order.stock()).toMatchObject({ reserved: 3 });

    const made = await change(order, body, { headers });
    expect(made.status).toBe(200);
    const { money, stock, documents, letters } = made.body.data;
    expect(shown.body.data).toMatchObject({ money, stock, documents, letters });
    const { items, totals, payment_status } = made.body.data.order;
    expect(shown.body.data.order).toMatchObject({
      items,
      payment_status,
      totals: { current: totals.current, due: totals.due },
    });
    const price = Math.round(order.lineTotal / 3) + 1_000;
    expect([money, totals.current]).toEqual([
      { due: 0, surplus: 0, refund: price },
      order.total - price,
    ]);
    expect(items).toMatchObject([{ units: { open: 2, taken_off: 1 } }]);
    expect(await order.stock()).toMatchObject({ reserved: 2, available: 8 });
    expect(await desk.refunded(order.payment)).toBe(1);
    const again = await change(order, body, { headers });
    expect([again.status, again.body.code]).toEqual([412, "version_mismatch"]);
  });

  test("swaps everything for another piece, which the reduction of the whole makes cheaper", async () => {
    const order = await desk.placePaid({ quantity: 1 });
    const { sku } = await plantProduct(desk.table);
    const swap = { take_off: unitsOf(order.line), add: [{ sku, quantity: 1 }] };
    const made = await change(order, { ...swap, reduce: [{ id: null, amount: 1_000 }] });
    expect(made.status).toBe(200);
    expect(made.body.data.money.refund).toBe(1_000);
  });

  test("is refused, as its preview is, if the gateway would refuse the refund, unless the money goes back later", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    await desk.stripe.hold(order.id);
    await desk.stripe.dispute(order.payment);
    const before = await order.read();
    const body = { take_off: unitsOf(order.line) };
    for (const reply of [await preview(order, body), await change(order, body)]) {
      expect([reply.status, reply.body]).toMatchObject([
        409,
        { code: "payment_refused", details: { code: "charge_disputed" } },
      ]);
    }
    expect([await order.read(), await order.stock()]).toMatchObject([before, { reserved: 2 }]);
    const later = await change(order, { ...body, refund: { when: "later" } });
    expect([later.status, later.body.data]).toMatchObject([
      200,
      {
        money: { surplus: order.lineTotal / 2, refund: 0 },
        order: { items: [{ units: { open: 1 } }] },
      },
    ]);
  });

  test("tells its buyer in one letter what changed and what comes back, unless staff say otherwise", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    await change(order, { reduce: [{ id: null, amount: 100 }], notify: false });
    await change(order, { take_off: unitsOf(order.line) });
    const { body } = await inbox.waitFor(order.email, ({ subject }) =>
      subject.endsWith("was changed"),
    );
    expect(body.text).toContain("Taken off your order");
    expect(body.text).toContain("New total");
    expect(body.text).toContain("You get back");
    expect(body.text).toContain("To the card or account that you paid with");
    expect(body.text).not.toContain("Price reduction");
    const refund = { amount: 200, reason: "A scratch" };
    await manager.post(`/admin/orders/${order.id}/refunds`, refund, aKey());
    const isOfRefund = ({ subject }: { subject: string }) => subject.startsWith("Your refund of");
    await inbox.waitFor(order.email, isOfRefund);
    expect((await inbox.mailsTo(order.email)).filter(isOfRefund)).toHaveLength(1);
  });

  test("takes delivered units back, leaves their money for later and credits the invoice", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    await desk.send(order, 2, "delivered");
    const take_back = [{ id: order.line, quantity: 1, goods: "restock" }];
    const { body } = await change(order, { take_back, refund: { when: "later" } });
    const half = order.lineTotal / 2;
    expect(body.data).toMatchObject({
      money: { due: 0, surplus: half, refund: 0 },
      documents: ["credit_note"],
      order: { payment_status: "overpaid", attention: [{ code: "overpaid" }] },
    });
    expect(await order.stock()).toMatchObject({ on_hand: 9, reserved: 0 });
    expect((await order.read()).rows.changes).toMatchObject([
      { credit: { lines: [{ quantity: 1 }] } },
    ]);
  });

  test("that leaves an unpaid order with nothing to pay confirms it, and it no longer counts as unpaid", async () => {
    const order = await desk.place("bank_transfer", { quantity: 2 });
    const unpaid = async () =>
      (await world.table.get(Buyers, { buyer: `email#${order.email}` }))?.pending;
    expect(await unpaid()).toBe(1);
    const reduce = { reduce: [{ id: null, amount: order.total }] };
    for (const { body } of [await preview(order, reduce), await change(order, reduce)]) {
      expect(body.data).toMatchObject({
        money: { due: 0, surplus: 0, refund: 0 },
        order: { status: "confirmed", totals: { current: 0 } },
        letters: ["order_changed", "order_paid"],
      });
    }
    expect(await unpaid()).toBe(0);
    expect(await order.stock()).toMatchObject({ reserved: 2 });
  });

  test("is refused whole if a part of it is not possible", async () => {
    const order = await desk.placePaid({ quantity: 2 });
    const cases: [object, string[]][] = [
      [{}, ["take_off"]],
      [{ take_off: unitsOf(order.line, 3) }, ["take_off.0.quantity"]],
      [{ take_off: unitsOf("line_unknown") }, ["take_off.0.id"]],
      [{ take_back: [{ id: order.line, quantity: 1, goods: "scrap" }] }, ["take_back.0.quantity"]],
      [{ reduce: [{ id: order.line, amount: order.lineTotal + 1 }] }, ["reduce.0.amount"]],
    ];
    for (const [body, fields] of cases) {
      const reply = await change(order, body);
      expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, fields]);
    }
    const all = await change(order, { take_off: unitsOf(order.line, 2) });
    expect([all.status, all.body]).toMatchObject([
      409,
      { code: "invalid_transition", details: { allowed: ["cancelled"] } },
    ]);
    const { status, body } = await manager.post<Changed>(pathOf(order), {
      reason: "-",
      take_off: unitsOf(order.line),
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["Idempotency-Key"]]);
    expect((await order.read()).order).toMatchObject({ current: order.total });
    await desk.cancel(order.id);
    const ended = await change(order, { reduce: [{ id: null, amount: 1 }] });
    expect([ended.status, ended.body]).toMatchObject([
      409,
      {
        code: "order_locked",
        message: "An order that is cancelled can no longer change.",
        details: { reason: "ended" },
      },
    ]);
  });

  test("that lowers prices or refunds money needs orders.refund, and any other orders.update alone", async () => {
    const [unpaid, paid] = [
      await desk.place("cod", { quantity: 2 }),
      await desk.placePaid({ quantity: 2 }),
    ];
    const body = { take_off: unitsOf(unpaid.line) };
    expect((await change(unpaid, body, { by: clerk })).status).toBe(200);
    for (const [order, lowers] of [
      [unpaid, { reduce: [{ id: null, amount: 1 }] }],
      [paid, { take_off: unitsOf(paid.line) }],
    ] as const) {
      for (const reply of [
        await preview(order, lowers, clerk),
        await change(order, lowers, { by: clerk }),
      ]) {
        expect([reply.status, reply.body.details]).toEqual([403, { permission: "orders.refund" }]);
      }
    }
    const later = { take_off: unitsOf(paid.line), refund: { when: "later" } };
    expect((await change(paid, later, { by: clerk })).status).toBe(200);
  });

  test("is made once per key, and concurrent ones lose nothing", async () => {
    const order = await desk.placePaid({ quantity: 9 });
    const key = aKey();
    const body = { take_off: unitsOf(order.line) };
    const repeated = await Promise.all(
      Array.from({ length: 5 }, () => change(order, body, { headers: key })),
    );
    expect(new Set(repeated.map(({ status }) => status)).has(200)).toBe(true);
    expect((await order.read()).rows.changes).toHaveLength(1);

    const others = await Promise.all(Array.from({ length: 12 }, () => change(order, body)));
    expect(tally(others)).toEqual({ 200: 7, "409 invalid_transition": 5 });
  });
});
