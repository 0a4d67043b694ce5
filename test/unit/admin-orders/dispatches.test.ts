import { afterAll, beforeAll, expect, test } from "vitest";
import { patchShipment } from "#functions/admin-orders/move-shipment.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { invoiceSeries } from "#shared/domain/order/invoice.ts";
import type { OrderRecord, Shipment } from "#shared/domain/order/order.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { InvoiceNumbers } from "#shared/storage/order/invoices.ts";
import { OrderShipments, newOrder, openOrders } from "#shared/storage/order/orders.ts";
import { put } from "#shared/storage/writes.ts";
import { aStockRow, anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-order.ts";
import { type TestTable, startTestTable } from "#test/support/stack/test-table.ts";

let shop: TestTable;
beforeAll(async () => {
  shop = await startTestTable();
});
afterAll(() => shop.stop());

const settings = { ...defaultSettings, ...someSettings() };
const series = invoiceSeries(settings, noon).name;
const desk = () => ({
  settings,
  table: shop.table,
  audit: { actor: { id: anId("stf") }, requestId: "req-1", now: noon },
});

/** An order with a packed shipment of its only unit. */
async function packed(number: number): Promise<{ record: OrderRecord; shipment: Shipment }> {
  const id = anId("ord", number);
  const placed = aPlacedOrder({ payment_method: "cod" });
  const order = { ...placed, id, number: numberOf(number), status: "ready_to_dispatch" as const };
  const shipment: Shipment = {
    id: anId("shp", number),
    status: "packed",
    items: order.items.map((item) => ({ id: item.id, quantity: item.quantity })),
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    dispatched_at: null,
    delivered_at: null,
  };
  await shop.table.transact([
    ...newOrder(order, []),
    put(OrderShipments, { ...shipment, order_id: id }),
  ]);
  return {
    record: { order, rows: { timeline: [], transactions: [], shipments: [shipment] } },
    shipment,
  };
}

const signs = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const numberOf = (number: number) =>
  `FS-AAAA-AAAA-AA${signs[Math.floor(number / 32)]}${signs[number % 32]}`;

const send = ({ record, shipment }: Awaited<ReturnType<typeof packed>>) =>
  patchShipment(record, shipment, { status: "out_for_delivery" }, desk());

test("twenty concurrent dispatches get consecutive invoice numbers, and refused dispatches leave no gap", async () => {
  const orders = await Promise.all(Array.from({ length: 21 }, (_, number) => packed(number)));
  const stock = aStockRow({ on_hand: 20, reserved: 21, available: -1 });
  await shop.table.write(put(Stocks, stock));
  const outcomes = await Promise.allSettled(orders.map(send));
  const sent = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(refused).toMatchObject([{ code: "insufficient_stock" }]);
  expect(
    sent
      .map(({ order }) => order.invoice?.number ?? "")
      .toSorted((one, other) => one.localeCompare(other)),
  ).toEqual(
    Array.from({ length: 20 }, (_, before) => `${series}/${String(before + 1).padStart(6, "0")}`),
  );
  expect(await shop.table.get(InvoiceNumbers, { series })).toEqual({ last: 20 });
  expect(await shop.table.get(Stocks, stock)).toMatchObject({ on_hand: 0, reserved: 1 });

  const stored = await Promise.all(sent.map(({ order }) => openOrders(shop.table).find(order.id)));
  expect(stored.map((record) => record?.order.invoice)).toEqual(
    sent.map(({ order }) => order.invoice),
  );
});
