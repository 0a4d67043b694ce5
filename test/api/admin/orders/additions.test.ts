import { beforeAll, describe, expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { ChangeEffect } from "#shared/domain/order/change/plan-change.ts";
import { type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { Cards } from "#shared/storage/catalog/catalog.ts";
import { sofaCard } from "#shared/domain/sofa/sofa-card.ts";
import { Roles, openRoles } from "#shared/storage/staff/roles.ts";
import { put } from "#shared/storage/writes.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { inbox, desk, staffAs } = await useShop({ effects: ["mail"] });

const { table } = desk;
let clerk: StaffClient;
beforeAll(async () => {
  clerk = await staffAs("order_desk");
  // Staff who sell and change orders, with the highest discount of the default role.
  const roles = openRoles(table);
  const sales = await roles.get("sales");
  const permissions = [...sales.permissions, "orders.update" as const];
  await table.write(put(Roles, { ...sales, permissions }));
});

type Changed = Data<ChangeEffect & { readonly order: AdminOrder }> & Problem;
const pathOf = ({ id }: Pick<DeskOrder, "id">) => `/admin/orders/${id}/changes`;
const reason = "The buyer called";
const change = (order: Pick<DeskOrder, "id">, body: object, headers: object = {}) =>
  clerk.post<Changed>(pathOf(order), { reason, ...body }, { ...aKey(), ...headers });
const preview = (order: Pick<DeskOrder, "id">, body: object) =>
  clerk.post<Changed>(`${pathOf(order)}?preview=true`, { reason, ...body });

/** A product with two variants of 5 units, the first for 1,000.00. */
const aLamp = async (units = 5) => plantProduct(table, { units });

describe("a line that staff add", () => {
  test("is priced as the catalog prices it today, takes stock at once and does what its preview shows", async () => {
    const [order, lamp] = [await desk.placePaid({ quantity: 1 }), await aLamp()];
    const [{ price } = { price: 0 }] = lamp.product.variants;
    const body = { add: [{ sku: lamp.sku, quantity: 2, note: "Warm white" }] };
    const shown = await preview(order, body);
    expect(await lamp.stock()).toMatchObject({ reserved: 0 });
    const made = await change(order, body, { "if-match": shown.headers.get("etag") });
    expect([shown.status, made.status]).toEqual([200, 200]);
    const { money, stock, documents, letters, order: after } = made.body.data;
    expect(shown.body.data).toMatchObject({ money, stock, documents, letters });
    expect(shown.body.data.order.totals).toEqual(after.totals);

    expect(money).toEqual({ due: 2 * price, surplus: 0, refund: 0 });
    expect(stock).toEqual([{ sku: lamp.sku, on_hand: 0, reserved: 2 }]);
    expect(await lamp.stock()).toMatchObject({ reserved: 2, available: 3 });
    expect(after).toMatchObject({
      status: "confirmed",
      payment_status: "partially_paid",
      totals: { grand_total: order.total, current: order.total + 2 * price, due: 2 * price },
      items: [
        { id: order.line, change_id: null },
        {
          sku: lamp.sku,
          line_total: 2 * price,
          note: "Warm white",
          change_id: expect.stringMatching(/^chg_/),
          units: { ordered: 2, open: 2 },
        },
      ],
      payment_schedule: [
        { code: "full", amount: order.total, state: "paid" },
        { code: "change", amount: 2 * price, due: "now", state: "due" },
      ],
    });
    const { due_at } = after.payment_schedule[1]!;
    expect(Date.parse(due_at!)).toBeGreaterThan(Date.now());
  });

  test("keeps the order at the shop until the buyer has paid it, for which the letter has a link", async () => {
    const [order, lamp] = [await desk.placePaid({ quantity: 1 }), await aLamp()];
    await change(order, { add: [{ sku: lamp.sku, quantity: 1 }] });
    const { body } = await inbox.waitFor(order.email, ({ subject }) =>
      subject.endsWith("was changed"),
    );
    expect(body.text).toContain("Added to your order");
    expect(body.text).toContain("Pay now");
    await desk.move(order.id, "ready_to_dispatch");
    await desk.send(order, 1, "packed");
    const { rows } = await order.read();
    const path = `/admin/orders/${order.id}/shipments/${rows.shipments[0]!.id}`;
    const held = await clerk.patch<Problem>(path, { status: "out_for_delivery" });
    expect([held.status, held.body.code]).toEqual([409, "balance_due"]);
    await desk.receive(order.id, lamp.product.variants[0]!.price);
    expect((await clerk.patch(path, { status: "out_for_delivery" })).status).toBe(200);
  });

  test("is paid on delivery in a cash order within the limits for cash", async () => {
    const [order, lamp] = [await desk.place("cod", { quantity: 1 }), await aLamp()];
    const { body } = await change(order, { add: [{ sku: lamp.sku, quantity: 1 }] });
    expect(body.data.order.payment_schedule).toMatchObject([
      { code: "full", due: "on_delivery" },
      { code: "change", due: "on_delivery", due_at: null },
    ]);
  });

  test("takes the place of another in one change", async () => {
    const [order, lamp] = [await desk.placePaid({ quantity: 1 }), await aLamp()];
    const body = {
      take_off: [{ id: order.line, quantity: 1 }],
      add: [{ sku: lamp.sku, quantity: 1 }],
    };
    const { status, body: answer } = await change(order, body);
    const price = lamp.product.variants[0]!.price;
    expect([status, answer.data.order.totals.current]).toEqual([
      200,
      order.total - order.lineTotal + price,
    ]);
    expect([await order.stock(), await lamp.stock()]).toMatchObject([
      { reserved: 0 },
      { reserved: 1 },
    ]);
  });

  test("raises what an unpaid order has to be paid before it is confirmed", async () => {
    const [order, lamp] = [await desk.place("bank_transfer", { quantity: 1 }), await aLamp()];
    await change(order, { add: [{ sku: lamp.sku, quantity: 1 }] });
    await desk.receive(order.id, order.total);
    expect((await order.read()).order.status).toBe("pending_payment");
    await desk.receive(order.id, lamp.product.variants[0]!.price);
    expect((await order.read()).order).toMatchObject({
      status: "confirmed",
      payment_status: "paid",
    });
  });

  test("is packed only after staff mark it as ready, if it is made to order", async () => {
    const { sofa, material } = await plantSofa(table);
    await table.write(put(Cards, sofaCard(sofa, new Map([[material.code, material]]))));
    const order = await desk.placePaid({ quantity: 1 });
    const { body } = await change(order, {
      add: [{ sofa: sofa.id, configuration: {}, quantity: 1 }],
    });
    const line = body.data.order.items[1]!;
    expect(line).toMatchObject({ kind: "sofa", made_to_order: true, ready_at: null });
    const ship = () =>
      clerk.post<Problem>(
        `/admin/orders/${order.id}/shipments`,
        { items: [{ id: line.id, quantity: 1 }] },
        aKey(),
      );
    expect((await ship()).status).toBe(422);
    const ready = (id: string) =>
      clerk.patch<Data<AdminOrder> & Problem>(`/admin/orders/${order.id}/lines/${id}`, {
        ready: true,
      });
    const marked = await ready(line.id);
    expect([marked.status, typeof marked.body.data.items[1]?.ready_at]).toEqual([200, "string"]);
    expect((await ready(line.id)).status).toBe(200);
    expect((await ready(order.line)).status).toBe(409);
    expect((await ready("line_unknown")).status).toBe(404);
    expect((await ship()).status).toBe(201);
  });

  test("may cost less than in the catalog as far as the role of the user allows, and a custom line any price", async () => {
    const [order, lamp] = [await desk.placePaid({ quantity: 1 }), await aLamp()];
    const { price } = lamp.product.variants[0]!;
    const [seller, manager] = await Promise.all([staffAs("sales"), staffAs("manager")]);
    const custom = { title: "Felt pads", price: 499, tax_class: "furniture", hsn_code: "5602" };
    const at = (unit_price: number) => ({ add: [{ sku: lamp.sku, quantity: 1, unit_price }] });
    const tried = async (by: StaffClient, body: object) => {
      const reply = await by.post<Changed>(pathOf(order), { reason, ...body }, aKey());
      return [reply.status, reply.body.details ?? reply.body.data.order.items.at(-1)];
    };
    const permission = "orders.discount";
    expect(await tried(clerk, at(price - 1))).toEqual([403, { permission }]);
    expect(await tried(clerk, { add: [{ custom, quantity: 1 }] })).toEqual([403, { permission }]);
    expect(await tried(clerk, at(price + 1))).toMatchObject([200, { unit_price: price + 1 }]);
    const lowest = Math.ceil(price * 0.9);
    expect(await tried(seller, at(lowest - 1))).toEqual([
      403,
      { permission, max_discount_bps: 1_000, lowest_price: lowest },
    ]);
    expect(await tried(seller, at(lowest))).toMatchObject([200, { line_total: lowest }]);
    expect(await tried(manager, at(0))).toMatchObject([200, { line_total: 0 }]);
    expect(await tried(seller, { add: [{ custom, quantity: 3 }] })).toMatchObject([
      200,
      { kind: "custom", name: "Felt pads", sku: null, line_total: 1_497, hsn_code: "5602" },
    ]);
  });

  test("is refused without stock and when nothing has its name", async () => {
    const [order, lamp] = [await desk.placePaid({ quantity: 2 }), await aLamp(1)];
    const tooMany = { add: [{ sku: lamp.sku, quantity: 2 }] };
    for (const reply of [await preview(order, tooMany), await change(order, tooMany)]) {
      expect([reply.status, reply.body]).toMatchObject([
        409,
        { code: "insufficient_stock", details: { lines: [{ sku: lamp.sku, available: 1 }] } },
      ]);
    }
    const cases: [object, string][] = [
      [{ sku: "UNKNOWN-1", quantity: 1 }, "add.0.sku"],
      [{ sofa: "no-such-sofa", quantity: 1 }, "add.0.sofa"],
      [{ quantity: 1 }, "add.0.sku"],
      [{ sku: lamp.sku, sofa: "a-sofa", quantity: 1 }, "add.0.sku"],
    ];
    for (const [line, field] of cases) {
      const { status, body } = await change(order, { add: [line] });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
    }
    expect(await lamp.stock()).toMatchObject({ reserved: 0 });
  });

  test("after the first dispatch makes the order ship again, and takes stock", async () => {
    const [order, lamp] = [await desk.placePaid({ quantity: 1 }), await aLamp()];
    await desk.send(order, 1, "delivered");
    const add = [{ sku: lamp.sku, quantity: 1 }];
    const { body } = await change(order, { add });
    expect(body.data.order).toMatchObject({ status: "shipped", invoices: [{}] });
    expect(body.data.order.items[1]?.units).toMatchObject({ open: 1 });
    expect(await lamp.stock()).toMatchObject({ reserved: 1 });
  });

  test(
    "is added once each by 50 concurrent changes, as often as units are left",
    { tags: "slow" },
    async () => {
      const [order, lamp] = [await desk.placePaid({ quantity: 1 }), await aLamp(30)];
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => change(order, { add: [{ sku: lamp.sku, quantity: 1 }] })),
      );
      const counts = tally(replies);
      const added = counts["200"] ?? 0;
      const { order: after, rows } = await order.read();
      expect(Object.keys(counts).toSorted()).toEqual(
        Object.keys(counts).filter((outcome) =>
          /^200$|^409 insufficient_stock$|^503/.test(outcome),
        ),
      );
      expect(added).toBeGreaterThan(0);
      expect([after.items.length - 1, rows.changes.length]).toEqual([added, added]);
      expect(after.current).toBe(order.total + added * lamp.product.variants[0]!.price);
      expect(await lamp.stock()).toMatchObject({ reserved: added });
    },
  );
});
