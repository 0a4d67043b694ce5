import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsCarrying } from "#shared/application/document/carried-document.ts";
import {
  makeConfirmation,
  makeOrderDocuments,
} from "#shared/application/document/make-order-documents.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { OrderRows } from "#shared/domain/order/order.ts";
import { OrderShipments, Orders } from "#shared/storage/order/orders.ts";
import { outboxId, quoteMailId } from "#shared/storage/outbox.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import { Refused, put } from "#shared/storage/writes.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import { aChange, aCharge, aRecord, aRefund, aShipment } from "#test/support/shop/order-record.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { plantSettings } from "#test/support/shop/plant.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
  await plantSettings(fixture.table);
});
afterAll(() => fixture.stop());

/** The consumer of documents, and the ids of the mails that it has enqueued. */
function documentsConsumer() {
  const { table } = fixture;
  const mails: unknown[] = [];
  const deps = aShop<Parameters<typeof makeOrderDocuments>[1]>({
    table,
    settings: openGroups(table, ["store", "payments", "shipping", "tax"]),
    documentFiles: { put: async () => undefined, remove: async () => undefined },
    outboxQueue: { send: async (messages) => void mails.push(...messages) },
    log: silentLog,
    now: () => noon,
  });
  return { deps, mails };
}

describe("the confirmation of an erased buyer's order", () => {
  const aGuestOrder = () => ({
    ...aPlacedOrder(),
    id: newId("ord", new Date()),
    access_token_hash: hashOf("token"),
  });
  /** As the erasure of the account leaves an order that was a guest's. */
  const erased = (order: ReturnType<typeof aGuestOrder>) => ({
    ...order,
    customer: { ...order.customer, id: null },
    access_token_hash: null,
  });

  test("is removed by the repeat if the first attempt failed after it had stored the removal", async () => {
    const order = erased(aGuestOrder());
    await fixture.table.write(put(Orders, order));
    const { deps } = documentsConsumer();
    const failing = {
      ...deps.documentFiles,
      remove: () => Promise.reject(new Error("Storage is down")),
    };
    await expect(makeOrderDocuments(order.id, { ...deps, documentFiles: failing })).rejects.toThrow(
      "down",
    );
    const removed: string[] = [];
    const files = { ...deps.documentFiles, remove: async (key: string) => void removed.push(key) };
    await makeOrderDocuments(order.id, { ...deps, documentFiles: files });
    expect(removed).toEqual([expect.stringContaining(order.number)]);
  });

  test("does not stay when the erasure comes while it is drawn", async () => {
    const order = aGuestOrder();
    await fixture.table.write(put(Orders, order));
    const { deps } = documentsConsumer();
    const kept = new Set<string>();
    const files = {
      ...deps.documentFiles,
      put: async (key: string) => void kept.add(key),
      remove: async (key: string) => void kept.delete(key),
    };
    const late = {
      ...files,
      async put(key: string) {
        await fixture.table.write(put(Orders, erased(order)));
        await makeOrderDocuments(order.id, { ...deps, documentFiles: files });
        await files.put(key);
      },
    };
    await expect(makeConfirmation(order.id, { ...deps, documentFiles: late })).rejects.toThrow(
      Refused,
    );
    await makeOrderDocuments(order.id, { ...deps, documentFiles: files });
    expect([...kept]).toEqual([]);
  });
});

const invoice = { number: "FS/26-27/000123", issued_on: "2026-11-21" };

describe("the mail that waits for a document", () => {
  test("is enqueued when the document is made, and not again", async () => {
    const order = { ...aPlacedOrder(), id: newId("ord", new Date()), invoice };
    const sent = aShipment({ id: "shp_1", dispatched_at: noon.toISOString() });
    const shipment = put(OrderShipments, { ...sent, order_id: order.id });
    await fixture.table.transact([put(Orders, order), shipment]);
    const { deps, mails } = documentsConsumer();
    await makeOrderDocuments(order.id, deps);
    expect(mails).toEqual([{ id: `order_shipped#${order.id}#shp_1` }]);
    await makeOrderDocuments(order.id, deps);
    expect(mails).toHaveLength(1);
  });

  const order_id = anId("ord");
  const later = new Date(noon.getTime() + 60_000).toISOString();
  const refund = aRefund({ id: "txn_1", batch_id: "txn_1" });
  const credit = { lines: [], shipping: { amount: 100, taxes: [] } };
  const change = aChange({ credit });
  const rows: Partial<OrderRows> = {
    shipments: [
      aShipment({ id: "shp_2", dispatched_at: later }),
      aShipment({ id: "shp_1", dispatched_at: noon.toISOString() }),
      aShipment({ id: "shp_3" }),
    ],
    transactions: [
      { ...refund, change_id: change.id },
      { ...refund, id: "txn_2", change_id: change.id },
      aRefund({ id: "txn_3" }),
      { ...aCharge(), advance: 100 },
      { ...aRefund({ id: "txn_4" }), advance: 100 },
    ] as OrderRows["transactions"],
    changes: [change],
  };
  const note = (id: string, documentNumber: string) => ({
    order_id,
    id,
    number: documentNumber,
    issued_on: "2026-11-21",
  });
  const creditNotes = [note(change.id, "FS/26-27/C00001")];
  const vouchers = [note("txn_charge", "FS/26-27/R00001"), note("txn_4", "FS/26-27/V00001")];
  const record = aRecord({ id: order_id, invoice }, rows);
  const { number } = record.order;

  test.each([
    ["order_confirmation", number, []],
    ["invoice", invoice.number, [{ type: "order_shipped", order_id, shipment_id: "shp_1" }]],
    [
      "credit_note",
      "FS/26-27/C00001",
      [
        { type: "order_changed", order_id, change_id: change.id },
        { type: "order_refunded", order_id, transaction_id: "txn_1" },
        { type: "order_refunded", order_id, transaction_id: "txn_2" },
      ],
    ],
    ["credit_note", "FS/26-27/C00002", []],
    ["receipt_voucher", "FS/26-27/R00001", [{ type: "order_paid", order_id }]],
    [
      "refund_voucher",
      "FS/26-27/V00001",
      [{ type: "order_refunded", order_id, transaction_id: "txn_4" }],
    ],
  ] as const)("is the mail that announces it: %s %s", (type, documentNumber, events) => {
    const made = { type, number: documentNumber };
    expect(eventsCarrying([made], record, { creditNotes, vouchers })).toEqual(events);
  });

  test("is the mail with the link of the quote's current revision", () => {
    const link = { to: "asha@example.com", name: null, token: "t", expires_at: later };
    const event = { type: "quote_sent", quote_id: anId("qte"), ...link } as const;
    expect(quoteMailId(hashOf("t"))).toBe(outboxId(event));
  });
});
