import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changed } from "#shared/domain/order/order-step.ts";
import { supplyValue } from "#shared/domain/order/invoice/supply.ts";
import { unitsOf } from "#shared/domain/order/ledger/order-units.ts";
import { valueOf } from "#shared/domain/order/ledger/order-value.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  type OrderReturn,
  ReturnStatus,
  returnMachine,
} from "#shared/domain/order/returns/order-return.ts";
import { ReturnPatch } from "#shared/domain/order/returns/return-input.ts";
import { planReturnStep } from "#shared/domain/order/returns/settle-return.ts";
import type { ReturnSettings } from "#shared/domain/settings/return-settings.ts";
import { outboxId } from "#shared/storage/outbox.ts";
import { surplusOf } from "#shared/domain/payment/owing.ts";
import { anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aSlot } from "#test/support/shop/settings.ts";
import { aCharge, aRecord, aReturn, aShipment } from "#test/support/shop/order-record.ts";

const [chair, table] = [anId("line", 1), anId("line", 2)];

const slot = { ...aSlot({ date: "2026-11-28" }), confirm_by: noon.toISOString(), has_left: false };

interface Story {
  readonly found: OrderReturn;
  readonly totals?: readonly [chairs: number, table: number];
  readonly paid?: boolean;
}

/** A delivered and invoiced order of three chairs and a table, by default for 3,000 and 2,000. */
function anOrder({
  found,
  totals: [chairs, desk] = [3_000, 2_000],
  paid = true,
}: Story): OrderRecord {
  const { totals } = aRecord().order;
  const sum = chairs + desk;
  const charge = aCharge({ amount: sum });
  const items = [
    { id: chair, quantity: 3 },
    { id: table, quantity: 1 },
  ];
  const shipment = aShipment({
    status: "delivered",
    items,
    dispatched_at: noon.toISOString(),
    delivered_at: noon.toISOString(),
  });
  return aRecord(
    {
      status: "delivered",
      invoice: { number: "INV-1", issued_on: "2026-11-20" },
      totals: { ...totals, shipping: 0, shipping_tax: 0, grand_total: sum },
      ...(paid && { paid: sum, payment_status: "paid" }),
    },
    { shipments: [shipment], returns: [found], transactions: paid ? [charge] : [] },
    [
      { quantity: 3, line_total: chairs },
      { quantity: 1, line_total: desk },
    ],
  );
}

function step(
  record: OrderRecord,
  patch: object,
  {
    fee = { fixed: 0, bps: 0 },
    now = noon,
  }: Partial<Pick<ReturnSettings, "fee">> & { readonly now?: Date } = {},
) {
  const settings = someSettings();
  const found = record.rows.returns[0]!;
  let made = 0;
  return planReturnStep(record, found, ReturnPatch.parse(patch), {
    now,
    id: anId("chg", 7),
    added: [],
    visit: slot,
    settings: { ...settings, returns: { ...settings.returns, fee } },
    newTransactionId: () => `txn_new_${++made}`,
  });
}

function stepped(...sent: Parameters<typeof step>): OrderRecord {
  const outcome = step(...sent);
  if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
  return changed(sent[0], outcome.change);
}

const all = { id: chair, accepted: 1 };
const refundsOf = ({ rows }: OrderRecord) =>
  rows.transactions.filter(({ type }) => type === "refund").map(({ amount }) => amount);

describe("a return", () => {
  test("moves as its table says, and no other way", () => {
    for (const from of ReturnStatus.options) {
      for (const to of ReturnStatus.options) {
        if (to === "requested") continue;
        const items = [{ id: chair, quantity: 1 }];
        const found = aReturn({ status: from, items });
        const needs = {
          ...(to === "pickup_scheduled" && { pickup: { date: "2026-11-28", window: "morning" } }),
          ...(to === "exchanged" && { add: [{ sku: "LAMP", quantity: 1 }] }),
          ...(to === "inspected" && { items: [all] }),
        };
        const outcome = step(anOrder({ found }), { status: to, ...needs });
        const isAllowed =
          returnMachine[from].includes(to) || (from === to && to === "pickup_scheduled");
        expect(`${from} → ${to}: ${outcome.kind === "refused"}`).toBe(
          `${from} → ${to}: ${!isAllowed}`,
        );
      }
    }
  });

  test("reaches every status", () => {
    const reached = new Set<ReturnStatus>(["requested"]);
    for (const status of reached) for (const next of returnMachine[status]) reached.add(next);
    expect([...reached].toSorted()).toEqual(ReturnStatus.options.toSorted());
  });

  test("lowers the order once, by the accepted units, and refunds what they were worth", () => {
    const found = aReturn({ status: "received", items: [{ quantity: 2 }] });
    const record = anOrder({ found });
    const inspected = stepped(record, {
      status: "inspected",
      items: [{ id: chair, accepted: 1, refused: 1 }],
    });
    expect(unitsOf(inspected).get(chair)).toMatchObject({ delivered: 2, came_back: 1 });
    expect(inspected.order.current).toBe(4_000);
    expect(inspected.rows.returns[0]).toMatchObject({ credited: 1_000, refunded: 0 });
    expect(refundsOf(inspected)).toEqual([]);

    expect(inspected.order.attention).toEqual([]);
    const closed = stepped(inspected, { status: "closed" });
    expect(closed.order.attention).toMatchObject([{ code: "overpaid" }]);

    const refunded = stepped(inspected, { status: "refunded" });
    expect(refundsOf(refunded)).toEqual([1_000]);
    expect(refunded.order.current).toBe(4_000);
    expect(refunded.rows.returns[0]).toMatchObject({ status: "refunded", refunded: 1_000 });
    expect(surplusOf(refunded.order)).toBe(0);
  });

  test("is inspected and refunded in one step", () => {
    const found = aReturn({ status: "received" });
    const after = stepped(anOrder({ found }), { status: "refunded", items: [all] });
    expect(refundsOf(after)).toEqual([1_000]);
    expect(after.rows.changes).toHaveLength(1);
    expect(after.rows.returns[0]?.change_id).toBe(after.rows.changes[0]?.id);
    expect(after.rows.timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["return_inspected", "return_refunded"]),
    );
  });

  test("refunds nothing that was not received", () => {
    const found = aReturn({ status: "received" });
    const after = stepped(anOrder({ found, paid: false }), { status: "refunded", items: [all] });
    expect(refundsOf(after)).toEqual([]);
    expect(after.order.current).toBe(4_000);
  });

  test("does not refund what was received too much before it", () => {
    const found = aReturn({ status: "received" });
    const record = anOrder({ found });
    const extra = aCharge({ id: "txn_extra", amount: 700 });
    const rows = { ...record.rows, transactions: [...record.rows.transactions, extra] };
    const after = stepped({ order: record.order, rows }, { status: "refunded", items: [all] });
    expect(refundsOf(after).reduce((sum, amount) => sum + amount, 0)).toBe(1_000);
    expect(surplusOf(after.order)).toBe(700);
  });

  test("restocks what is restocked, and nothing else", () => {
    const items = [{ quantity: 2 }, { id: table, quantity: 1 }];
    const found = aReturn({ status: "received", items });
    const outcome = step(anOrder({ found }), {
      status: "inspected",
      items: [
        { id: chair, accepted: 2, goods: "restock" },
        { id: table, accepted: 1, goods: "scrap" },
      ],
    });
    if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
    expect([...outcome.change.stock.values()].map(({ add }) => add)).toEqual([
      expect.objectContaining({ on_hand: 2, reserved: 0 }),
    ]);
  });

  test("leaves goods that are repaired with their buyer", () => {
    const found = aReturn({ status: "received" });
    const record = anOrder({ found });
    const after = stepped(record, { status: "repaired", items: [{ ...all, goods: "repair" }] });
    expect(unitsOf(after).get(chair)).toEqual(unitsOf(record).get(chair));
    expect(after.order.current).toBe(5_000);
    expect(after.rows.changes).toEqual([]);
  });

  test("brings back what was refused or repaired, without touching units, value or money", () => {
    const found = aReturn({ status: "received", items: [{ quantity: 3 }] });
    const send_back = { date: slot.date, window: slot.window };
    const refunded = stepped(anOrder({ found }), {
      status: "refunded",
      items: [{ id: chair, accepted: 1, refused: 2 }],
    });
    const planned = stepped(refunded, { send_back });
    expect(planned.rows.returns[0]).toMatchObject({ send_back: slot, sent_back_at: null });
    const given = stepped(planned, { sent_back: true });
    expect(given.rows.returns[0]).toMatchObject({ sent_back_at: noon.toISOString() });
    expect(given.rows.returns[0]?.closed_at).toBe(refunded.rows.returns[0]?.closed_at);
    for (const after of [planned, given]) {
      expect(unitsOf(after)).toEqual(unitsOf(refunded));
      expect(after.order.current).toBe(refunded.order.current);
      expect(refundsOf(after)).toEqual(refundsOf(refunded));
    }
    expect(given.rows.timeline.map(({ type }) => type).slice(-2)).toEqual([
      "return_send_back_planned",
      "return_sent_back",
    ]);
    expect(step(given, { send_back }).kind).toBe("invalid");
  });

  test("names in its refund what came back, and nothing else", () => {
    const found = aReturn({ status: "received", items: [{ quantity: 3 }] });
    const after = stepped(anOrder({ found }), {
      status: "refunded",
      items: [{ id: chair, accepted: 2, refused: 1 }],
    });
    const refund = after.rows.transactions.find(({ type }) => type === "refund");
    expect(refund).toMatchObject({
      items: [{ id: chair, quantity: 2 }],
      reason: "Return: Changed my mind",
    });
  });

  test("announces every step by a letter of its own, with its own answer", () => {
    const found = aReturn({ status: "approved", answer: "We will fetch it." });
    const record = anOrder({ found });
    const pickup = { date: slot.date, window: slot.window };
    const eventsAt = (now: Date, answer: string | null = null) => {
      const outcome = step(record, { status: "pickup_scheduled", pickup, answer }, { now });
      return outcome.kind === "planned" ? outcome.change.events : [];
    };
    const [first] = eventsAt(noon);
    const [second] = eventsAt(new Date(noon.getTime() + 1_000), "Somebody has to be there.");
    expect(first).toMatchObject({ type: "return_changed", answer: null });
    expect(second).toMatchObject({ answer: "Somebody has to be there." });
    expect(outboxId(first!)).not.toBe(outboxId(second!));
  });

  test("brings back nothing where nothing stays the buyer's", () => {
    const found = aReturn({ status: "received" });
    const after = stepped(anOrder({ found }), { status: "refunded", items: [all] });
    for (const patch of [
      { sent_back: true },
      { send_back: { date: slot.date, window: slot.window } },
    ]) {
      expect(step(after, patch).kind).toBe("invalid");
    }
  });

  test.each([
    ["names no item", { status: "inspected", items: [{ id: table, accepted: 1 }] }],
    ["counts too many", { status: "inspected", items: [{ id: chair, accepted: 2 }] }],
    ["counts too few", { status: "inspected", items: [{ id: chair }] }],
    ["refunds nothing", { status: "refunded", items: [{ id: chair, refused: 1 }] }],
    ["repairs nothing", { status: "repaired", items: [{ id: chair, refused: 1 }] }],
    ["takes a fee that nobody asked for", { status: "inspected", items: [all], fee: 1 }],
  ])("refuses an inspection that %s", (_what, patch) => {
    const found = aReturn({ status: "received" });
    expect(step(anOrder({ found }), patch).kind).toBe("invalid");
  });
});

describe("the fee", () => {
  const fixed = { fee: { fixed: 300, bps: 0 } };
  const received = (overrides: Parameters<typeof aReturn>[0] = {}) =>
    anOrder({ found: aReturn({ status: "received", ...overrides }) });

  test("is kept of what the buyer gets back, and stays part of the order's value", () => {
    const after = stepped(received(), { status: "refunded", items: [all] }, fixed);
    expect(refundsOf(after)).toEqual([700]);
    expect(after.order.current).toBe(4_300);
    expect(after.rows.returns[0]).toMatchObject({ fee: 300, credited: 700 });
    const credit = after.rows.changes[0]?.credit;
    expect(credit && supplyValue(credit)).toBe(700);
  });

  test("is a share where the settings say so, and can be waived", () => {
    const share = { fee: { fixed: 0, bps: 1_250 } };
    expect(refundsOf(stepped(received(), { status: "refunded", items: [all] }, share))).toEqual([
      875,
    ]);
    const waived = { status: "refunded", items: [all], fee: 0 };
    expect(refundsOf(stepped(received(), waived, share))).toEqual([1_000]);
  });

  test("is never more than what comes back is worth", () => {
    const dear = { fee: { fixed: 9_999, bps: 0 } };
    const after = stepped(received(), { status: "refunded", items: [all] }, dear);
    expect(refundsOf(after)).toEqual([]);
    expect(after.order.current).toBe(5_000);
  });

  test.each([
    ["another's fault", { items: [{ fault: "carrier" }] }],
    ["a warranty", { kind: "warranty", items: [{ fault: "factory" }] }],
  ] as const)("is not taken for %s", (_what, overrides) => {
    const after = stepped(received(overrides), { status: "refunded", items: [all] }, fixed);
    expect(refundsOf(after)).toEqual([1_000]);
  });
});

test("units, value, fee, credit note and refund of any returns add up", () => {
  const part = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(
      fc.record({
        chairs: fc.integer({ min: 1, max: 100_000 }),
        table: fc.integer({ min: 0, max: 100_000 }),
        quantity: fc.integer({ min: 1, max: 3 }),
        accepted: part,
        refused: part,
        fixed: fc.integer({ min: 0, max: 50_000 }),
        isCustomers: fc.boolean(),
        inOneStep: fc.boolean(),
      }),
      ({ chairs, table: desk, quantity, accepted: most, refused: some, ...rest }) => {
        const accepted = Math.min(most, quantity);
        const refused = Math.min(some, quantity - accepted);
        const missing = quantity - accepted - refused;
        const fault = rest.isCustomers ? "customer" : "shop";
        const found = aReturn({ status: "received", items: [{ quantity, fault }] });
        const record = anOrder({ found, totals: [chairs, desk] });
        const items = [{ id: chair, accepted, refused, missing }];
        const terms = { fee: { fixed: rest.fixed, bps: 0 } };
        const to = accepted > 0 ? "refunded" : "closed";
        const after = rest.inOneStep
          ? stepped(record, { status: to, items }, terms)
          : stepped(stepped(record, { status: "inspected", items }, terms), { status: to }, terms);

        const end = after.rows.returns[0]!;
        const lost = chairs - (valueOf(after).lines.get(chair)?.amount ?? 0);
        expect(unitsOf(after).get(chair)).toMatchObject({
          delivered: 3 - accepted,
          came_back: accepted,
        });
        expect(end.credited).toBe(lost);
        expect(end.fee).toBeLessThanOrEqual(rest.isCustomers ? rest.fixed : 0);
        expect(after.order.current).toBe(chairs + desk - end.credited);
        expect(refundsOf(after).reduce((sum, amount) => sum + amount, 0)).toBe(end.credited);
        const credit = after.rows.changes[0]?.credit;
        expect(credit ? supplyValue(credit) : 0).toBe(end.credited);
        expect(surplusOf(after.order)).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
