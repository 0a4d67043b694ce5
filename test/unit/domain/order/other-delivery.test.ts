import { describe, expect, test } from "vitest";
import { ChangeInput } from "#shared/domain/order/change/change-input.ts";
import { planChange } from "#shared/domain/order/change/plan-change.ts";
import { planDelivery } from "#shared/domain/order/change/other-delivery.ts";
import type { OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import {
  aMethod,
  aZone,
  anId,
  noon,
  someSettings,
  someShipping,
} from "#test/support/shop/commerce.ts";
import { aCharge, aMoneyContext, aRecord } from "#test/support/shop/order-record.ts";
import { aSlot, someSlots } from "#test/support/shop/settings.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";

const upTo = (max_weight_g: number, amount: number) => ({
  max_weight_g,
  max_volume_cm3: null,
  amount,
});
const settings = someSettings({
  shipping: {
    ...someShipping([
      aZone({
        methods: [
          aMethod(),
          aMethod({
            code: "white_glove",
            label: "White glove",
            includes: ["Assembly"],
            transit_days: { min: 3, max: 5 },
            free_above: 50_000,
            bands: [upTo(30_000, 1_180), upTo(60_000, 2_360)],
          }),
        ],
      }),
    ]),
    slots: {
      ...defaultSettings.shipping.slots,
      enabled: true,
      methods: ["white_glove"],
      zones: { south: someSlots() },
    },
  },
});

const dayMs = 86_400_000;
const placed_at = new Date(noon.getTime() - 10 * dayMs).toISOString();

/** An order of two chairs of 20 kg each, which need 14 to 21 days, placed ten days ago. */
function aPlaced(order: Partial<StoredOrder> = {}, line: object = {}): OrderRecord {
  const record = aRecord({ status: "confirmed", placed_at, ...order }, {}, [
    { quantity: 2, line_total: 10_000 },
  ]);
  const items = record.order.items.map((item) => ({
    ...item,
    line_subtotal: 10_000,
    line_discount: 0,
    lead_time: { min_days: 14, max_days: 21 },
    parcels: [{ weight_g: 20_000, volume_cm3: 1_000 }],
    ...line,
  }));
  return { ...record, order: { ...record.order, items } };
}

const plan = (record: OrderRecord, input: object, units = {}) =>
  planDelivery(record, ChangeInput.parse({ reason: "-", ...input }), {
    units,
    settings,
    now: noon,
  });
const byGlove = { shipping_method: "white_glove" };
const one = (record: OrderRecord) => [{ id: record.order.items[0]!.id, quantity: 1 }];

describe("another delivery", () => {
  test("costs what the method costs for the units that count, and nothing above its limit", () => {
    const record = aPlaced();
    const priceOf = (of: OrderRecord, units = {}) => {
      const planned = plan(of, byGlove, units);
      return planned.kind === "other" ? planned.step.shipping?.amount : planned;
    };
    expect(priceOf(record)).toBe(2_360);
    expect(priceOf(record, { taken_off: one(record) })).toBe(1_180);
    expect(priceOf(aPlaced({}, { line_subtotal: 50_000 }))).toBe(0);
    expect(priceOf(aPlaced({}, { line_subtotal: 50_000, line_discount: 1 }))).toBe(2_360);
  });

  test("needs a price where the method has none, and a method that the zone has", () => {
    const heavy = aPlaced({}, { parcels: [{ weight_g: 40_000, volume_cm3: 1_000 }] });
    expect(plan(heavy, byGlove)).toMatchObject({
      kind: "refused",
      problems: [{ path: "shipping" }],
    });
    expect(plan(heavy, { ...byGlove, shipping: 9_000 })).toMatchObject({
      kind: "other",
      step: { shipping: { method: "white_glove", amount: 9_000 } },
    });
    expect(plan(aPlaced(), { shipping_method: "pickup" })).toMatchObject({
      kind: "refused",
      problems: [{ path: "shipping_method", message: expect.stringContaining("white_glove") }],
    });
  });

  test("arrives after the goods are ready, which they are as many days after they were ordered as they need", () => {
    const record = aPlaced();
    const promisedOf = (of: OrderRecord) => {
      const planned = plan(of, byGlove);
      return planned.kind === "other" ? planned.step.set?.shipping?.promised : planned;
    };
    const inDays = (days: number) =>
      new Date(noon.getTime() + days * dayMs).toISOString().slice(0, 10);
    expect(promisedOf(record)).toEqual({ min_on: inDays(4 + 3), max_on: inDays(11 + 5) });
    const ready = { min_on: inDays(3), max_on: inDays(5) };
    expect(promisedOf(aPlaced({ status: "ready_to_dispatch" }))).toEqual(ready);
    expect(promisedOf(aPlaced({}, { lead_time: { min_days: 0, max_days: 2 } }))).toEqual(ready);
  });

  test("at another price only keeps what was promised, and its slot", () => {
    const slot = { ...aSlot(), confirm_by: noon.toISOString(), has_left: false };
    const record = aPlaced({ slot });
    const planned = plan(record, { shipping: 1_180 });
    expect(planned).toMatchObject({ kind: "other", step: { entries: [] } });
    const { set } = planned.kind === "other" ? planned.step : {};
    expect(Object.keys(set ?? {})).toEqual(["shipping"]);
    const { tax_components: before, ...rest } = record.order.shipping;
    expect(set?.shipping).toMatchObject(rest);
    expect(set?.shipping?.tax_components.map(({ bps }) => bps)).toEqual(
      before.map(({ bps }) => bps),
    );
  });

  test("that has slots asks for one in the change's own letter, or else in a separate one", () => {
    const made = aPlaced(
      { status: "ready_to_dispatch", offers_slot: false },
      { made_to_order: true, change_id: null },
    );
    const record = {
      order: { ...made.order, received: made.order.current },
      rows: { ...made.rows, transactions: [aCharge({ amount: made.order.current! })] },
    };
    for (const [notify, types] of [
      [true, ["order_changed"]],
      [false, ["order_choose_slot"]],
    ] as const) {
      const input = ChangeInput.parse({ ...byGlove, shipping: 0, reason: "-", notify });
      const context = { ...aMoneyContext(), id: anId("chg"), added: [], settings };
      const planned = planChange(record, input, context);
      const events = planned.kind === "planned" ? planned.change.events : [];
      expect(events.map(({ type }) => type).filter((type) => type.startsWith("order_c"))).toEqual(
        types,
      );
      expect(planned).toMatchObject({ change: { changes: [{ letters: types }] } });
    }
  });

  test.each([
    ["stays with another method that has no slots", "room_of_choice", false, true],
    ["goes if the buyer collects the order", "pickup", false, false],
    [
      "goes with another method that has no slots if the buyer could choose it",
      "room_of_choice",
      true,
      false,
    ],
  ] as const)("whose slot staff planned: it %s", (_, shipping_method, offers_slot, stays) => {
    const slot = { ...aSlot(), confirm_by: noon.toISOString(), has_left: false };
    const [zone] = settings.shipping.zones;
    const methods = [aMethod({ code: "room_of_choice" }), aMethod({ code: "pickup" })];
    const others = { ...settings.shipping, zones: [{ ...zone!, methods }] };
    const planned = planDelivery(
      aPlaced({ slot, offers_slot }),
      { shipping_method },
      { units: {}, settings: { ...settings, shipping: others }, now: noon },
    );
    const { set } = planned.kind === "other" ? planned.step : {};
    expect(set && "slot" in set ? set.slot : "kept").toBe(stays ? "kept" : null);
  });

  test("is not planned once anything was sent", () => {
    for (const status of ["shipped", "delivered", "completed"] as const) {
      expect(plan(aPlaced({ status }), byGlove)).toEqual({ kind: "dispatched" });
    }
    expect(plan(aPlaced({ status: "shipped" }), { take_off: one(aPlaced()) }).kind).toBe("same");
  });
});
