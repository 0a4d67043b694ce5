import * as fc from "fast-check";
import { expect, test } from "vitest";
import { moveOrder } from "#shared/domain/order/status/move-order.ts";
import { changed, type OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  holdsStock,
  unitsIn,
  unitsOf,
  unsentByStock,
} from "#shared/domain/order/ledger/order-units.ts";
import { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import { changeShipment } from "#shared/domain/order/shipment/change-shipment.ts";
import { prepareShipment, shipmentMoves } from "#shared/domain/order/shipment/prepare-shipment.ts";
import type { ShipmentPatch } from "#shared/domain/order/shipment/shipment-input.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/refund/plan-refund.ts";
import { canChange } from "#shared/domain/catalog/stock.ts";
import { aStockRow, anId, noon } from "#test/support/shop/commerce.ts";
import { aCharge } from "#test/support/shop/order-record.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const onHand = 9;
const sku = "CHR-OSLO-OAK";
const variant_id = anId("var");
const series = { name: "FS/26-27", issued_on: "2026-11-21" };

/** Two lines of one SKU, with three and two units, and a made-to-order line. */
const lines = [
  { id: anId("line", 1), sku, variant_id, quantity: 3, made_to_order: false },
  { id: anId("line", 2), sku, variant_id, quantity: 2, made_to_order: false },
  { id: anId("line", 3), sku: null, quantity: 1, made_to_order: true },
];

function confirmed(): OrderRecord {
  const order = aPlacedOrder({ payment_method: "cod" });
  const items = lines.map((line) => ({ ...order.items[0]!, ...line }));
  return {
    order: { ...order, items, status: "confirmed" },
    rows: {
      timeline: [],
      transactions: [aCharge({ amount: 1e9, method: "cod" })],
      shipments: [],
      changes: [],
      returns: [],
    },
  };
}

/** Mostly valid steps. Steps that end an order are rare, because otherwise almost no order would be shipped. */
const command = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("prepare" as const),
      line: fc.constantFrom(...lines.map(({ id }) => id)),
      quantity: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("prepareAll" as const) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("ship" as const),
      shipment: fc.nat(3),
      choice: fc.nat(2),
      then: fc.constantFrom("resend" as const, "take_back" as const),
      goods: fc.constantFrom("restock" as const, "restock" as const, "lost" as const),
      refuses: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      line: fc.constantFrom(...lines.map(({ id }) => id)),
      quantity: fc.integer({ min: 1, max: 2 }),
      restock: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      to: fc.constantFrom<OrderStatus>("in_production", "ready_to_dispatch"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("move" as const),
      to: fc.constantFrom(...OrderStatus.options),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Of> ? Of : never;

/** Everything is sent, and comes back to stay. Random steps rarely get so far. */
const thereAndBack: Command[] = [
  { kind: "move", to: "in_production" },
  { kind: "move", to: "ready_to_dispatch" },
  { kind: "prepareAll" },
  // Packed, out for delivery, failed, returned.
  ...[0, 0, 1, 1].map((choice) => ({
    kind: "ship" as const,
    shipment: 0,
    choice,
    then: "take_back" as const,
    goods: "restock" as const,
    refuses: false,
  })),
];

const context = {
  now: noon,
  newTransactionId: () => "txn_1",
  permissions: ["*"],
  completedAfterDays: 7,
  series,
  returnId: anId("shp", 99),
};

function apply(record: OrderRecord, of: Command, position: number): OrderChange | undefined {
  switch (of.kind) {
    case "prepare":
    case "prepareAll": {
      const items = of.kind === "prepare" ? [{ id: of.line, quantity: of.quantity }] : undefined;
      const id = anId("shp", position);
      const outcome = prepareShipment(record, items ? { items } : {}, { id, now: noon });
      return outcome.kind === "changed" ? outcome.change : undefined;
    }
    case "ship": {
      const shipment = record.rows.shipments[of.shipment];
      if (!shipment) return undefined;
      const allowed = shipmentMoves(record, shipment);
      const status = allowed[of.choice % allowed.length];
      if (status === undefined) return undefined;
      const { then, goods } = of;
      const [refused] = shipment.items;
      const patch = {
        status,
        ...(status === "returned_to_origin" && { then, goods }),
        ...(status === "delivered" &&
          of.refuses &&
          refused && { back: [{ id: refused.id, quantity: 1, then, goods }] }),
      };
      const returnId = anId("shp", position);
      const outcome = changeShipment(record, shipment, patch, { ...context, returnId });
      return outcome.kind === "changed" ? outcome.change : undefined;
    }
    case "refund": {
      const { line: id, quantity, restock } = of;
      const input = RefundInput.parse({ items: [{ id, quantity }], restock, reason: "Because" });
      let made = 0;
      const newTransactionId = () => `txn_${position}_${++made}`;
      const outcome = planRefund(record, input, { now: noon, newTransactionId });
      return outcome.kind === "planned" ? outcome.change : undefined;
    }
    case "move": {
      const outcome = moveOrder(record, of.to, context);
      return outcome.kind === "moved" ? outcome.change : undefined;
    }
  }
}

test("the timeline states whether all, a part or the rest of the order was shipped", () => {
  const sendOff = (record: OrderRecord, items?: { id: string; quantity: number }[]) => {
    const number = record.rows.shipments.length + 1;
    const made = prepareShipment(
      record,
      { ...(items && { items }), carrier: "Delhivery" },
      { id: `shp_${number}`, now: noon },
    );
    if (made.kind !== "changed") throw new Error(made.kind);
    return (["packed", "out_for_delivery"] as const).reduce(
      (before, status) => {
        const shipment = before.rows.shipments.find(({ id }) => id === made.shipment.id);
        const step = shipment && changeShipment(before, shipment, { status }, context);
        if (step?.kind !== "changed") throw new Error(step?.kind);
        return changed(before, step.change);
      },
      changed(record, made.change),
    );
  };
  const said = (record: OrderRecord) => record.rows.timeline.at(-1)?.message;
  const { order, rows } = confirmed();
  const ready: OrderRecord = { order: { ...order, status: "ready_to_dispatch" }, rows };
  const first = sendOff(ready, [{ id: anId("line", 1), quantity: 1 }]);
  const second = sendOff(first, [{ id: anId("line", 2), quantity: 2 }]);
  expect(said(first)).toBe("A part of your order is on its way with Delhivery.");
  expect(said(second)).toBe("Another part of your order is on its way with Delhivery.");
  expect(said(sendOff(second))).toBe("The rest of your order is on its way with Delhivery.");
  expect(said(sendOff(ready))).toBe("Your order is on its way with Delhivery.");
  const fetched = { ...ready.order, shipping: { ...order.shipping, method: "pickup" as const } };
  expect(said(sendOff({ order: fetched, rows }))).toBe("Your order is ready to collect.");
});

test("repeating a change of a shipment changes nothing", () => {
  const record = confirmed();
  const said = { carrier: "Delhivery", tracking_number: "DL-1" };
  const made = prepareShipment(record, said, { id: anId("shp"), now: noon });
  if (made.kind !== "changed") throw new Error(made.kind);
  const prepared = changed(record, made.change);
  const change = (patch: ShipmentPatch) => changeShipment(prepared, made.shipment, patch, context);
  expect(change(said)).toEqual({ kind: "already" });
  expect(change({ ...said, status: made.shipment.status })).toEqual({ kind: "already" });
  expect(change({ ...said, tracking_number: "DL-2" })).toMatchObject({
    kind: "changed",
    shipment: { carrier: "Delhivery", tracking_number: "DL-2" },
  });
});

test("after any sequence of staff actions, each unit is in one place, stock matches the order, and exactly the first dispatch requests an invoice", () => {
  const seen = new Set<OrderStatus>();
  fc.assert(
    fc.property(fc.array(command, { minLength: 10, maxLength: 60 }), (commands) => {
      let record = confirmed();
      const stock = aStockRow({ on_hand: onHand, reserved: 5, available: onHand - 5 });
      let invoices = 0;
      for (const [position, of] of commands.entries()) {
        const change = apply(record, of, position);
        if (!change) continue;
        const move = change.stock.get(variant_id);
        // Units that are sent again in place of lost ones have to be available.
        if (move && of.kind === "ship" && of.goods === "lost" && !canChange(stock, move)) continue;
        if (move) {
          expect(canChange(stock, move)).toBe(true);
          for (const member of ["on_hand", "reserved", "available"] as const) {
            stock[member] += move.add[member];
          }
        }
        if (change.invoice) invoices += 1;
        record = changed(record, change);
        seen.add(record.order.status);
        const isDispatched = record.rows.shipments.some(
          ({ dispatched_at }) => dispatched_at !== null,
        );
        expect(invoices).toBe(isDispatched ? 1 : 0);
        expectWhole(record, stock);
      }
    }),
    { numRuns: 1000, examples: [[thereAndBack]] },
  );
  expect([...seen]).toEqual(expect.arrayContaining(["shipped", "delivered", "returned"]));
});

function expectWhole(record: OrderRecord, stock: ReturnType<typeof aStockRow>): void {
  const { status } = record.order;
  for (const { ordered, ...places } of unitsOf(record).values()) {
    const counts = Object.values(places);
    expect(counts.every((units) => units >= 0)).toBe(true);
    expect(counts.reduce((sum, units) => sum + units, 0)).toBe(ordered);
  }
  const unsent = unsentByStock(record).get(variant_id) ?? 0;
  expect(stock).toMatchObject({
    reserved: holdsStock(status) ? unsent : 0,
    available: stock.on_hand - stock.reserved,
  });
  const isOver = ["delivered", "completed", "returned", "cancelled"].includes(status);
  expect(isOver).toBe(
    status === "cancelled" || unitsIn(record, "open", "packed", "on_the_way") === 0,
  );
  // No shipment is empty unless it is cancelled, and none that is cancelled has units.
  for (const shipment of record.rows.shipments) {
    expect(shipment.items.length === 0).toBe(shipment.status === "cancelled");
  }
}
