import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stack } from "#infra/local/stack.ts";
import type { Document } from "#shared/domain/document/document.ts";
import type { ChangeEffect } from "#shared/domain/order/change/plan-change.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import { creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { supplyValue } from "#shared/domain/order/invoice/supply.ts";
import { type PaidOrder, aKey, orderDesk } from "#test/support/back-office/orders.ts";
import { type StaffClient, staffClient, worldOf } from "#test/support/people/people.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { startGuardedStack } from "#test/support/stack/shop.ts";
import { soon, waitFor } from "#test/support/stack/wait-until.ts";

// A shop of its own, because other test files expect the demo shop's settings.
let stack: Stack;
let owner: StaffClient;
let desk: ReturnType<typeof orderDesk>;
beforeAll(async () => {
  stack = await startGuardedStack({ shop: "planted", effects: ["documents"] });
  owner = await staffClient(stack.baseUrl, worldOf(stack.environment), "owner");
  desk = orderDesk(stack.baseUrl, stack.environment);
});
afterAll(() => stack.stop());

/** A paid order of two units that cost less than free delivery needs, once the setting is in effect. */
async function placedWith(refund_shipping: boolean): Promise<PaidOrder> {
  const { status } = await owner.put("/admin/settings/returns", { refund_shipping });
  expect(status).toBe(200);
  return soon(async () => {
    const order = await desk.placePaid({ quantity: 2, price: 100_000 });
    expect((await order.read()).order).toMatchObject({ refund_shipping });
    return order;
  });
}

/** Takes a unit back after its delivery. */
async function takeBack({ id, line }: PaidOrder) {
  const body = { take_back: [{ id: line, quantity: 1, goods: "restock" }], reason: "Not wanted" };
  const made = await owner.post<Data<ChangeEffect & { readonly order: AdminOrder }>>(
    `/admin/orders/${id}/changes`,
    body,
    aKey(),
  );
  expect(made.status).toBe(200);
  return made.body.data;
}

test.each([false, true])(
  "an order that comes back whole after its delivery gets back what delivery cost as the shop said when it was placed (%s)",
  async (refundsShipping) => {
    const order = await placedWith(refundsShipping);
    const shipping = order.total - order.lineTotal;
    expect(shipping).toBeGreaterThan(0);
    await desk.send(order, 2, "delivered");
    // What the shop says later does not count.
    await owner.put("/admin/settings/returns", { refund_shipping: !refundsShipping });

    const kept = refundsShipping ? 0 : shipping;
    const half = order.lineTotal / 2;
    const first = await takeBack(order);
    expect(first.money).toEqual({ due: 0, surplus: 0, refund: half });
    const last = await takeBack(order);
    expect(last.money).toEqual({ due: 0, surplus: 0, refund: half + shipping - kept });
    expect(last.order).toMatchObject({
      status: "returned",
      payment_status: kept > 0 ? "partially_refunded" : "refunded",
      totals: { current: kept, refunded: order.total - kept },
    });

    await waitFor("documents", async () => {
      const path = `/admin/orders/${order.id}/documents`;
      const { body } = await owner.get<Data<Document[]>>(path);
      const notes = body.data.filter(({ type }) => type === "credit_note");
      expect(notes).toHaveLength(2);
    });
    const credits = creditsOf(await order.read()).map(({ credit }) => supplyValue(credit));
    expect(credits).toEqual([half, half + shipping - kept]);
  },
);
