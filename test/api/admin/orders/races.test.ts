// @module-tag slow
import { expect, test } from "vitest";
import type { AdminOrder, AdminShipment } from "#shared/domain/order/view/admin-order.ts";
import { unitsOf } from "#shared/domain/order/ledger/order-units.ts";
import { type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { desk, staffAs } = await useShop();

const staff = await staffAs("owner");

const pathOf = ({ id }: Pick<DeskOrder, "id">) => `/admin/orders/${id}`;

/** An order that was paid by transfer and can be sent. */
async function anOrder(quantity: number): Promise<DeskOrder> {
  const order = await desk.place("bank_transfer", { quantity, units: quantity, price: 10_000 });
  await desk.receive(order.id, order.total);
  await desk.move(order.id, "ready_to_dispatch");
  return order;
}

const inSequence = (amounts: readonly number[]) => amounts.toSorted((one, other) => one - other);

test("fifty staff who change one order at once lose nothing: every step counts exactly once", async () => {
  const order = await anOrder(9);
  const path = pathOf(order);
  const one = [{ id: order.line, quantity: 1 }];
  const before = (await order.read()).order;
  const [common, times] = [{ reason: "Because", refund: { when: "later" } }, [1, 2, 3]];
  const numbers = Array.from({ length: 41 }, (_, index) => index + 1);
  const steps: readonly (readonly [string, object])[] = [
    ...times.map(() => [`${path}/changes`, { ...common, take_off: one }] as const),
    ...times.map((time) => {
      const body = { items: one, reason: "Because", method: "bank_transfer" };
      return [`${path}/refunds`, { ...body, reference: `BACK ${order.id} ${time}` }] as const;
    }),
    ...times.map(() => [`${path}/shipments`, { items: one }] as const),
    ...numbers.map((amount) =>
      amount % 2 === 0
        ? ([`${path}/changes`, { ...common, reduce: [{ id: order.line, amount }] }] as const)
        : ([
            `${path}/payments`,
            { amount, method: "bank_transfer", reference: `PAID ${order.id} ${amount}` },
          ] as const),
    ),
  ];
  expect(steps).toHaveLength(50);
  // A request that found no turn in time has changed nothing, and is sent again with its key.
  const send = async (to: string, body: object): Promise<number> => {
    const key = aKey();
    let status = 503;
    while (status === 503) ({ status } = await staff.post<Problem>(to, body, key));
    return status;
  };
  const statuses = await Promise.all(steps.map(([to, body]) => send(to, body)));
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);

  const { order: after, rows } = await order.read();
  expect(after.version).toBe(before.version + 50);
  expect(unitsOf({ order: after, rows }).get(order.line)).toMatchObject({
    taken_off: 6,
    packed: 3,
    open: 0,
  });
  expect(await order.stock()).toMatchObject({ reserved: 3, available: 6 });
  expect(rows.shipments.map(({ items }) => items)).toEqual([one, one, one]);
  expect(rows.changes).toHaveLength(3 + 3 + 20);
  const reduced = rows.changes.flatMap((change) => change.reduced.map(({ amount }) => amount));
  expect(inSequence(reduced)).toEqual(numbers.filter((amount) => amount % 2 === 0));
  const odd = numbers.filter((amount) => amount % 2 === 1);
  const amountsOf = (type: "charge" | "refund") =>
    rows.transactions.flatMap((row) => (row.type === type ? [row.amount] : []));
  expect(inSequence(amountsOf("charge"))).toEqual([...odd, order.total]);
  const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
  const [paid, refunded] = [sum(amountsOf("charge")), sum(amountsOf("refund"))];
  expect([after.paid, after.refunded, after.received]).toEqual([paid, refunded, paid - refunded]);
});

test("of fifty changes against one version, one is made and the others are 412", async () => {
  const order = await anOrder(9);
  const { version } = (await order.read()).order;
  const body = { take_off: [{ id: order.line, quantity: 1 }], reason: "Because" };
  const headers = { "if-match": `"v${version}"` };
  const replies = await Promise.all(
    Array.from({ length: 50 }, () =>
      staff.post<Problem>(`${pathOf(order)}/changes`, body, { ...aKey(), ...headers }),
    ),
  );
  expect(tally(replies)).toEqual({ 200: 1, "412 version_mismatch": 49 });
  const record = await order.read();
  expect([record.order.version, record.rows.changes.length]).toEqual([version + 1, 1]);
  expect(await order.stock()).toMatchObject({ reserved: 8, available: 1 });
});

test("an order that is dispatched and cancelled at once does one of both", async () => {
  for (let round = 0; round < 8; round++) {
    const order = await anOrder(1);
    const path = pathOf(order);
    const packed = await staff.post<Data<{ shipment: AdminShipment }>>(
      `${path}/shipments`,
      {},
      aKey(),
    );
    const shipment = `${path}/shipments/${packed.body.data.shipment.id}`;
    await staff.patch(shipment, { status: "packed" });
    const [left, cancelled] = await Promise.all([
      staff.patch<Problem>(shipment, { status: "out_for_delivery" }),
      staff.patch<Problem>(path, { status: "cancelled" }),
    ]);
    const { body } = await staff.get<Data<AdminOrder>>(path);
    const { status, invoice, items } = body.data;
    const { on_the_way, taken_off } = items[0]!.units;
    const end = { left: left.status, cancelled: cancelled.status, status, on_the_way, taken_off };
    expect([
      { left: 200, cancelled: 409, status: "shipped", on_the_way: 1, taken_off: 0 },
      { left: 409, cancelled: 200, status: "cancelled", on_the_way: 0, taken_off: 1 },
    ]).toContainEqual(end);
    expect(invoice !== null).toBe(status === "shipped");
    expect((await order.stock()).reserved).toBe(0);
  }
});
