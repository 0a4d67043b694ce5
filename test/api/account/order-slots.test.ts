import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { dayIn, plusDays } from "#shared/domain/base/day.ts";
import type { DeliverySlot } from "#shared/domain/delivery/delivery-slot.ts";
import type { SlotCalendar } from "#shared/domain/delivery/slot-calendar.ts";
import type { PlannedDay } from "#shared/domain/delivery/planned-day.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { Delivery } from "#shared/domain/order/shipment/delivery-run.ts";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import { DeliveryDays, PlaceCounts } from "#shared/storage/delivery/delivery-places.ts";
import { scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { put, update } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import { type Data, aPerson } from "#test/support/shop/shopping.ts";
import { type Choice, aSlotShopper, bySlot, openPlaces, zone } from "#test/support/shop/slots.ts";
import { waitFor, waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, inbox, stripe, staffAs } = await useShop({
  effects: ["due-orders", "mail"],
});

const staff = await staffAs("owner");
const { sku } = await plantProduct(table, { units: 100 });

type One = Data<Order> & Problem & { details: { alternatives: DeliverySlot[] } };
type Staffs = Data<AdminOrder> & Problem;

const open = openPlaces(baseUrl, staff, "orders");
const aPlace = (capacity = 1) => open(capacity, "afternoon");
const countOf = (choice: Choice) => table.get(PlaceCounts, { zone, ...choice });
const bookedAt = async (choice: Choice) => (await countOf(choice))?.booked ?? 0;

interface SlotOrder {
  readonly id: string;
  readonly email: string;
  readonly placed: Order;
  /** The client secret of the gateway payment; empty without one. */
  readonly secret: string;
  read(): Promise<Order>;
  calendar(): Promise<SlotCalendar>;
  choose(choice: Choice): Promise<{ status: number; body: One }>;
  patch(body: object): Promise<{ status: number; body: Staffs }>;
  receive(amount: number): Promise<void>;
}

/** A guest's order with a delivery for which slots exist. */
async function anOrder(
  { items = [{ sku, quantity: 1 }], slot }: { items?: readonly object[]; slot?: Choice } = {},
  overrides: Record<string, unknown> = {},
): Promise<SlotOrder> {
  const shopper = await aSlotShopper(baseUrl, table, items);
  if (slot) {
    const reply = await shopper.hold(slot);
    if (reply.status !== 200) throw new Error(reply.text);
  }
  const { email, phone } = aPerson();
  const asked = { ...bySlot, email, phone, payment_method: "cod", ...overrides };
  const { status, body, text } = await shopper.checkOut(asked);
  if (status !== 201) throw new Error(text);
  const { order, order_access_token, payment } = body.data;
  const { id } = order;
  const { action } = payment;
  const proof = { "x-order-token": order_access_token ?? "" };
  return {
    id,
    email,
    placed: order,
    secret: action.type === "stripe_payment_intent" ? action.client_secret : "",
    read: async () => (await clientOf(baseUrl).get<One>(`/orders/${id}`, proof)).body.data,
    calendar: async () =>
      (await clientOf(baseUrl).get<Data<SlotCalendar>>(`/orders/${id}/slots`, proof)).body.data,
    choose: (choice) => clientOf(baseUrl).put<One>(`/orders/${id}/slot`, choice, proof),
    patch: (sent) => staff.patch<Staffs>(`/admin/orders/${id}`, sent),
    async receive(amount) {
      const payment = { amount, method: "bank_transfer", reference: `UTR ${amount} ${id}` };
      const key = { "idempotency-key": randomUUID() };
      const reply = await staff.post(`/admin/orders/${id}/payments`, payment, key);
      if (reply.status !== 201) throw new Error(reply.text);
    },
  };
}

/** A sofa that is made to order, ready to dispatch, with its deposit paid. */
async function readySofa(): Promise<SlotOrder> {
  const { sofa } = await plantSofa(table, { base_price: 6_500_000 });
  const items = [{ sofa: sofa.slug, configuration: {}, quantity: 1 }];
  const payment = { payment_method: "bank_transfer", payment_plan: "deposit" };
  const order = await anOrder({ items }, payment);
  await order.receive(order.placed.payment_schedule[0]!.amount);
  for (const status of ["in_production", "ready_to_dispatch"]) await order.patch({ status });
  return order;
}

const asksToChoose = ({ subject }: { subject: string }) =>
  subject.startsWith("When may we deliver");

describe("an order that is made first", () => {
  test("gets its slot when it is ready and paid: a letter asks for it, and its buyer chooses and changes it", async () => {
    const [place, other] = [await aPlace(), await aPlace()];
    const order = await readySofa();
    expect(order.placed).toMatchObject({
      slot: null,
      allowed_actions: expect.not.arrayContaining(["choose_slot"]),
    });
    expect((await order.choose(place)).body).toMatchObject({
      code: "order_locked",
      details: { reason: "not_ready" },
    });
    expect((await order.calendar()).zone).toBeNull();
    await order.receive((await order.read()).totals.due);
    const letter = await inbox.waitFor(order.email, asksToChoose);
    expect(letter.body.text).toContain(`/orders/${order.id}#token=`);
    expect((await order.read()).allowed_actions).toEqual(["choose_slot"]);
    const { days: open, zone: where } = await order.calendar();
    expect([where, open.some(({ date }) => date === place.date)]).toEqual([zone, true]);

    const chosen = await order.choose(place);
    expect([chosen.status, chosen.body.data.slot]).toEqual([
      200,
      { ...place, zone, label: "Afternoon", from: "13:00", to: "18:00" },
    ]);
    expect(chosen.body.data.allowed_actions).toEqual(["change_slot"]);
    expect((await order.choose(place)).body.data.version).toBe(chosen.body.data.version);
    expect((await order.choose(other)).body.data.slot).toMatchObject(other);
    expect([await bookedAt(place), await bookedAt(other)]).toEqual([0, 1]);
  });

  test("cannot take a place that another order has, and is offered the next free ones", async () => {
    const place = await aPlace();
    await anOrder({ slot: place });
    const order = await readySofa();
    await order.receive((await order.read()).totals.due);
    const { status, body } = await order.choose(place);
    expect([status, body.code]).toEqual([409, "slot_taken"]);
    expect(body.details.alternatives).toHaveLength(3);
  });
});

test("two orders that choose the last place at the same time get it once", async () => {
  const place = await aPlace();
  const orders = await Promise.all([anOrder(), anOrder(), anOrder()]);
  const replies = await Promise.all(orders.map(({ choose }) => choose(place)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(await bookedAt(place)).toBe(1);
});

test("a slot can be changed until some hours before it", async () => {
  const order = await anOrder({ slot: await aPlace() });
  expect(order.placed.allowed_actions).toContain("change_slot");
  const today = dayIn("Asia/Kolkata", new Date());
  const soon = [today, plusDays(today, 1)].find(
    (day) => new Date(`${day}T00:00:00Z`).getUTCDay() !== 0,
  )!;
  const planned = await order.patch({ slot: { date: soon, window: "afternoon" } });
  expect([planned.status, planned.body.data.slot?.date]).toEqual([200, soon]);
  expect((await order.read()).allowed_actions).not.toContain("change_slot");
  const { status, body } = await order.choose(await aPlace());
  expect([status, body]).toMatchObject([
    409,
    { code: "order_locked", details: { reason: "too_late" } },
  ]);
  await inbox.waitFor(order.email, ({ subject }) =>
    subject.startsWith("The delivery of your order"),
  );
});

describe("an unpaid order", () => {
  /** Lets the time pass by which the order had to be confirmed. */
  async function waitTooLong({ id }: SlotOrder, set: Record<string, string>): Promise<void> {
    const past = new Date(Date.now() - 1_000).toISOString();
    await table.transact([
      update(
        Orders,
        { id },
        { set: Object.fromEntries(Object.keys(set).map((name) => [name, past])) },
      ),
      scheduleCheck(id, past),
    ]);
  }

  test("loses its slot at the time by which it had to be confirmed; a later payment confirms it without one, and a letter asks for another", async () => {
    const place = await aPlace();
    const order = await anOrder({ slot: place }, { payment_method: "bank_transfer" });
    await waitTooLong(order, { "slot.confirm_by": "" });
    await waitFor("due-orders", async () => expect((await order.read()).slot).toBeNull());
    expect(await bookedAt(place)).toBe(0);
    expect((await order.read()).status).toBe("pending_payment");
    await order.receive(order.placed.totals.grand_total);
    const after = await order.read();
    expect(after).toMatchObject({ status: "confirmed", slot: null });
    expect(after.allowed_actions).toContain("choose_slot");
    await inbox.waitFor(order.email, asksToChoose);
    expect((await order.choose(place)).status).toBe(200);
  });

  test("that is paid online after that time is confirmed without its slot, before the scheduled check", async () => {
    const place = await aPlace();
    const order = await anOrder({ slot: place }, { payment_method: "gateway" });
    const past = new Date(Date.now() - 1_000).toISOString();
    await table.write(update(Orders, order, { set: { "slot.confirm_by": past } }));
    await stripe.pay(order.secret);
    await waitUntil(async () =>
      expect(await order.read()).toMatchObject({ status: "confirmed", slot: null }),
    );
    expect(await bookedAt(place)).toBe(0);
  });

  test("frees its place when it expires", async () => {
    const place = await aPlace();
    const order = await anOrder({ slot: place }, { payment_method: "bank_transfer" });
    await waitTooLong(order, { expires_at: "" });
    await waitFor("due-orders", async () => expect((await order.read()).status).toBe("expired"));
    expect(await bookedAt(place)).toBe(0);
  });
});

describe("staff", () => {
  const run = async (date: string, query = "") =>
    (await staff.get<Data<Delivery[]>>(`/admin/deliveries?date=${date}${query}`)).body.data;

  test("see the day's run with address, packages and the cash to collect", async () => {
    const place = await aPlace(2);
    const paid = await anOrder({ slot: place }, { payment_method: "bank_transfer" });
    await paid.receive(paid.placed.totals.grand_total);
    const cash = await anOrder(
      { slot: place, items: [{ sku, quantity: 2 }] },
      { note: "Ring twice." },
    );
    const found = await run(place.date, `&zone=${zone}`);
    expect(found).toHaveLength(2);
    const [one, two] = [paid, cash].map(({ id }) => found.find(({ order }) => order.id === id));
    expect(one).toMatchObject({
      to_collect: 0,
      slot: place,
      address: { line1: "4 Church Street" },
    });
    expect(two).toMatchObject({
      to_collect: cash.placed.totals.grand_total,
      note: "Ring twice.",
      parcel_count: 2,
    });
    expect(await run(place.date, "&zone=metro")).toEqual([]);
    await cash.patch({ status: "cancelled" });
    expect((await run(place.date)).map(({ order }) => order.id)).toEqual([paid.id]);
  });

  test("lower a day's capacity or close it: its bookings stay, and it is named over-booked", async () => {
    const place = await aPlace(2);
    const orders = [await anOrder({ slot: place }), await anOrder({ slot: place })];
    const path = `/admin/delivery-days/${zone}/${place.date}`;
    const day = await staff.get<Data<PlannedDay>>(path);
    expect(day.body.data).toMatchObject({ version: 1, over_booked: [] });
    const lowered = await staff.put<Data<PlannedDay>>(path, { capacities: { afternoon: 1 } });
    expect(lowered.body.data).toMatchObject({ over_booked: ["afternoon"], version: 2 });
    const again = await staff.put<Data<PlannedDay>>(path, { capacities: { afternoon: 1 } });
    expect(again.body.data.version).toBe(2);
    const closed = await staff.put<Data<PlannedDay>>(
      path,
      { closed: true },
      { "if-match": '"v2"' },
    );
    expect(closed.body.data).toMatchObject({ closed: true, over_booked: ["afternoon"] });
    expect((await staff.put(path, {}, { "if-match": '"v2"' })).status).toBe(412);
    for (const order of orders) expect((await order.read()).slot).toMatchObject(place);
    expect((await staff.put(path, { capacities: { night: 1 } })).status).toBe(422);
    expect((await staff.get(`/admin/delivery-days/hills/${place.date}`)).status).toBe(404);
  });

  test("change no day that has passed or on which the zone does not deliver, but can undo what they changed", async () => {
    const read = (path: string) => staff.get<Data<PlannedDay>>(path);
    const today = dayIn("Asia/Kolkata", new Date());
    const [past, closed] = [plusDays(today, -1), "2030-06-02"];
    for (const date of [past, closed]) {
      const path = `/admin/delivery-days/${zone}/${date}`;
      const before = (await read(path)).body.data;
      for (const body of [{ closed: true }, { capacities: { morning: 4 } }]) {
        const { status, body: refusal } = await staff.put<Problem>(path, body);
        const sentence = date === past ? "The day has passed." : "weekdays or closed days";
        expect([status, refusal.errors]).toEqual([
          422,
          { date: [expect.stringContaining(sentence)] },
        ]);
      }
      expect((await staff.put<Data<PlannedDay>>(path, before)).body.data).toEqual(before);
      // As if staff had closed the day before it passed, and before the settings changed.
      await table.write(
        put(DeliveryDays, { zone, date, closed: true, capacities: {}, version: 1 }),
      );
      expect((await staff.put<Data<PlannedDay>>(path, {})).body.data).toEqual({
        ...before,
        version: 2,
      });
    }
  });

  test("plan an order by standard delivery into a run, whose buyer cannot choose, and take it out again", async () => {
    const place = await aPlace();
    const order = await anOrder({}, { shipping_method: "standard" });
    expect((await order.choose(place)).status).toBe(409);
    const { status, body } = await order.patch({ slot: place });
    expect(status).toBe(200);
    expect(body.data.slot).toMatchObject({ ...place, zone });
    expect(await bookedAt(place)).toBe(1);
    expect(await run(place.date)).toMatchObject([
      {
        order: { id: order.id },
        state: "planned",
        method: "standard",
        to_collect: order.placed.totals.grand_total,
      },
    ]);
    const planned = await order.read();
    expect(planned.slot).toMatchObject(place);
    expect(planned.allowed_actions).not.toContain("change_slot");

    await order.patch({ slot: null });
    expect(await run(place.date)).toEqual([]);
    expect(await bookedAt(place)).toBe(0);
    const { timeline, allowed_actions } = await order.read();
    expect(timeline.at(-1)?.message).toBe("We have to plan your delivery anew.");
    expect(allowed_actions).not.toContain("choose_slot");
  });

  test("take a slot back, and a letter asks the buyer to choose", async () => {
    const place = await aPlace();
    const order = await anOrder({ slot: place });
    const { body } = await order.patch({ slot: null });
    expect(body.data.slot).toBeNull();
    expect(await bookedAt(place)).toBe(0);
    await inbox.waitFor(order.email, asksToChoose);
    const both = await order.patch({ slot: place, status: "ready_to_dispatch" });
    expect(both.body.errors).toHaveProperty("slot");
  });

  test("send what was not refunded on the order's day: run and shipment name it, and a failed delivery asks for another slot", async () => {
    const place = await aPlace();
    const items = [{ sku, quantity: 2 }];
    const order = await anOrder({ slot: place, items }, { payment_method: "bank_transfer" });
    await order.receive(order.placed.totals.grand_total);
    const key = { "idempotency-key": randomUUID() };
    const one = { items: [{ id: order.placed.items[0]!.id, quantity: 1 }], reason: "One too many" };
    expect((await staff.post(`/admin/orders/${order.id}/refunds`, one, key)).status).toBe(201);
    expect(await run(place.date)).toMatchObject([
      { state: "planned", shipment: null, items: [{ quantity: 1 }], to_collect: 0 },
    ]);
    await order.patch({ status: "ready_to_dispatch" });
    const path = `/admin/orders/${order.id}/shipments`;
    const made = await staff.post<Data<{ shipment: { id: string } }>>(path, {});
    const { id } = made.body.data.shipment;
    const move = (status: string) => staff.patch(`${path}/${id}`, { status });
    for (const status of ["packed", "out_for_delivery"]) {
      expect((await move(status)).status).toBe(200);
    }
    expect(await run(place.date)).toMatchObject([
      { state: "on_the_way", shipment: id, items: [{ quantity: 1 }] },
    ]);
    expect((await order.read()).shipments).toMatchObject([{ slot: place }]);
    await move("delivery_failed");
    const after = await order.read();
    expect([after.slot, after.allowed_actions]).toEqual([
      null,
      expect.arrayContaining(["choose_slot"]),
    ]);
    await inbox.waitFor(order.email, asksToChoose);
    const next = await aPlace();
    expect((await order.choose(next)).status).toBe(200);
    await move("out_for_delivery");
    expect((await order.read()).shipments).toMatchObject([{ slot: next }]);
  });

  test("take off what is left of an order on its way: the place for its second visit is free again", async () => {
    const second = await aPlace();
    // The morning of the same day, because the calendar has few days.
    const first = { ...second, window: "morning" };
    const items = [{ sku, quantity: 2 }];
    const order = await anOrder({ slot: first, items }, { payment_method: "bank_transfer" });
    await order.receive(order.placed.totals.grand_total);
    await order.patch({ status: "ready_to_dispatch" });
    const one = [{ id: order.placed.items[0]!.id, quantity: 1 }];
    const path = `/admin/orders/${order.id}`;
    const made = await staff.post<Data<{ shipment: { id: string } }>>(`${path}/shipments`, {
      items: one,
    });
    for (const status of ["packed", "out_for_delivery"]) {
      const moved = await staff.patch(`${path}/shipments/${made.body.data.shipment.id}`, {
        status,
      });
      expect(moved.status, moved.text).toBe(200);
    }
    expect((await order.choose(second)).status).toBe(200);
    const visits = async () => (await run(second.date)).map(({ state }) => state).toSorted();
    expect([await bookedAt(second), await visits()]).toEqual([1, ["on_the_way", "planned"]]);

    const key = { "idempotency-key": randomUUID() };
    const changed = await staff.post(
      `${path}/changes`,
      { take_off: one, reason: "Not needed" },
      key,
    );
    expect(changed.status, changed.text).toBe(200);
    expect((await order.read()).slot).toBeNull();
    expect([await bookedAt(second), await visits()]).toEqual([0, ["on_the_way"]]);
    expect(await bookedAt(first)).toBe(1);
  });
});
