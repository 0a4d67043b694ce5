import { describe, expect, test } from "vitest";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { expireOrder } from "#shared/domain/order/status/order-timers-after.ts";
import { deliveriesOf } from "#shared/domain/order/shipment/delivery-run.ts";
import { changeOf } from "#shared/domain/order/order-change.ts";
import { changed } from "#shared/domain/order/order-step.ts";
import { earliestDayOf, releaseOrderSlot } from "#shared/domain/order/edit/order-slot.ts";
import { orderForTracking } from "#shared/domain/order/view/order-view.ts";
import type { OrderRecord, StoredOrder, Shipment } from "#shared/domain/order/order.ts";
import {
  mayChangeSlot,
  mayChooseSlot,
  mayPlanSlot,
  runZoneOfOrder,
} from "#shared/domain/order/edit/slot-choice.ts";
import { anAddress, noon, anId } from "#test/support/shop/commerce.ts";
import { aChange, aDeposit, aRecord, aShipment } from "#test/support/shop/order-record.ts";
import { aSlot, aSlotShop, aSlotZone } from "#test/support/shop/settings.ts";

const shop = aSlotShop();
const confirm_by = noon.toISOString();
const later = (ms: number) => new Date(noon.getTime() + ms);
const booked = { ...aSlot(), confirm_by, has_left: false };
const shipping = { ...aRecord().order.shipping, zone: "city", method: "standard" as const };
const anOrder = (order: Partial<StoredOrder> = {}, rows: Partial<OrderRecord["rows"]> = {}) =>
  aRecord({ slot: booked, offers_slot: true, shipping, ...order }, rows);
const confirm = (record: OrderRecord, now: Date) =>
  changeOf(record, { set: { status: "confirmed", expires_at: null } }, now);
const typesOf = ({ entries }: { entries: readonly { type: string }[] }) =>
  entries.map(({ type }) => type);
const asks = ({ events }: { events: readonly { type: string }[] }) =>
  events.some(({ type }) => type === "order_choose_slot");

describe("an order that is not confirmed by the cut-off", () => {
  const pending = anOrder({
    status: "pending_payment",
    updated_at: later(-1_000).toISOString(),
  });

  test("loses its slot then, and not before", () => {
    expect(releaseOrderSlot(pending, later(-1))).toBeUndefined();
    expect(releaseOrderSlot(pending, noon)?.order.slot).toBeNull();
    expect(releaseOrderSlot(anOrder({ status: "confirmed" }), noon)).toBeUndefined();
  });

  test("is confirmed without its slot by a payment that comes before the scheduled check, and its buyer is asked to choose", () => {
    const change = confirm(pending, noon);
    expect(change.order).toMatchObject({ status: "confirmed", slot: null });
    expect([typesOf(change), asks(change)]).toEqual([["slot_released"], true]);
    const inTime = confirm(pending, later(-1));
    expect([inTime.order.slot, asks(inTime)]).toEqual([booked, false]);
  });

  test("is confirmed without its slot by a payment that comes after it was released or expired", () => {
    const released = changed(pending, releaseOrderSlot(pending, noon)!);
    expect(asks(confirm(released, later(1_000)))).toBe(true);
    const unpaid = anOrder({ status: "pending_payment", expires_at: confirm_by });
    const expired = changed(unpaid, expireOrder(unpaid, noon)!);
    expect(expired.order).toMatchObject({ status: "expired", slot: null });
    expect(asks(confirm(expired, later(1_000)))).toBe(true);
  });
});

test("an order gives its slot up when it is cancelled or comes back before it has arrived", () => {
  const context = { now: noon, newTransactionId: () => "txn_1" };
  const cancelled = cancelOrder(anOrder({ status: "confirmed" }), "customer", context);
  expect(cancelled).toMatchObject({ kind: "cancelled", change: { order: { slot: null } } });
  const failed = aShipment({ status: "returned_to_origin" });
  const came_back = failed.items.map((item) => ({ ...item, undelivered: true }));
  const back = (slot: StoredOrder["slot"]) =>
    changeOf(anOrder({ status: "shipped", slot }, { shipments: [failed] }), { came_back }, noon);
  expect(back(booked).order).toMatchObject({ status: "returned", slot: null });
  // The place of a van that has left stays used.
  const left = { ...booked, has_left: true };
  expect(back(left).order).toMatchObject({ status: "returned", slot: left });
});

describe("a slot of an order", () => {
  const may = (record: OrderRecord, now = noon) => [
    mayChooseSlot(record, shop),
    mayChangeSlot(record, shop, now),
    mayPlanSlot(record),
  ];
  const items = aRecord().order.items.map((item) => ({ ...item, made_to_order: true }));

  test("that is made to order can be chosen when the order is ready and its balance is paid, waived or paid on delivery", () => {
    const sofa = { slot: null, items, deposit: aDeposit(), paid: 200 };
    const ready = { ...sofa, status: "ready_to_dispatch" as const };
    const total = aRecord().order.totals.grand_total;
    const waiver = { by: "stf_1", reason: "Regular", at: confirm_by };
    expect(may(anOrder({ ...sofa, status: "in_production" }))).toEqual([false, false, true]);
    expect(may(anOrder(ready))).toEqual([false, false, true]);
    expect(may(anOrder({ ...ready, paid: total }))).toEqual([true, false, true]);
    expect(may(anOrder({ ...ready, deposit: aDeposit(), waiver }))).toEqual([true, false, true]);
    expect(may(anOrder({ ...ready, payment_method: "cod" }))).toEqual([true, false, true]);
  });

  test("can be changed until some hours before it, by the store's clock", () => {
    const start = new Date("2026-11-24T03:30:00Z").getTime();
    const day = 86_400_000;
    const record = anOrder({ status: "confirmed" });
    expect(may(record, new Date(start - day - 1))).toEqual([false, true, true]);
    expect(may(record, new Date(start - day))).toEqual([false, false, true]);
  });

  test("can be chosen again after a failed delivery, and not while the goods are on their way", () => {
    const sent = (status: "out_for_delivery" | "delivery_failed") =>
      anOrder(
        { status: "shipped", slot: null },
        { shipments: [aShipment({ status, dispatched_at: confirm_by })] },
      );
    expect(may(sent("out_for_delivery"))).toEqual([false, false, false]);
    expect(may(sent("delivery_failed"))).toEqual([true, false, true]);
  });

  test("cannot be chosen before payment, after the end, or where the shop has no slots any more", () => {
    for (const status of ["pending_payment", "expired", "cancelled", "delivered"] as const) {
      expect(may(anOrder({ status, slot: null }))).toEqual([false, false, false]);
    }
    const confirmed = anOrder({ status: "confirmed", slot: null });
    expect(mayChooseSlot(confirmed, aSlotShop({ zones: {} }))).toBe(false);
    expect(mayChooseSlot(confirmed, aSlotShop({ enabled: false }))).toBe(false);
  });

  test("is in a run of its zone by any method for staff, unless the buyer collects it", () => {
    const by = (method: StoredOrder["shipping"]["method"], zone = "city") =>
      anOrder({ shipping: { ...shipping, method, zone } }).order;
    const others = aSlotShop({ methods: ["room_of_choice"] });
    expect(mayChooseSlot({ ...anOrder(), order: by("standard") }, others)).toBe(false);
    expect(runZoneOfOrder(by("standard"), others)?.code).toBe("city");
    expect(runZoneOfOrder(by("room_of_choice"), others)?.code).toBe("city");
    expect(runZoneOfOrder(by("pickup"), others)).toBeNull();
    expect(runZoneOfOrder(by("standard", "elsewhere"), others)).toBeNull();
    expect(runZoneOfOrder(by("standard"), aSlotShop({ enabled: false }))).toBeNull();
  });

  test("is no earlier than its goods, unless they are ready", () => {
    const slow = aRecord().order.items.map((item) => ({
      ...item,
      lead_time: { min_days: 1, max_days: 9 },
    }));
    const of = (status: StoredOrder["status"], placed_at = noon.toISOString()) =>
      earliestDayOf(anOrder({ status, items: slow, placed_at }).order, aSlotZone(), shop, noon);
    expect(of("confirmed")).toBe("2026-11-30");
    // As in the cart, the days count from tomorrow after the cut-off.
    expect(of("confirmed", "2026-11-20T11:30:01Z")).toBe("2026-11-30");
    expect(of("confirmed", "2026-11-20T11:30:00Z")).toBe("2026-11-29");
    expect(of("ready_to_dispatch")).toBe("2026-11-23");
  });

  test("is shown to anybody who tracks the order, without its zone", () => {
    const tracked = orderForTracking(anOrder({ status: "confirmed" }), null);
    const { date, label, from, to } = aSlot();
    expect(tracked.slot).toEqual({ date, label, from, to });
    expect(orderForTracking(anOrder({ slot: null }), null).slot).toBeNull();
  });
});

describe("the day's run", () => {
  const total = aRecord().order.totals.grand_total;
  const collected = (order: Partial<StoredOrder>) =>
    deliveriesOf(anOrder(order), booked).map(({ to_collect }) => to_collect);

  test("collects what is paid on delivery: an order, or a balance", () => {
    expect(collected({ payment_method: "cod" })).toEqual([total]);
    expect(collected({ payment_method: "cod", deposit: aDeposit(), paid: 200 })).toEqual([
      total - 200,
    ]);
    expect(collected({ payment_method: "bank_transfer", paid: total })).toEqual([0]);
    const inParts = { deposit: aDeposit(), paid: 200 };
    expect(collected({ payment_method: "bank_transfer", ...inParts })).toEqual([0]);
  });

  test("has the address with its access, and every package of all units", () => {
    const access = { floor: 3, lift: false, notes: "Gate 2, ring Rao" };
    const { addresses, items } = anOrder().order;
    const parcels = [
      { weight_g: 30_000, volume_cm3: 900_000 },
      { weight_g: 4_000, volume_cm3: 60_000 },
    ];
    const [delivery] = deliveriesOf(
      anOrder({
        addresses: { ...addresses, shipping: anAddress({ access }) },
        items: items.map((item) => ({ ...item, quantity: 2, parcels })),
      }),
      booked,
    );
    expect(delivery).toMatchObject({ address: { access }, parcel_count: 4, weight_g: 68_000 });
    expect(delivery?.items).toMatchObject([{ sku: items[0]!.sku, quantity: 2, parcels }]);
  });

  const lines = [{ quantity: 3, line_total: 3_000 }];
  const shipped = (order: Partial<StoredOrder>, rows: Partial<OrderRecord["rows"]>) =>
    aRecord({ slot: booked, status: "shipped", payment_method: "cod", ...order }, rows, lines);
  const place = { ...aSlot(), window: aSlot().window };
  const runOf = (record: OrderRecord) =>
    deliveriesOf(record, place).map(({ state, items, to_collect }) => [
      state,
      items.map(({ quantity }) => quantity),
      to_collect,
    ]);
  const sentWith = (quantity: number, overrides: Partial<Shipment> = {}) =>
    aShipment({
      status: "out_for_delivery",
      items: [{ id: anId("line", 1), quantity }],
      slot: aSlot(),
      dispatched_at: confirm_by,
      ...overrides,
    });
  const totals = { ...aRecord().order.totals, shipping: 0, grand_total: 3_000 };

  test("has a visit for what has left and one for what is still to come, which share the cash", () => {
    const record = shipped({ totals }, { shipments: [sentWith(1)] });
    expect(runOf(record)).toEqual([
      ["on_the_way", [1], 1_000],
      ["planned", [2], 2_000],
    ]);
    const later = shipped(
      { totals, slot: { ...booked, date: "2026-12-30" } },
      { shipments: [sentWith(1)] },
    );
    expect(runOf(later)).toEqual([["on_the_way", [1], 1_000]]);
  });

  test("shows neither what was delivered on another day nor what was taken off", () => {
    const early = sentWith(1, { status: "delivered", slot: null });
    const off = aChange({ taken_off: [{ id: anId("line", 1), quantity: 1 }] });
    const record = shipped({ totals }, { shipments: [early], changes: [off] });
    expect(runOf(record).map(([, items]) => items)).toEqual([[1]]);
  });

  test("names the packed units once some are packed", () => {
    const packed = sentWith(2, { status: "packed", slot: null, dispatched_at: null });
    const record = shipped({ totals, status: "ready_to_dispatch" }, { shipments: [packed] });
    expect(runOf(record).map(([, items]) => items)).toEqual([[2]]);
  });
});

test("a slot in which everything has arrived is not that of units that are added later", () => {
  const { order } = aRecord();
  const [line] = order.items;
  const left = { ...booked, has_left: true };
  const arrived = aShipment({
    status: "delivered",
    dispatched_at: confirm_by,
    delivered_at: confirm_by,
    items: [{ id: line!.id, quantity: line!.quantity }],
    slot: aSlot(),
  });
  const record = anOrder({ status: "delivered", slot: left }, { shipments: [arrived] });
  const noted = changeOf(record, { set: { notes: "Kind people" } }, noon);
  expect(noted.order.slot).toEqual(left);
  const added = [{ ...line!, id: anId("line", 9), change_id: anId("chg") }];
  const change = changeOf(record, { added, changeId: anId("chg") }, noon);
  expect(change.order).toMatchObject({ status: "shipped", slot: null });
});
