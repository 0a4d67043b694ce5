import { expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import { type Booked, type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { desk, staffAs } = await useShop();

/** A staff user who may update orders but not refund payments. */
const clerk = await staffAs("order_desk");
const manager = await staffAs("manager");

type One = Data<AdminOrder> & Problem;
const pathOf = ({ id }: DeskOrder) => `/admin/orders/${id}`;
const cancel = (staff: StaffClient, order: DeskOrder) =>
  staff.patch<One>(pathOf(order), { status: "cancelled" });
const offered = async (staff: StaffClient, order: DeskOrder) =>
  (await staff.get<One>(pathOf(order))).body.data.allowed_transitions;
const book = (order: DeskOrder, amount: number) =>
  clerk.post<Booked>(
    `${pathOf(order)}/payments`,
    { amount, method: "bank_transfer", reference: `UTR ${order.id}` },
    aKey(),
  );

async function expectRefusedForClerk(order: DeskOrder): Promise<void> {
  const before = await order.read();
  const refused = await cancel(clerk, order);
  expect([refused.status, refused.body.code, refused.body.details]).toEqual([
    403,
    "forbidden",
    { permission: "orders.refund" },
  ]);
  expect(await order.read()).toEqual(before);
  expect(await offered(clerk, order)).not.toContain("cancelled");
  expect(await offered(manager, order)).toContain("cancelled");
}

test("cancelling a paid order requires the permission orders.refund and is offered only to staff who have that permission", async () => {
  const order = await desk.place("bank_transfer");
  expect(await offered(clerk, order)).toContain("cancelled");
  const booked = await book(order, order.total);
  expect(booked.body.data.order.status).toBe("confirmed");
  expect(booked.body.data.order.allowed_transitions).not.toContain("cancelled");
  await expectRefusedForClerk(order);

  const shipped = await clerk.post<Data<{ order: AdminOrder }>>(
    `${pathOf(order)}/shipments`,
    {},
    aKey(),
  );
  expect(shipped.body.data.order.allowed_transitions).not.toContain("cancelled");

  const { status, body } = await cancel(manager, order);
  expect([status, body.data.status]).toEqual([200, "cancelled"]);
  expect(body.data.transactions).toMatchObject([
    { type: "charge", state: "succeeded" },
    { type: "refund", state: "pending", amount: order.total },
  ]);
});

test("cancelling an order that is partly paid, or paid at the gateway, requires the permission orders.refund", async () => {
  const part = await desk.place("bank_transfer");
  await book(part, 1_000);
  await expectRefusedForClerk(part);
  await expectRefusedForClerk(await desk.placePaid());
});

test("an order that is unpaid or fully refunded can be cancelled with the permission orders.update", async () => {
  const unpaid = await desk.place("cod");
  expect((await cancel(clerk, unpaid)).status).toBe(200);

  const order = await desk.place("bank_transfer");
  await book(order, order.total);
  const reason = "Out of print";
  const refund = { amount: order.total, pay_again: true, reason, reference: "UTR back" };
  expect((await manager.post(`${pathOf(order)}/refunds`, refund, aKey())).status).toBe(201);
  expect(await offered(clerk, order)).toContain("cancelled");
  const { status, body } = await cancel(clerk, order);
  expect([status, body.data.totals.refunded]).toEqual([200, order.total]);
});

test("during a concurrent payment, a cancellation without orders.refund cancels the order before it is paid or returns 403", async () => {
  const order = await desk.place("bank_transfer");
  const [cancelled, booked] = await Promise.all([cancel(clerk, order), book(order, order.total)]);
  expect(booked.status).toBe(201);
  const { status, version } = (await order.read()).order;
  expect(version).toBeGreaterThan(1);
  expect([cancelled.status, status]).toEqual(
    cancelled.status === 200 ? [200, "cancelled"] : [403, "confirmed"],
  );
});
