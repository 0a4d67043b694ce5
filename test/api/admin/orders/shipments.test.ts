import { describe, expect, test } from "vitest";
import type { Activity } from "#shared/domain/staff/activity.ts";
import type { PrintedInvoice } from "#shared/domain/order/invoice/invoice-view.ts";
import type { TrackedOrder } from "#shared/domain/order/view/buyer-order.ts";
import type { ShipmentStatus } from "#shared/domain/order/status/order-states.ts";
import type { AdminOrder, AdminShipment } from "#shared/domain/order/view/admin-order.ts";
import { invoiceSeries } from "#shared/domain/order/invoice/invoice.ts";
import { DueOrders } from "#shared/storage/order/due-orders.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { requestInvoice } from "#shared/storage/order/invoices.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { update } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, world, desk, staffAs } = await useShop({
  effects: ["due-orders", "mail"],
});

const staff = await staffAs("order_desk");

type Answered = Data<{ order: AdminOrder; shipment: AdminShipment }> & Problem;

const pathOf = ({ id }: { id: string }) => `/admin/orders/${id}`;
const make = (order: { id: string }, body: object = {}, headers = {}) =>
  staff.post<Answered>(`${pathOf(order)}/shipments`, body, headers);
const change = (order: { id: string }, shipment: { id: string }, body: object, headers = {}) =>
  staff.patch<Answered>(`${pathOf(order)}/shipments/${shipment.id}`, body, headers);

/** Sets the shipment to each of these statuses in turn, and returns the last response. */
async function take(order: { id: string }, shipment: { id: string }, ...to: ShipmentStatus[]) {
  let answer: Answered["data"] | undefined;
  for (const status of to) {
    const reply = await change(order, shipment, { status });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    answer = reply.body.data;
  }
  return answer!;
}

/** A cash-on-delivery order that is ready to dispatch, by default with three of the five units in stock. */
async function ready(quantity = 3, units = 5): Promise<DeskOrder> {
  const order = await desk.place("cod", { quantity, units });
  await staff.patch(pathOf(order), { status: "ready_to_dispatch" });
  return order;
}

async function made(order: DeskOrder, quantity?: number): Promise<AdminShipment> {
  const items = [{ id: order.line, quantity }];
  const reply = await make(order, quantity === undefined ? {} : { items });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body.data.shipment;
}

describe("shipping a whole order in one shipment", () => {
  test("reduces the stock and creates an invoice at dispatch, and its delivery marks the order as delivered", async () => {
    const order = await ready();
    const transport = { carrier: "Delhivery", tracking_number: "149082", tracking_url: null };
    const reply = await make(order, transport);
    const { shipment } = reply.body.data;
    expect([reply.status, reply.headers.get("etag")]).toEqual([201, '"v3"']);
    expect(shipment).toMatchObject({
      ...transport,
      status: "pending",
      items: [{ id: order.line, quantity: 3 }],
      allowed_transitions: ["packed"],
      dispatched_at: null,
    });
    expect(reply.body.data.order.items[0]?.units).toMatchObject({ open: 0, packed: 3 });

    const packed = await take(order, shipment, "packed");
    expect(packed.shipment.allowed_transitions).toEqual(["out_for_delivery"]);
    expect(await order.stock()).toMatchObject({ on_hand: 5, reserved: 3, available: 2 });
    const sent = await take(order, shipment, "out_for_delivery");
    expect(await order.stock()).toMatchObject({ on_hand: 2, reserved: 0, available: 2 });
    expect(sent).toMatchObject({
      shipment: { status: "out_for_delivery", dispatched_at: expect.any(String) },
      order: {
        status: "shipped",
        allowed_transitions: [],
        invoice: { number: expect.stringMatching(/^[A-Z]{2,3}\/\d\d-\d\d\/\d{6}$/) },
        items: [{ units: { on_the_way: 3, packed: 0 } }],
      },
    });
    expect(sent.order.timeline.at(-1)?.message).toBe("Your order is on its way with Delhivery.");

    const { order: after } = await take(order, shipment, "delivered");
    expect(after).toMatchObject({
      status: "delivered",
      delivered_at: expect.any(String),
      invoice: sent.order.invoice,
      shipments: [{ status: "delivered", delivered_at: expect.any(String) }],
    });
    const tracked = await clientOf(baseUrl).get<Data<TrackedOrder>>(
      `/orders/track/${order.number}`,
    );
    expect(tracked.body.data).toMatchObject({
      status: "delivered",
      shipments: [{ status: "delivered", tracking_number: "149082" }],
    });
    // Its cash is looked for after a day.
    const later = new Date(Date.parse(after.delivered_at ?? "") + 86_400_000);
    const due = { order_id: order.id, at: later.toISOString() };
    expect(await desk.table.get(DueOrders, due)).toMatchObject(due);
  });

  test("notifies the buyer and is recorded in the activity log", async () => {
    const order = await ready();
    const shipment = await made(order);
    await take(order, shipment, "packed", "out_for_delivery", "delivered");
    expect((await change(order, shipment, { status: "delivered" })).status).toBe(200);
    const inbox = inboxOf(environment.SES_ENDPOINT);
    await inbox.waitFor(order.email, ({ subject }) => /on its way/.test(subject));
    const isArrival = ({ subject }: { subject: string }) => subject.endsWith("has been delivered");
    await inbox.waitFor(order.email, isArrival);
    expect((await inbox.mailsTo(order.email)).filter(isArrival)).toHaveLength(1);
    const owner = await staffAs("owner");
    const { body } = await owner.get<Data<Activity[]>>(`/admin/activity?target=order:${order.id}`);
    expect(body.data.map(({ action }) => action)).toEqual([
      "order.shipment_update",
      "order.shipment_update",
      "order.shipment_update",
      "order.shipment",
      "order.move",
    ]);
    expect(body.data[2]?.changes).toEqual([
      { path: "shipment.status", from: "pending", to: "packed" },
    ]);
  });

  test("is refused until the order is ready to dispatch", async () => {
    const order = await desk.place("cod", { quantity: 1 });
    const shipment = await made(order);
    expect((await take(order, shipment, "packed")).shipment.allowed_transitions).toEqual([]);
    const early = await change(order, shipment, { status: "out_for_delivery" });
    expect([early.status, early.body.code, early.body.details]).toEqual([
      409,
      "invalid_transition",
      { from: "packed", to: "out_for_delivery", allowed: [] },
    ]);
    expect(early.body.message).toMatch(/^The order must be ready to dispatch/);
    const skipped = await change(order, shipment, { status: "delivered" });
    expect(skipped.body.message).toBe("A shipment cannot go from packed to delivered.");
    await staff.patch(pathOf(order), { status: "ready_to_dispatch" });
    expect((await take(order, shipment, "out_for_delivery")).order.status).toBe("shipped");
  });
});

test("if a dispatch is interrupted after it has requested an invoice, the next scheduled run issues the invoice", async () => {
  const order = await ready();
  const settings = await readSettings(world.table, ["store", "tax"]);
  const series = invoiceSeries(settings, new Date());
  await world.table.write(
    requestInvoice(order.id, {
      ...series,
      shipment_id: newId("shp", new Date()),
      supplement: false,
    }),
  );
  await waitFor("due-orders", async () => {
    const { body } = await staff.get<Data<AdminOrder>>(pathOf(order));
    expect(body.data.invoice).toEqual({
      number: expect.stringContaining(`${series.name}/`),
      issued_on: series.issued_on,
    });
  });
});

test("the invoice is available from dispatch on and has the order's totals", async () => {
  const order = await ready(3);
  const path = `${pathOf(order)}/invoice`;
  expect((await staff.get(path)).status).toBe(404);
  const shipment = await made(order);
  const sent = await take(order, shipment, "packed", "out_for_delivery");
  const { status, body } = await staff.get<Data<PrintedInvoice>>(path);
  const { lines, shipping, tax_summary, totals } = body.data;
  expect([status, body.data]).toMatchObject([
    200,
    {
      ...sent.order.invoice,
      order: { id: order.id, number: order.number },
      buyer: { email: order.email, tax_id: null },
      lines: [{ sku: order.sku, hsn_code: "9401", quantity: 3 }],
    },
  ]);
  expect(body.data.seller.legal_name).not.toBe("");
  const sums = [...lines.map((line) => line.taxable + line.tax), shipping.taxable + shipping.tax];
  expect(sums.reduce((sum, amount) => sum + amount, 0)).toBe(totals.grand_total);
  expect(tax_summary.reduce((sum, { amount }) => sum + amount, 0)).toBe(totals.tax);
  expect(tax_summary.map(({ code }) => code)).toEqual(["cgst", "sgst"]);
});

describe("shipping an order in several shipments", () => {
  test("creates one invoice, and the delivery of the last shipment marks the order as delivered", async () => {
    const order = await ready();
    const [one, other] = [await made(order, 1), await made(order)];
    expect(other.items).toEqual([{ id: order.line, quantity: 2 }]);
    const first = await take(order, one, "packed", "out_for_delivery");
    expect(await order.stock()).toMatchObject({ on_hand: 4, reserved: 2, available: 2 });
    const half = await take(order, one, "delivered");
    expect(half.order).toMatchObject({ status: "shipped", delivered_at: null });
    const second = await take(order, other, "packed", "out_for_delivery");
    expect(second.order.invoice).toEqual(first.order.invoice);
    expect(await order.stock()).toMatchObject({ on_hand: 2, reserved: 0, available: 2 });
    expect((await take(order, other, "delivered")).order.status).toBe("delivered");
  });

  test("never ships a unit twice, even if several people pack concurrently", async () => {
    const order = await ready(3);
    const items = [{ id: order.line, quantity: 2 }];
    const replies = await Promise.all(Array.from({ length: 5 }, () => make(order, { items })));
    expect(tally(replies)).toEqual({ "201": 1, "422 validation_failed": 4 });
    const { body } = replies.find(({ status }) => status === 422)!;
    expect(body.errors).toEqual({ "items.0.quantity": ["Only 1 unit is left to ship."] });
    await made(order);
    const full = await make(order);
    expect([full.status, full.body.errors]).toEqual([
      422,
      { items: ["Every unit is already in a shipment."] },
    ]);
  });

  test("permits changing which units a shipment contains until that shipment is packed", async () => {
    const order = await ready(3);
    const shipment = await made(order);
    const items = [{ id: order.line, quantity: 1 }];
    const { body } = await change(order, shipment, { items, carrier: "Own van" });
    expect(body.data.shipment).toMatchObject({ items, carrier: "Own van", status: "pending" });
    expect(body.data.order.items[0]?.units.open).toBe(2);
    await take(order, shipment, "packed");
    expect((await change(order, shipment, { items })).status).toBe(422);
    const { status } = await change(order, shipment, { tracking_number: "7" });
    expect(status).toBe(200);
  });
});

describe("a shipment whose delivery fails", () => {
  test("can be delivered in a second attempt without changing the stock again", async () => {
    const order = await ready(2);
    const shipment = await made(order);
    const first = await take(order, shipment, "packed", "out_for_delivery");
    const stock = await order.stock();
    const again = await take(order, shipment, "delivery_failed", "out_for_delivery");
    expect(await order.stock()).toEqual(stock);
    expect(again.order).toMatchObject({ status: "shipped", invoice: first.order.invoice });
    expect(again.shipment.dispatched_at).toBe(first.shipment.dispatched_at);
    expect((await take(order, shipment, "delivered")).order.status).toBe("delivered");
  });

  test("can be returned, after which its units can be shipped again", async () => {
    const order = await ready(2, 5);
    const shipment = await made(order);
    const back = await take(
      order,
      shipment,
      "packed",
      "out_for_delivery",
      "delivery_failed",
      "returned_to_origin",
    );
    expect(await order.stock()).toMatchObject({ on_hand: 5, reserved: 2, available: 3 });
    expect(back.order).toMatchObject({
      status: "shipped",
      items: [{ units: { on_the_way: 0, open: 2 } }],
    });
    const next = await made(order);
    const after = await take(order, next, "packed", "out_for_delivery", "delivered");
    expect(after.order).toMatchObject({ status: "delivered", invoice: back.order.invoice });
    expect(await order.stock()).toMatchObject({ on_hand: 3, reserved: 0, available: 3 });
  });

  test("ends the order if its units are taken back, and they are for sale again", async () => {
    const order = await ready(2, 5);
    const shipment = await made(order);
    await take(order, shipment, "packed", "out_for_delivery", "delivery_failed");
    const { body } = await change(order, shipment, {
      status: "returned_to_origin",
      then: "take_back",
    });
    expect(body.data.order).toMatchObject({
      status: "returned",
      items: [{ units: { ordered: 2, came_back: 2, open: 0 } }],
      allowed_transitions: [],
    });
    expect(body.data.order.timeline.at(-1)?.type).toBe("returned");
    expect(await order.stock()).toMatchObject({ on_hand: 5, reserved: 0, available: 5 });
  });

  test("reserves other units if its own are lost, and is refused if there are none", async () => {
    const order = await ready(2, 3);
    const shipment = await made(order);
    await take(order, shipment, "packed", "out_for_delivery", "delivery_failed");
    const lost = { status: "returned_to_origin", goods: "lost" };
    const refused = await change(order, shipment, lost);
    expect([refused.status, refused.body.code]).toEqual([409, "insufficient_stock"]);
    await desk.table.write(
      update(Stocks, { id: order.stock_id }, { set: { on_hand: 3, available: 3 } }),
    );
    const { body } = await change(order, shipment, lost);
    expect(body.data.order.items[0]?.units).toMatchObject({ open: 2 });
    expect(await order.stock()).toMatchObject({ on_hand: 3, reserved: 2, available: 1 });
  });
});

describe("a delivery of which the buyer takes a part", () => {
  test("is split, and the order is delivered without what was taken back", async () => {
    const order = await ready(3, 5);
    const shipment = await made(order);
    await take(order, shipment, "packed", "out_for_delivery");
    const back = [{ id: order.line, quantity: 1, then: "take_back" }];
    const { body, status } = await change(order, shipment, { status: "delivered", back });
    expect(status).toBe(200);
    expect(body.data.order).toMatchObject({
      status: "delivered",
      items: [{ units: { delivered: 2, came_back: 1 } }],
      shipments: [
        { id: shipment.id, status: "delivered", items: [{ quantity: 2 }] },
        { status: "returned_to_origin", items: [{ quantity: 1 }] },
      ],
    });
    expect(await order.stock()).toMatchObject({ on_hand: 3, reserved: 0, available: 3 });
  });

  test("keeps the order open for what is sent again, and refuses units that it does not have", async () => {
    const order = await ready(3, 5);
    const shipment = await made(order);
    await take(order, shipment, "packed", "out_for_delivery");
    const unknown = [{ id: order.line, quantity: 4 }];
    const refused = await change(order, shipment, { status: "delivered", back: unknown });
    expect(Object.keys(refused.body.errors ?? {})).toEqual(["back.0.quantity"]);
    const early = await change(order, shipment, { back: [{ id: order.line, quantity: 1 }] });
    expect(Object.keys(early.body.errors ?? {})).toEqual(["back"]);
    const back = [{ id: order.line, quantity: 1 }];
    const { body } = await change(order, shipment, { status: "delivered", back });
    expect(body.data.order).toMatchObject({
      status: "shipped",
      items: [{ units: { delivered: 2, open: 1 } }],
    });
    expect(await order.stock()).toMatchObject({ on_hand: 3, reserved: 1, available: 2 });
  });
});

describe("dispatching a shipment", () => {
  test("changes the stock once and uses one invoice number, even with concurrent requests", async () => {
    const order = await ready(1, 1);
    const shipment = await made(order);
    await take(order, shipment, "packed");
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => change(order, shipment, { status: "out_for_delivery" })),
    );
    expect(tally(replies)).toEqual({ "200": 6 });
    const numbers = replies.map(({ body }) => body.data.order.invoice?.number);
    expect(new Set(numbers).size).toBe(1);
    expect(await order.stock()).toMatchObject({ on_hand: 0, reserved: 0, available: 0 });
  });

  test("is refused without any effect if units are not in stock", async () => {
    const order = await ready(2, 2);
    const shipment = await made(order);
    await take(order, shipment, "packed");
    await desk.table.write(update(Stocks, { id: order.stock_id }, { set: { on_hand: 1 } }));
    const reply = await change(order, shipment, { status: "out_for_delivery" });
    expect([reply.status, reply.body.code, reply.body.details]).toEqual([
      409,
      "insufficient_stock",
      { skus: [order.sku] },
    ]);
    const { order: after } = await order.read();
    expect([after.status, after.invoice]).toEqual(["ready_to_dispatch", null]);
  });
});

test("a shipment whose step is done answers its repeat, whatever version it names; other edits return 412", async () => {
  const order = await ready(2);
  const shipment = await made(order);
  const { version } = (await order.read()).order;
  const late = { "if-match": '"v1"' };
  const done = await change(order, shipment, { status: "pending" }, late);
  expect([done.status, done.body.data.order.version]).toEqual([200, version]);
  const edits = [
    { status: "packed" },
    { status: "pending", carrier: "Gati" },
    { carrier: "Bluedart" },
  ];
  for (const edit of edits) {
    expect((await change(order, shipment, edit, late)).status).toBe(412);
  }
});

test("a shipment of an unpaid or cancelled order is refused", async () => {
  const unpaid = await desk.place("bank_transfer");
  const { status, body } = await make(unpaid);
  expect([status, body.code]).toEqual([409, "invalid_transition"]);
  const order = await ready(1);
  const shipment = await made(order);
  await staff.patch(pathOf(order), { status: "cancelled" });
  expect((await change(order, shipment, { status: "packed" })).status).toBe(409);
  expect((await make(order)).status).toBe(409);
});

describe("a unit that was refunded before it was sent", () => {
  const refundUnits = async (order: DeskOrder, quantity: number) => {
    const manager = await staffAs("manager");
    const body = { reason: "Scratched", items: [{ id: order.line, quantity }] };
    return manager.post<Problem>(`${pathOf(order)}/refunds`, body, aKey());
  };

  test("is not packed, and the invoice names what leaves", async () => {
    const order = await desk.placePaid({ quantity: 2, units: 5 });
    expect((await refundUnits(order, 1)).status).toBe(201);
    const all = await make(order, { items: [{ id: order.line, quantity: 2 }] });
    expect([all.status, all.body.errors]).toEqual([
      422,
      { "items.0.quantity": ["Only 1 unit is left to ship."] },
    ]);
    await staff.patch(pathOf(order), { status: "ready_to_dispatch" });
    const shipment = await made(order);
    expect(shipment.items).toEqual([{ id: order.line, quantity: 1 }]);
    const { order: after } = await take(order, shipment, "packed", "out_for_delivery", "delivered");
    expect(after).toMatchObject({
      status: "delivered",
      items: [{ units: { ordered: 2, delivered: 1, taken_off: 1 } }],
    });
    const { body } = await staff.get<Data<PrintedInvoice>>(`${pathOf(order)}/invoice`);
    expect(body.data.lines.map(({ quantity }) => quantity)).toEqual([1]);
    expect(await order.stock()).toMatchObject({ on_hand: 4, reserved: 0, available: 4 });
  });

  test("leaves the shipment in which it was packed", async () => {
    const order = await desk.placePaid({ quantity: 2, units: 5 });
    await staff.patch(pathOf(order), { status: "ready_to_dispatch" });
    const shipment = await made(order);
    await take(order, shipment, "packed");
    await refundUnits(order, 1);
    const { order: sent } = await take(order, shipment, "out_for_delivery");
    expect(sent).toMatchObject({
      items: [{ units: { on_the_way: 1, taken_off: 1 } }],
      shipments: [{ items: [{ quantity: 1 }] }],
    });
    expect(await order.stock()).toMatchObject({ on_hand: 4, reserved: 0, available: 4 });
  });

  test("completes the order if all others were delivered", async () => {
    const order = await desk.placePaid({ quantity: 3, units: 5 });
    await desk.send(order, 1, "delivered");
    await refundUnits(order, 2);
    const { body } = await staff.get<Data<AdminOrder>>(pathOf(order));
    expect(body.data).toMatchObject({
      status: "delivered",
      delivered_at: body.data.shipments[0]?.delivered_at,
      allowed_transitions: ["completed"],
    });
    expect(await order.stock()).toMatchObject({ on_hand: 4, reserved: 0, available: 4 });
  });

  test("cannot be the last one of an order of which nothing was sent: that is a cancellation", async () => {
    const order = await desk.placePaid({ quantity: 2, units: 5 });
    const { status, body } = await refundUnits(order, 2);
    expect([status, body.code, body.details]).toEqual([
      409,
      "invalid_transition",
      { from: "confirmed", to: "cancelled", allowed: ["cancelled"] },
    ]);
    expect(await order.stock()).toMatchObject({ on_hand: 5, reserved: 2, available: 3 });
  });
});
