import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { AdminReturn, AdminReturnSummary } from "#shared/domain/order/returns/return-view.ts";
import type { Delivery } from "#shared/domain/order/shipment/delivery-run.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { Cards } from "#shared/storage/catalog/catalog.ts";
import { put } from "#shared/storage/writes.ts";
import { PlaceCounts } from "#shared/storage/delivery/delivery-places.ts";
import { type PaidOrder, aKey } from "#test/support/back-office/orders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { uploadedPicture } from "#test/support/shop/uploads.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import { aCard } from "#test/support/shop/builders.ts";
import { openPlaces, zone } from "#test/support/shop/slots.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, desk, staffAs } = await useShop({ effects: ["media"] });

const [manager, orderDeskUser] = await Promise.all([staffAs("manager"), staffAs("order_desk")]);

type One = Data<z.output<typeof AdminReturn>> & Problem;
type Case = { readonly order: PaidOrder; readonly id: string };

const open = (body: object, staff = manager, headers: Record<string, string> = {}) =>
  staff.post<One>("/admin/returns", body, headers);
const step = ({ id }: Pick<Case, "id">, body: object, staff = manager) =>
  staff.patch<One>(`/admin/returns/${id}`, body);
const orderOf = async ({ order }: Case) =>
  (await manager.get<Data<AdminOrder>>(`/admin/orders/${order.id}`)).body.data;

const ofLine = (line: string, item: object = {}) => [
  { id: line, quantity: 1, reason: "damaged", ...item },
];

/** A return of one of two chairs of 1,000,000 from a stock of ten, paid by card and delivered. */
async function aCase(
  steps: readonly string[] = [],
  { quantity = 1, ...body }: Record<string, unknown> & { quantity?: number } = {},
): Promise<Case> {
  const order = await desk.placePaid({ quantity: 2 });
  await desk.send(order, 2, "delivered");
  const items = ofLine(order.line, { quantity });
  const opened = await open({ order: order.number, items, ...body });
  if (opened.status !== 201) throw new Error(opened.text);
  const { id } = opened.body.data;
  for (const status of steps) {
    const reply = await step({ id }, { status });
    if (reply.status !== 200) throw new Error(reply.text);
  }
  return { order, id };
}

const toReceived = ["approved", "received"];
const accepted = ({ order }: Case, rest: object = {}) => [
  { id: order.line, accepted: 1, goods: "restock", ...rest },
];

describe("staff open a return", () => {
  test("for a buyer, by the order's number or id, beyond the shop's terms", async () => {
    const { order, id } = await aCase();
    const { body } = await manager.get<One>(`/admin/returns/${id}`);
    expect(body.data).toMatchObject({
      status: "requested",
      order: { id: order.id, number: order.number },
      items: [{ id: order.line, reason: "damaged", fault: "carrier", upload_ids: [] }],
      allowed_transitions: ["approved", "declined", "cancelled"],
    });
    expect(body.data.opened_by).toMatch(/^stf_/);
    const again = await open({ order: order.id, items: ofLine(order.line) });
    expect(again.status).toBe(201);
  });

  test("but not of an unknown order, nor of more than was delivered", async () => {
    expect((await open({ order: "FS-0000-0000-0000", items: ofLine("x") })).status).toBe(422);
    const { order } = await aCase();
    const { status, body } = await open({
      order: order.id,
      items: ofLine(order.line, { quantity: 2 }),
    });
    expect(status).toBe(422);
    expect(body.errors?.["items.0.quantity"]).toEqual(["Only 1 of its units can be returned."]);
  });

  test("with a picture that the buyer has sent, which is kept", async () => {
    const { order } = await aCase();
    const upload = await uploadedPicture(clientOf(baseUrl));
    const items = ofLine(order.line, { upload_ids: [upload] });
    const { status, body, text } = await open({ order: order.id, items });
    expect(status, text).toBe(201);
    expect(body.data.items[0]?.upload_ids).toEqual([upload]);
    expect((await desk.table.get(FabricUploads, { id: upload }))?.expires_at).toBeNull();
  });

  test("with at most thirty pictures, each kept once", async () => {
    const { order } = await aCase();
    const upload = await uploadedPicture(clientOf(baseUrl));
    const twice = ofLine(order.line, { upload_ids: [upload, upload] });
    expect((await open({ order: order.id, items: twice })).body.data.items[0]?.upload_ids).toEqual([
      upload,
    ]);
    const many = Array.from({ length: 7 }, (_, item) => ({
      id: `line_${item}`,
      quantity: 1,
      reason: "damaged",
      upload_ids: Array.from({ length: 5 }, () => newId("upl", new Date())),
    }));
    const refused = await open({ order: order.id, items: many });
    expect(refused.body.errors).toEqual({ items: ["A request can have at most 30 pictures."] });
  });
});

test("the list shows returns by status, newest first", async () => {
  const declined = await aCase(["declined"]);
  const all = await manager.get<Data<z.output<typeof AdminReturnSummary>[]>>(
    "/admin/returns?per_page=5",
  );
  expect(all.body.data[0]?.id).toBe(declined.id);
  const byStatus = await manager.get<Data<z.output<typeof AdminReturnSummary>[]>>(
    "/admin/returns?status=declined&per_page=5",
  );
  expect(byStatus.body.data[0]).toMatchObject({ id: declined.id, status: "declined" });
  expect(new Set(byStatus.body.data.map(({ status }) => status))).toEqual(new Set(["declined"]));
});

describe("a return that was received", () => {
  test("is inspected and refunded: units, stock, value and money follow once", async () => {
    const one = await aCase(toReceived);
    const inspected = await step(one, { status: "inspected", items: accepted(one) });
    expect(inspected.body.data).toMatchObject({ status: "inspected", credited: 1_000_000 });
    expect(await one.order.stock()).toMatchObject({ on_hand: 9, reserved: 0 });
    let order = await orderOf(one);
    expect(order.items[0]?.units).toMatchObject({ delivered: 1, came_back: 1 });
    expect(order.transactions.filter(({ type }) => type === "refund")).toEqual([]);

    const refunded = await step(one, { status: "refunded", answer: "Sorry for the scratch." });
    expect(refunded.body.data).toMatchObject({
      status: "refunded",
      refunded: 1_000_000,
      answer: "Sorry for the scratch.",
      allowed_transitions: [],
    });
    order = await orderOf(one);
    expect(order.transactions.filter(({ type }) => type === "refund")).toMatchObject([
      { amount: 1_000_000, method: "gateway", state: "succeeded" },
    ]);
    expect(order.payment_status).toBe("partially_refunded");
    expect(order.totals).toMatchObject({ refunded: 1_000_000, due: 0 });
    expect(refunded.body.data.version).toBe(order.version);
    expect(await desk.refunded(one.order.payment)).toBe(1);

    const again = await step(one, { status: "refunded" });
    expect([again.status, again.body.data.version]).toEqual([200, order.version]);
    await desk.advance(one.order.id);
    expect(await desk.refunded(one.order.payment)).toBe(1);
  });

  test("that comes back whole cannot be exchanged once the order has ended by it", async () => {
    const one = await aCase(toReceived, { quantity: 2 });
    const items = [{ id: one.order.line, accepted: 2, goods: "scrap" }];
    const { body } = await step(one, { status: "inspected", items });
    expect(body.data).toMatchObject({ order: { status: "returned" } });
    expect(body.data.allowed_transitions).toEqual(["refunded", "repaired", "closed"]);
  });

  test("refunds the delivery charge, too, where all comes back and the shop refunds it", async () => {
    const one = await aCase(toReceived, { quantity: 2 });
    const { totals } = await orderOf(one);
    const items = [{ id: one.order.line, accepted: 2, goods: "scrap" }];
    const { body } = await step(one, { status: "refunded", items });
    expect(body.data).toMatchObject({ credited: totals.paid, refunded: totals.paid });
    expect((await orderOf(one)).totals).toMatchObject({ current: 0, due: 0 });
  });

  test("that comes back whole makes the order returned", async () => {
    const one = await aCase(toReceived, { quantity: 2 });
    const items = [{ id: one.order.line, accepted: 2, goods: "scrap" }];
    await step(one, { status: "refunded", items });
    const order = await orderOf(one);
    expect(order.status).toBe("returned");
    expect(await one.order.stock()).toMatchObject({ on_hand: 8, reserved: 0 });
  });

  test("is exchanged in one step: the difference is due, and the order is sent again", async () => {
    const one = await aCase(toReceived, { quantity: 2, wish: "exchange" });
    const lamp = await plantProduct(desk.table, { units: 3 });
    const items = [{ id: one.order.line, accepted: 2, goods: "restock" }];
    const add = [{ sku: lamp.sku, quantity: 1 }];
    const exchanged = await step(one, { status: "exchanged", items, add });
    expect(exchanged.status, exchanged.text).toBe(200);
    const order = await orderOf(one);
    const price = order.items[1]!.line_total;
    expect(order.status).toBe("shipped");
    expect(order.items[1]?.units).toMatchObject({ open: 1 });
    expect(await lamp.stock()).toMatchObject({ on_hand: 3, reserved: 1 });
    const paid = 2 * 1_000_000 + order.totals.shipping;
    expect(order.totals.current).toBe(price + order.totals.shipping);
    const refund = order.transactions.find(({ type }) => type === "refund");
    expect(refund?.state).toBe("succeeded");
    expect(await desk.refunded(one.order.payment)).toBe(1);
    expect(order.totals.due + paid - (refund?.amount ?? 0)).toBe(order.totals.current);
  });

  test("is exchanged for a sofa, which is made before it can be packed", async () => {
    const one = await aCase(toReceived, { wish: "exchange" });
    const { sofa } = await plantSofa(desk.table);
    await desk.table.write(put(Cards, aCard({ id: sofa.id, kind: "sofa", slug: sofa.slug })));
    const add = [{ sofa: sofa.id, configuration: {}, quantity: 1 }];
    const { status, text } = await step(one, { status: "exchanged", items: accepted(one), add });
    expect(status, text).toBe(200);
    expect((await orderOf(one)).items[1]).toMatchObject({
      sofa_id: sofa.id,
      made_to_order: true,
      ready_at: null,
      units: { open: 1 },
    });
  });

  test("refuses an exchange for what is not in stock", async () => {
    const one = await aCase(toReceived, { wish: "exchange" });
    const lamp = await plantProduct(desk.table, { units: 0 });
    const sent = {
      status: "exchanged",
      items: accepted(one),
      add: [{ sku: lamp.sku, quantity: 1 }],
    };
    const { status, body } = await step(one, sent);
    expect(status).toBe(409);
    expect(body.code).toBe("insufficient_stock");
    expect((await orderOf(one)).items[0]?.units).toMatchObject({ delivered: 2 });
  });

  test("takes a price below the day's for an exchange only from who may discount", async () => {
    const one = await aCase(toReceived, { wish: "exchange" });
    const lamp = await plantProduct(desk.table, { units: 3 });
    const add = [{ sku: lamp.sku, quantity: 1, unit_price: 1 }];
    const sent = { status: "exchanged", items: accepted(one), add };
    expect((await step(one, sent, orderDeskUser)).status).toBe(403);
    expect((await step(one, sent)).status).toBe(200);
  });

  test("keeps its state if `If-Match` names an earlier version of its order", async () => {
    const one = await aCase(["approved"]);
    const { version } = await orderOf(one);
    const path = `/admin/returns/${one.id}`;
    const matching = (of: number) =>
      manager.patch(path, { status: "received" }, { "if-match": `"v${of}"` });
    expect((await matching(version - 1)).status).toBe(412);
    expect((await matching(version)).status).toBe(200);
    // The step is done, whatever version its repeat names.
    expect((await matching(version)).status).toBe(200);
  });

  test("is refunded once by several concurrent calls, which wait for the gateway", async () => {
    const one = await aCase(toReceived);
    const about = one.order.payment;
    await desk.stripe.fail({ call: "refunds.create", about, fault: "slow", ms: 300 });
    const sent = { status: "refunded", items: accepted(one) };
    const replies = await Promise.all(Array.from({ length: 4 }, () => step(one, sent)));
    expect(tally(replies)).toEqual({ 200: 1, "409 in_progress": 3 });
    for (const { status, headers } of replies) {
      // The first call's claim ends after 20 seconds.
      if (status === 409) expect(headers.get("retry-after")).toMatch(/^(?:1\d|20)$/);
    }
    expect((await step(one, sent)).status).toBe(200);
    const order = await orderOf(one);
    expect(order.transactions.filter(({ type }) => type === "refund")).toMatchObject([
      { state: "succeeded" },
    ]);
    expect(await desk.refunded(about)).toBe(1);
    expect(order.items[0]?.units).toMatchObject({ came_back: 1 });
    expect(await one.order.stock()).toMatchObject({ on_hand: 9, reserved: 0 });
  });

  test("stays as it is if the gateway would refuse its refund; staff can refund in another way", async () => {
    const one = await aCase(toReceived);
    await desk.stripe.hold(one.order.id);
    await desk.stripe.dispute(one.order.payment);
    const before = await one.order.read();
    const sent = { status: "refunded", items: accepted(one) };
    const refused = await step(one, sent);
    expect([refused.status, refused.body.code]).toEqual([409, "payment_refused"]);
    expect(await one.order.read()).toEqual(before);
    const byHand = { ...sent, refund: { method: "bank_transfer", reference: "N1" } };
    expect((await step(one, byHand)).body.data).toMatchObject({ status: "refunded" });
    expect(await desk.refunded(one.order.payment)).toBe(0);
  });

  test("is refunded, and its refund has failed, if the gateway refuses it unforeseen", async () => {
    const one = await aCase(toReceived);
    const about = one.order.payment;
    await desk.stripe.fail({ call: "refunds.create", about, fault: "refused" });
    const sent = { status: "refunded", items: accepted(one) };
    for (const { status, body } of [await step(one, sent), await step(one, sent)]) {
      expect([status, body.data.status]).toEqual([200, "refunded"]);
    }
    const order = await orderOf(one);
    expect(order.transactions.filter(({ type }) => type === "refund")).toMatchObject([
      { state: "failed" },
    ]);
    expect(order).toMatchObject({
      payment_status: "overpaid",
      attention: [{ code: "refund_failed" }],
    });
    expect(await desk.refunded(about)).toBe(0);
  });

  test("moves on while its refund is open, which waits for a repeat or for the scheduled check", async () => {
    const one = await aCase(toReceived, { quantity: 2 });
    const about = one.order.payment;
    const fault = { call: "refunds.create", about, fault: "server_error", times: 2 } as const;
    await desk.stripe.fail(fault);
    const items = [{ id: one.order.line, accepted: 1, refused: 1 }];
    expect((await step(one, { status: "refunded", items })).status).toBe(200);
    await desk.stripe.heal(about);
    const refundOf = async () =>
      (await orderOf(one)).transactions.find(({ type }) => type === "refund")?.state;
    expect((await step(one, { sent_back: true })).status).toBe(200);
    expect(await refundOf()).toBe("pending");
    expect((await step(one, { sent_back: true })).status).toBe(200);
    expect(await refundOf()).toBe("succeeded");
    expect(await desk.refunded(about)).toBe(1);
  });

  test("keeps what its inspection found: another finding is refused, also by a concurrent inspection", async () => {
    const one = await aCase(toReceived);
    const found = { status: "inspected", items: accepted(one) };
    const other = { status: "inspected", items: [{ id: one.order.line, refused: 1 }] };
    const [first, second] = await Promise.all([step(one, found), step(one, other)]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]));
    const repeated = first.status === 200 ? found : other;
    expect((await step(one, repeated)).status).toBe(200);
  });

  test("that is closed without a refund leaves a surplus, which staff see", async () => {
    const one = await aCase(toReceived);
    const steps = [{ status: "inspected", items: accepted(one) }, { status: "closed" }];
    for (const body of steps) expect((await step(one, body)).status).toBe(200);
    const order = await orderOf(one);
    expect(order.payment_status).toBe("overpaid");
    expect(order.attention).toMatchObject([{ code: "overpaid" }]);
  });

  test("cannot take back what staff have taken back otherwise", async () => {
    const one = await aCase(toReceived, { quantity: 2 });
    const change = {
      take_back: [{ id: one.order.line, quantity: 1, goods: "restock" }],
      reason: "Brought to the shop",
    };
    await manager.post(`/admin/orders/${one.order.id}/changes`, change, aKey());
    const items = [{ id: one.order.line, accepted: 2 }];
    const { status, body } = await step(one, { status: "refunded", items });
    expect(status).toBe(422);
    expect(body.errors?.["items.0.accepted"]?.[0]).toContain("Only 1 of its units");
  });
});

test("a warranty sends parts free of charge, without anything coming back", async () => {
  const one = await aCase(["approved"], { kind: "warranty", wish: "repair" });
  const parts = [{ title: "Leg, oak", quantity: 2 }];
  const { status, text } = await step(one, { status: "repaired", parts }, orderDeskUser);
  expect(status, text).toBe(200);
  const order = await orderOf(one);
  expect(order.items[1]).toMatchObject({
    name: "Leg, oak",
    quantity: 2,
    line_total: 0,
    units: { open: 2 },
  });
  expect(order.totals.due).toBe(0);
  expect(order.status).toBe("shipped");
});

test("a step that the table does not have is refused with those that it has", async () => {
  const one = await aCase();
  const { status, body } = await step(one, { status: "received" });
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: "invalid_transition",
    details: { from: "requested", to: "received", allowed: ["approved", "declined", "cancelled"] },
  });
});

describe("a pickup", () => {
  const place = openPlaces(
    baseUrl,
    { put: (...sent) => manager.put(...sent) } as StaffClient,
    "orders",
  );
  const visitsOn = async (date: string) =>
    (await manager.get<Data<Delivery[]>>(`/admin/deliveries?date=${date}&zone=${zone}`)).body.data;
  const bookedAt = async (choice: { date: string; window: string }) =>
    (await desk.table.get(PlaceCounts, { zone, ...choice }))?.booked ?? 0;

  test("is a visit of the day's run and takes one of its places, until it is cancelled", async () => {
    const choice = await place(1);
    const one = await aCase(["approved"]);
    const planned = await step(one, { status: "pickup_scheduled", pickup: choice });
    expect(planned.status, planned.text).toBe(200);
    expect(planned.body.data.pickup).toMatchObject({ ...choice, zone });
    expect(await visitsOn(choice.date)).toMatchObject([
      {
        kind: "pickup",
        return: one.id,
        state: "planned",
        order: { id: one.order.id },
        items: [{ sku: one.order.sku, quantity: 1 }],
        to_collect: 0,
      },
    ]);
    expect(await bookedAt(choice)).toBe(1);

    const other = await aCase(["approved"]);
    const taken = await step(other, { status: "pickup_scheduled", pickup: choice });
    expect(taken.body.code).toBe("slot_taken");

    expect((await step(one, { status: "cancelled" })).status).toBe(200);
    expect(await visitsOn(choice.date)).toEqual([]);
    expect(await bookedAt(choice)).toBe(0);
  });

  test("moves to another day, and stays in the run when the goods have arrived", async () => {
    const [first, second] = [await place(1), await place(1)];
    const one = await aCase(["approved"]);
    await step(one, { status: "pickup_scheduled", pickup: first });
    const moved = await step(one, { status: "pickup_scheduled", pickup: second });
    expect(moved.body.data.pickup).toMatchObject(second);
    expect([await bookedAt(first), await bookedAt(second)]).toEqual([0, 1]);
    expect(await visitsOn(first.date)).toEqual([]);
    await step(one, { status: "received" });
    expect(await visitsOn(second.date)).toMatchObject([{ kind: "pickup", state: "delivered" }]);
    expect(await bookedAt(second)).toBe(1);
  });

  test("brings back what was not accepted, as another visit, until the buyer has it", async () => {
    const [first, second] = [await place(1), await place(1)];
    const one = await aCase(toReceived);
    const refused = [{ id: one.order.line, refused: 1 }];
    const early = await step(one, { send_back: first });
    expect(early.body.errors).toHaveProperty("send_back");
    const closed = await step(one, { status: "closed", items: refused, send_back: first });
    expect(closed.status, closed.text).toBe(200);
    expect(closed.body.data).toMatchObject({ send_back: { ...first, zone }, sent_back_at: null });
    expect(await visitsOn(first.date)).toMatchObject([
      {
        kind: "send_back",
        return: one.id,
        state: "planned",
        items: [{ sku: one.order.sku, quantity: 1 }],
        to_collect: 0,
      },
    ]);
    expect(await bookedAt(first)).toBe(1);

    const again = await step(one, { status: "closed", send_back: first });
    expect([again.status, again.body.data.version]).toEqual([200, closed.body.data.version]);
    expect(await bookedAt(first)).toBe(1);

    const moved = await step(one, { send_back: second });
    expect(moved.body.data.send_back).toMatchObject(second);
    expect([await bookedAt(first), await bookedAt(second)]).toEqual([0, 1]);
    expect(await visitsOn(first.date)).toEqual([]);

    const done = await step(one, { sent_back: true });
    expect(done.body.data.sent_back_at).not.toBeNull();
    expect(await visitsOn(second.date)).toMatchObject([{ kind: "send_back", state: "delivered" }]);
    const { version } = done.body.data;
    expect((await step(one, { sent_back: true })).body.data.version).toBe(version);
    expect((await step(one, {})).body.errors).toHaveProperty("status");
    expect((await orderOf(one)).items[0]?.units).toMatchObject({ delivered: 2, came_back: 0 });
  });
});
