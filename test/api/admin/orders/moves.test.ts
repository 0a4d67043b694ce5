import { describe, expect, test } from "vitest";
import { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import { type DeskOrder, aKey } from "#test/support/back-office/orders.ts";
import { plantSofa } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, desk, staffAs } = await useShop();

const staff = await staffAs("manager");

type Some = Pick<DeskOrder, "id">;
type One = Data<AdminOrder> & Problem;
const pathOf = ({ id }: Some) => `/admin/orders/${id}`;
const move = (order: Some, status: OrderStatus) => staff.patch<One>(pathOf(order), { status });
const read = async (order: Some) => (await staff.get<One>(pathOf(order))).body.data;

/** A paid order for a sofa whose production has not started. */
async function placeSofa(): Promise<Some> {
  const { sofa } = await plantSofa(desk.table);
  const item = { sofa: sofa.slug, configuration: {}, quantity: 1 };
  const { checkOut } = await aShopper(baseUrl, [item]);
  const { body, text } = await checkOut({ ...aPerson(), payment_method: "bank_transfer" });
  const { id, totals } = body.data?.order ?? {};
  if (id === undefined) throw new Error(text);
  const payment = { amount: totals?.grand_total, method: "bank_transfer", reference: id };
  await staff.post(`/admin/orders/${id}/payments`, payment, aKey());
  return { id };
}

const makers = {
  confirmed: () => desk.place("cod"),
  async shipped() {
    const order = await desk.place("cod");
    await desk.send(order, 1);
    return order;
  },
  async delivered() {
    const order = await desk.place("cod");
    await desk.send(order, 2, "delivered");
    return order;
  },
};

const byHand = {
  confirmed: ["ready_to_dispatch", "cancelled"],
  shipped: [],
  delivered: ["completed"],
} satisfies Record<keyof typeof makers, OrderStatus[]>;

describe.each(["confirmed", "shipped", "delivered"] as const)("an order with status %s", (from) => {
  const allowed: readonly OrderStatus[] = byHand[from];

  test("lists its allowed transitions, refuses all others with 409, and stays unchanged if its current status is set again", async () => {
    const order = await makers[from]();
    const { version, allowed_transitions } = await read(order);
    expect(allowed_transitions).toEqual(allowed);
    for (const to of OrderStatus.options) {
      if (allowed.includes(to)) continue;
      const reply = await move(order, to);
      if (to === from) expect([reply.status, reply.body.data.version]).toEqual([200, version]);
      else {
        const { code, details, message } = reply.body;
        expect([code, details]).toEqual(["invalid_transition", { from, to, allowed }]);
        if (to === "delivered") expect(message).toContain("Set its shipments to delivered");
      }
    }
    expect((await read(order)).version).toBe(version);
  });

  test.each(allowed)("can change to %s", async (to) => {
    const order = await makers[from]();
    const { status, body } = await move(order, to);
    expect([status, body.data.status]).toEqual([200, to]);
    expect(body.data.timeline.at(-1)).toMatchObject({ type: to, public: true });
    expect(await read(order)).toEqual(body.data);
  });
});

test("an order with made-to-order lines must be in production before it can be ready to dispatch", async () => {
  const order = await placeSofa();
  expect((await read(order)).allowed_transitions).toEqual(["in_production", "cancelled"]);
  expect((await move(order, "ready_to_dispatch")).status).toBe(409);
  expect((await move(order, "in_production")).body.data.status).toBe("in_production");
});

test("cancelling an order releases its stock and refunds its payment", async () => {
  const order = await desk.place("bank_transfer", { quantity: 3, units: 5 });
  const payment = { amount: order.total, method: "bank_transfer", reference: order.id };
  await staff.post(`${pathOf(order)}/payments`, payment, aKey());
  expect(await order.stock()).toMatchObject({ on_hand: 5, reserved: 3, available: 2 });
  const { body } = await move(order, "cancelled");
  expect(body.data.transactions).toMatchObject([
    { type: "charge", state: "succeeded" },
    { type: "refund", state: "pending", amount: order.total },
  ]);
  expect(body.data.attention.map(({ code }) => code)).toEqual(["refund_to_make"]);
  expect(await order.stock()).toMatchObject({ on_hand: 5, reserved: 0, available: 5 });
  expect(body.data.items[0]?.units).toMatchObject({ ordered: 3, open: 0, taken_off: 3 });
});

test("concurrent requests to change an order's status change it once", async () => {
  const order = await desk.place("cod", { quantity: 2, units: 5 });
  const replies = await Promise.all(Array.from({ length: 6 }, () => move(order, "cancelled")));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await order.stock()).toMatchObject({ on_hand: 5, reserved: 0, available: 5 });
  const { timeline } = await read(order);
  expect(timeline.filter(({ type }) => type === "cancelled")).toHaveLength(1);
});
