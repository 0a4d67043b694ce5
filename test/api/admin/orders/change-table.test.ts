import { expect, test } from "vitest";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import type { ChangeEffect } from "#shared/domain/order/change/plan-change.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type PlantedProduct, plantProduct } from "#test/support/shop/plant.ts";
import { ordersInParts } from "#test/support/shop/placed-orders.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, desk, staffAs } = await useShop({ effects: [] });

const inParts = ordersInParts(baseUrl, environment);
const manager = await staffAs("manager");

type Method = "card" | "transfer" | "unpaid transfer" | "cash" | "deposit";
type Moment = "confirmed" | "packed" | "out_for_delivery" | "delivered";

interface Placed {
  readonly id: string;
  readonly line: string;
  readonly total: number;
  readonly stock?: PlantedProduct["stock"];
}

/** An order of two chairs of 1,000,000 from a stock of ten; with a deposit, of one sofa. */
async function placed(method: Method): Promise<Placed> {
  switch (method) {
    case "card":
      return desk.placePaid({ quantity: 2 });
    case "cash":
      return desk.place("cod", { quantity: 2 });
    case "deposit": {
      const { id, deposit, placed: answer, total } = await inParts.place();
      await desk.receive(id, deposit);
      return { id, total: total - deposit, line: answer.order.items[0]!.id };
    }
    default: {
      const order = await desk.place("bank_transfer", { quantity: 2 });
      if (method === "transfer") await desk.receive(order.id, order.total);
      return order;
    }
  }
}

const changes = {
  "take one off": ({ line }: Placed) => ({ take_off: [{ id: line, quantity: 1 }] }),
  "take one back": ({ line }: Placed) => ({
    take_back: [{ id: line, quantity: 1, goods: "restock" }],
  }),
  "reduce by 500": ({ line }: Placed) => ({ reduce: [{ id: line, amount: 500 }] }),
  "add a lamp": (_order: Placed, sku: string) => ({ add: [{ sku, quantity: 1 }] }),
  "swap one for a lamp": ({ line }: Placed, sku: string) => ({
    take_off: [{ id: line, quantity: 1 }],
    add: [{ sku, quantity: 1 }],
  }),
  "take one back for a lamp": ({ line }: Placed, sku: string) => ({
    take_back: [{ id: line, quantity: 1, goods: "restock" }],
    add: [{ sku, quantity: 1 }],
  }),
};

interface Outcome {
  /** What is due, given what was due before for an order without any payment, or the balance. */
  readonly due?: (unpaid: number) => number;
  readonly refund?: number;
  readonly units?: object;
  /** Of the chairs: on hand and reserved. */
  readonly stock?: readonly [on_hand: number, reserved: number];
  readonly status: string;
  readonly documents?: readonly string[];
}
type Row = readonly [Method, Moment, keyof typeof changes, Outcome | "refused"];

const oneLess = { open: 1, taken_off: 1 };
const lamp = 1_000_000;

// The lamp costs 1,000,000, too.
const table: readonly Row[] = [
  [
    "card",
    "confirmed",
    "take one off",
    {
      refund: 1_000_000,
      units: oneLess,
      stock: [10, 1],
      status: "partially_refunded",
    },
  ],
  ["card", "confirmed", "swap one for a lamp", { units: oneLess, stock: [10, 1], status: "paid" }],
  ["card", "confirmed", "take one back", "refused"],
  [
    "card",
    "packed",
    "take one off",
    {
      refund: 1_000_000,
      units: { packed: 1, taken_off: 1 },
      stock: [10, 1],
      status: "partially_refunded",
    },
  ],
  [
    "card",
    "out_for_delivery",
    "add a lamp",
    { due: () => lamp, units: { on_the_way: 2 }, stock: [8, 0], status: "partially_paid" },
  ],
  [
    "card",
    "delivered",
    "take one back for a lamp",
    {
      units: { delivered: 1, came_back: 1 },
      stock: [9, 0],
      status: "paid",
      documents: ["credit_note"],
    },
  ],
  [
    "transfer",
    "confirmed",
    "take one off",
    {
      refund: 1_000_000,
      units: oneLess,
      stock: [10, 1],
      status: "partially_refunded",
    },
  ],
  [
    "unpaid transfer",
    "confirmed",
    "add a lamp",
    { due: (all) => all + lamp, units: { open: 2 }, stock: [10, 2], status: "awaiting_transfer" },
  ],
  [
    "cash",
    "out_for_delivery",
    "reduce by 500",
    {
      due: (all) => all - 500,
      units: { on_the_way: 2 },
      stock: [8, 0],
      status: "cod_pending",
      documents: ["credit_note"],
    },
  ],
  [
    "cash",
    "delivered",
    "take one back",
    {
      due: (all) => all - 1_000_000,
      units: { delivered: 1, came_back: 1 },
      stock: [9, 0],
      status: "cod_pending",
      documents: ["credit_note"],
    },
  ],
  [
    "deposit",
    "confirmed",
    "reduce by 500",
    { due: (balance) => balance - 500, units: { open: 1 }, status: "partially_paid" },
  ],
];

test.each(table)(
  "%s, %s: %s changes exactly what its preview shows",
  async (method, moment, what, expected) => {
    const [order, { sku, product }] = [await placed(method), await plantProduct(desk.table)];
    expect(product.variants[0]!.price).toBe(lamp);
    if (moment !== "confirmed") await desk.send(order, 2, moment);
    const body = { reason: "The buyer called", ...changes[what](order, sku) };
    const path = `/admin/orders/${order.id}/changes`;
    type Changed = Data<ChangeEffect & { readonly order: AdminOrder }> & Problem;
    const shown = await manager.post<Changed>(`${path}?preview=true`, body);
    const made = await manager.post<Changed>(path, body, aKey());
    if (expected === "refused") {
      expect([shown.status, made.status]).toEqual([422, 422]);
      return;
    }
    expect([shown.status, made.status]).toEqual([200, 200]);
    const { money, documents, letters, order: after } = made.body.data;
    const { due = () => 0, refund = 0, units, status, stock } = expected;
    expect({ ...money, documents, letters, status: after.payment_status }).toEqual({
      due: due(order.total),
      surplus: 0,
      refund,
      documents: expected.documents ?? [],
      letters: ["order_changed"],
      status,
    });
    expect(after.items[0]!.units).toMatchObject(units ?? {});
    if (stock && order.stock) {
      expect(await order.stock()).toMatchObject({ on_hand: stock[0], reserved: stock[1] });
    }
    expect(shown.body.data).toMatchObject({ money, documents, letters });
    expect(shown.body.data.order.totals.current).toBe(after.totals.current);
    expect(after.payment_schedule.reduce((sum, { amount }) => sum + amount, 0)).toBe(
      after.totals.current,
    );
  },
);
