// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patchShipment } from "#shared/application/order/save-shipment.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { invoiceSeries } from "#shared/domain/order/invoice/invoice.ts";
import type { OrderRecord, Shipment } from "#shared/domain/order/order.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { InvoicesToIssue, issueInvoices } from "#shared/storage/order/invoices.ts";
import { InvoiceNumbers } from "#shared/storage/order/number-series.ts";
import { OrderShipments, Orders, newOrder, openOrders } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { put, update } from "#shared/storage/writes.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { onScheduleDueOrders } from "#functions/on-schedule/due-orders.ts";
import { aStockRow, anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
beforeAll(async () => {
  shop = await startTestTable();
});
afterAll(() => shop.stop());

const settings = { ...defaultSettings, ...someSettings() };
const series = invoiceSeries(settings, noon).name;
const desk = (table = shop.table) =>
  aShop<Parameters<typeof patchShipment>[2]>({
    table,
    settings: { current: async () => settings },
    log: silentLog,
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
    slot: null,
  };
  await shop.table.transact([
    ...newOrder(order, []),
    put(OrderShipments, { ...shipment, order_id: id }),
  ]);
  return {
    record: {
      order,
      rows: { timeline: [], transactions: [], shipments: [shipment], changes: [], returns: [] },
    },
    shipment,
  };
}

const signs = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const numberOf = (number: number) =>
  `FS-AAAA-AAAA-AA${signs[Math.floor(number / 32)]}${signs[number % 32]}`;

const send = ({ record, shipment }: Awaited<ReturnType<typeof packed>>, table?: Table) =>
  patchShipment(
    {
      actor: { kind: "staff", id: anId("stf"), session: "ses_test" },
      requestId: "req-1",
      now: noon,
      params: { id: record.order.id, shipment: shipment.id },
      headers: {},
      body: { status: "out_for_delivery" },
    },
    record,
    desk(table),
  );
const numbers = (first: number, last: number) =>
  Array.from(
    { length: last - first + 1 },
    (_, before) => `${series}/${String(first + before).padStart(6, "0")}`,
  );
const numberOfInvoice = ({ order }: OrderRecord) => order.invoice?.number ?? "none";

const stored = async ({ order }: OrderRecord) => {
  const record = await openOrders(shop.table).find(order.id);
  if (!record) throw new Error("The order is missing");
  return record;
};

test(
  "a hundred concurrent dispatches get consecutive invoice numbers, and refused dispatches leave no gap",
  { tags: "slow" },
  async () => {
    const orders = await Promise.all(Array.from({ length: 101 }, (_, number) => packed(number)));
    const stock = aStockRow({ on_hand: 100, reserved: 101, available: -1 });
    await shop.table.write(put(Stocks, stock));
    const outcomes = await Promise.allSettled(orders.map((order) => send(order)));
    const sent = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused).toMatchObject([{ code: "insufficient_stock" }]);
    expect(await shop.table.get(Stocks, stock)).toMatchObject({ on_hand: 0, reserved: 1 });

    const records = await Promise.all(sent.map(stored));
    const issued = records.map(numberOfInvoice);
    expect(issued.toSorted((one, other) => one.localeCompare(other))).toEqual(numbers(1, 100));
    expect(await shop.table.get(InvoiceNumbers, { series })).toEqual({ last: 100 });
    expect(sent.map(({ order }) => order)).toEqual(records.map(({ order }) => order));
  },
);

describe("an invoice that a dispatch has requested but not issued", () => {
  /** Dispatches an order, like a function that ends before it issues the invoice. */
  async function sendOnly(number: number): Promise<OrderRecord> {
    const { table } = shop;
    const page: Table["page"] = async (of, range, options) => {
      if (of.name === InvoicesToIssue.name) throw new Unavailable("The function ends here");
      return table.page(of, range, options);
    };
    const order = await packed(number);
    await table.write(put(Stocks, aStockRow({ on_hand: 9, reserved: 9, available: 0 })));
    return send(order, { ...table, page });
  }

  test("is issued when the next order is dispatched", async () => {
    const before = await sendOnly(200);
    expect(numberOfInvoice(before)).toBe("none");
    const after = await send(await packed(201));
    const issued = [numberOfInvoice(await stored(before)), numberOfInvoice(after)];
    expect(issued.toSorted((one, other) => one.localeCompare(other))).toEqual(numbers(101, 102));
  });

  test("is issued by the next scheduled run", async () => {
    const before = await sendOnly(202);
    await onScheduleDueOrders({}, dueOrdersDeps());
    expect(numberOfInvoice(await stored(before))).toBe(numbers(103, 103)[0]);
  });

  test("is issued once, even if several functions issue it concurrently", async () => {
    const orders = await Promise.all([203, 204, 205].map(sendOnly));
    await Promise.all(Array.from({ length: 8 }, () => issueInvoices(shop.table)));
    const issued = (await Promise.all(orders.map(stored))).map(numberOfInvoice);
    expect(issued.toSorted((one, other) => one.localeCompare(other))).toEqual(numbers(104, 106));
  });

  test("is issued even if another invoice cannot be issued", async () => {
    const [bad, good] = [await sendOnly(208), await sendOnly(209)];
    const { table } = shop;
    const transact: Table["transact"] = async (writes) => {
      if (JSON.stringify(writes).includes(bad.order.id)) throw new RangeError("Too large");
      return table.transact(writes);
    };
    await expect(issueInvoices({ ...table, transact })).rejects.toThrow("Too large");
    expect(numberOfInvoice(await stored(good))).toBe(numbers(107, 107)[0]);
    await issueInvoices(table);
    expect(numberOfInvoice(await stored(bad))).toBe(numbers(108, 108)[0]);
  });

  test("has the series of the day of its dispatch, with lower numbers for earlier days", async () => {
    const [late, early, next] = [await sendOnly(210), await sendOnly(211), await sendOnly(212)];
    const replaceRequest = ({ order, rows }: OrderRecord, series: string, issued_on: string) => {
      const [shipment] = rows.shipments;
      const dispatch = { order_id: order.id, shipment_id: shipment?.id ?? "", supplement: false };
      return shop.table.write(put(InvoicesToIssue, { ...dispatch, series, issued_on }));
    };
    await replaceRequest(late, "FS/30-31", "2031-03-31");
    await replaceRequest(early, "FS/30-31", "2031-03-30");
    await replaceRequest(next, "FS/31-32", "2031-04-01");
    await issueInvoices(shop.table);
    const invoices = await Promise.all([late, early, next].map(stored));
    expect(invoices.map(({ order }) => order.invoice)).toEqual([
      { number: "FS/30-31/000002", issued_on: "2031-03-31" },
      { number: "FS/30-31/000001", issued_on: "2031-03-30" },
      { number: "FS/31-32/000001", issued_on: "2031-04-01" },
    ]);
  });

  test("makes the scheduled run fail, after its other checks, if it cannot be issued", async () => {
    await sendOnly(213);
    const checked: string[] = [];
    const deps = dueOrdersDeps();
    const transact = async () => {
      throw new RangeError("Too large");
    };
    const page: Table["page"] = async (of, range, options) => {
      checked.push(of.name);
      return shop.table.page(of, range, options);
    };
    await expect(
      onScheduleDueOrders({}, { ...deps, table: { ...shop.table, transact, page } }),
    ).rejects.toThrow("Requested invoices could not be issued");
    expect(checked).toContain("due_order");
    await issueInvoices(shop.table);
  });

  test("does not prevent other invoices if its order has an invoice already", async () => {
    const [invoiced, waiting] = [await sendOnly(206), await sendOnly(207)];
    const invoice = { number: "FS/OLD/000001", issued_on: "2026-11-20" };
    const { id } = invoiced.order;
    await shop.table.write(update(Orders, { id }, { set: { invoice } }));
    await issueInvoices(shop.table);
    expect(numberOfInvoice(await stored(invoiced))).toBe(invoice.number);
    expect(numberOfInvoice(await stored(waiting))).toBe(numbers(110, 110)[0]);
    const { records } = await shop.table.page(InvoicesToIssue, { partition: "INVOICESTOISSUE" });
    expect(records).toEqual([]);
  });
});

/** The dependencies of the scheduled check of orders, which has no order to check here. */
const dueOrdersDeps = () =>
  aShop<Parameters<typeof onScheduleDueOrders>[1]>({
    table: shop.table,
    gateways: { configured: async () => null },
    settings: { current: async () => settings },
    log: silentLog,
    // No check of an order is due yet.
    now: () => new Date(0),
  });
