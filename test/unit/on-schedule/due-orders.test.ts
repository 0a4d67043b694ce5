import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onScheduleDueOrders } from "#functions/on-schedule/due-orders.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { DueOrders, listDueOrders, scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { OrderTransactions, Orders, newOrder } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aShop } from "#test/support/shop/parts.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
let clock = noon;
const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
const day = 24 * 60;
const logged: string[] = [];
const say = (message: string) => void logged.push(message);

beforeAll(async () => {
  fixture = await startTestTable();
});
beforeEach(async () => {
  await fixture.table.clear("DUE");
  logged.length = 0;
});
afterAll(() => fixture.stop());

function deps({
  table = fixture.table,
  gateway = null,
}: { table?: Table; gateway?: PaymentGateway | null } = {}) {
  const checkout = { ...defaultSettings.checkout, completed_after_days: 7 };
  return aShop<Parameters<typeof onScheduleDueOrders>[1]>({
    table,
    gateways: { configured: async () => gateway },
    settings: { current: async () => ({ checkout }) },
    log: { info: say, warn: say, error: say },
    now: () => clock,
  });
}

/** Stores an order without reserved units, so that it needs no stock. */
async function anOrder(overrides: Partial<StoredOrder> = {}): Promise<StoredOrder> {
  const placed = aPlacedOrder({ payment_method: overrides.payment_method ?? "bank_transfer" });
  const order = {
    ...placed,
    id: newId("ord", noon),
    number: orderNumber(crypto.getRandomValues(Buffer.alloc(12))),
    items: placed.items.map((item) => ({ ...item, sku: null })),
    ...overrides,
  };
  await fixture.table.transact(newOrder(order, []));
  return order;
}

const statusOf = async ({ id }: StoredOrder) => (await fixture.table.get(Orders, { id }))?.status;
const dueAt = async (now: Date) =>
  (await listDueOrders(fixture.table, now, 1000)).map(({ order_id, at, attempts }) => ({
    order_id,
    at,
    attempts,
  }));

test("the schedule processes exactly the order timers whose time has come", async () => {
  const orders = await Promise.all(Array.from({ length: 130 }, () => anOrder()));
  const later = await anOrder({ expires_at: after(80 * 60).toISOString() });
  clock = after(73 * 60);
  await onScheduleDueOrders({}, deps());
  for (const order of orders) expect(await statusOf(order)).toBe("expired");
  expect(await statusOf(later)).toBe("pending_payment");
  expect(await dueAt(after(1_000_000))).toMatchObject([{ order_id: later.id }]);
});

test("the schedule postpones an order with increasing delay while the gateway is unavailable, without delaying other orders", async () => {
  const gateway: PaymentGateway = {
    publishableKey: "pk",
    create: () => Promise.reject(new Unavailable("away")),
    find: () => Promise.reject(new Unavailable("away")),
    cancel: () => Promise.reject(new Unavailable("away")),
    refund: () => Promise.reject(new Unavailable("away")),
  };
  const online = await anOrder({ payment_method: "gateway" });
  const row = openedCharge({ id: "pi_1", amount: 1 }, noon.toISOString());
  await fixture.table.write(put(OrderTransactions, { ...row, order_id: online.id }));
  const other = await anOrder({ expires_at: after(6).toISOString() });
  const minutes = [];
  clock = after(6);
  for (let run = 1; run <= 6; run++) {
    await onScheduleDueOrders({}, deps({ gateway }));
    const [due, ...more] = await dueAt(after(1_000_000));
    expect(more).toEqual([]);
    expect(due).toMatchObject({ order_id: online.id, attempts: run });
    minutes.push((Date.parse(due?.at ?? "") - clock.getTime()) / 60_000);
    clock = new Date(due?.at ?? "");
  }
  expect(minutes).toEqual([1, 2, 4, 8, 15, 15]);
  expect(await statusOf(other)).toBe("expired");
  expect(await statusOf(online)).toBe("pending_payment");
});

test("if the check of an order fails, the schedule logs an error and postpones the order", async () => {
  clock = after(73 * 60);
  const [broken, sound] = [await anOrder(), await anOrder()];
  const { table } = fixture;
  const getPartition: Table["getPartition"] = async (partition, kinds) => {
    if (partition === `ORDER#${broken.id}`) throw new TypeError("It makes no sense");
    return table.getPartition(partition, kinds);
  };
  await expect(
    onScheduleDueOrders({}, deps({ table: { ...table, getPartition } })),
  ).rejects.toThrow("1 orders");
  expect(logged).toEqual(["Scheduled check of an order failed"]);
  expect(await statusOf(sound)).toBe("expired");
  expect(await dueAt(after(1_000_000))).toMatchObject([{ order_id: broken.id, attempts: 1 }]);
});

test("the schedule does not expire an order whose payment started during the check", async () => {
  clock = after(73 * 60);
  const order = await anOrder({ payment_method: "gateway" });
  const { table } = fixture;
  let begun = false;
  const getPartition: Table["getPartition"] = async (partition, kinds) => {
    const found = await table.getPartition(partition, kinds);
    if (partition === `ORDER#${order.id}` && !begun) {
      begun = true;
      const row = openedCharge({ id: "pi_2", amount: 1 }, noon.toISOString());
      const next = put(Orders, { ...order, version: 2 });
      await table.transact([next, put(OrderTransactions, { ...row, order_id: order.id })]);
    }
    return found;
  };
  await onScheduleDueOrders({}, deps({ table: { ...table, getPartition } }));
  expect(begun).toBe(true);
  expect(await statusOf(order)).toBe("pending_payment");
  expect(await dueAt(after(74 * 60))).toMatchObject([{ order_id: order.id, attempts: 0 }]);
});

test("the schedule completes a delivered order some days later", async () => {
  const delivered_at = noon.toISOString();
  const order = await anOrder({ status: "delivered", delivered_at, expires_at: null });
  await fixture.table.write(scheduleCheck(order.id, after(5 * day).toISOString()));
  clock = after(5 * day);
  await onScheduleDueOrders({}, deps());
  expect(await statusOf(order)).toBe("delivered");
  clock = after(7 * day);
  await onScheduleDueOrders({}, deps());
  expect(await statusOf(order)).toBe("completed");
  expect(await dueAt(after(1_000_000))).toEqual([]);
});

test("an order with many timers does not delay other orders", async () => {
  const busy = await anOrder({ expires_at: after(80 * 60).toISOString() });
  const other = await anOrder();
  clock = after(73 * 60);
  const early = Array.from({ length: 110 }, (_, index) =>
    scheduleCheck(busy.id, new Date(noon.getTime() + index).toISOString()),
  );
  await fixture.table.writeMany(early);
  await onScheduleDueOrders({}, deps());
  expect(logged).toEqual([]);
  expect(await statusOf(other)).toBe("expired");
  expect(await dueAt(after(1_000_000))).toMatchObject([{ order_id: busy.id, at: busy.expires_at }]);
});

test("the schedule checks an order with several timers once, and deletes timers without an order", async () => {
  clock = noon;
  const order = await anOrder();
  const at = noon.toISOString();
  await fixture.table.transact([
    scheduleCheck(order.id, at),
    scheduleCheck(order.id, new Date(noon.getTime() - 1).toISOString()),
    scheduleCheck(newId("ord", noon), at),
  ]);
  await onScheduleDueOrders({}, deps());
  const rows = await fixture.table.page(DueOrders, { partition: "DUE" });
  expect(rows.records).toMatchObject([{ order_id: order.id, at: order.expires_at, attempts: 0 }]);
});
