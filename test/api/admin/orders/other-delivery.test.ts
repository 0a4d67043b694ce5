import { describe, expect, test } from "vitest";
import type { ChangeEffect } from "#shared/domain/order/change/plan-change.ts";
import { valueOf } from "#shared/domain/order/ledger/order-value.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { AdminOrder } from "#shared/domain/order/view/admin-order.ts";
import { PlaceCounts } from "#shared/storage/delivery/delivery-places.ts";
import { aKey } from "#test/support/back-office/orders.ts";
import type { Problem } from "#test/support/http/answers.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { ordersInParts } from "#test/support/shop/placed-orders.ts";
import { type Data, aPerson, tally } from "#test/support/shop/shopping.ts";
import { type Choice, aSlotShopper, bySlot, openPlaces, zone } from "#test/support/shop/slots.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, inbox, desk, staffAs } = await useShop({ effects: ["mail"] });

const inParts = ordersInParts(baseUrl, environment);
const [manager, clerk] = await Promise.all([staffAs("owner"), staffAs("order_desk")]);

type Changed = Data<ChangeEffect & { readonly order: AdminOrder }> & Problem;
const pathOf = ({ id }: { readonly id: string }) => `/admin/orders/${id}/changes`;
const reason = "The buyer called";
const change = (
  order: { readonly id: string },
  body: object,
  { by = manager, headers = {} }: { by?: StaffClient; headers?: object } = {},
) => by.post<Changed>(pathOf(order), { reason, ...body }, { ...aKey(), ...headers });
const preview = (order: { readonly id: string }, body: object, by = manager) =>
  by.post<Changed>(`${pathOf(order)}?preview=true`, { reason, ...body });

interface Placed {
  readonly id: string;
  readonly line: string;
  /** What is due unless something was paid. */
  readonly unpaid: number;
  /** What delivery costs. */
  readonly shipping: number;
  read(): Promise<OrderRecord>;
}

type Method = "card" | "transfer" | "unpaid transfer" | "cash" | "deposit";
type Moment = "confirmed" | "packed" | "partly sent";

/** An order of two chairs of 100,000; with a deposit, of one sofa whose delivery is free. */
async function placed(method: Method): Promise<Placed> {
  if (method === "deposit") {
    const { id, deposit, total, placed: answer, read } = await inParts.place();
    await desk.receive(id, deposit);
    const line = answer.order.items[0]!.id;
    return { id, line, read, unpaid: total - deposit, shipping: answer.order.totals.shipping };
  }
  const options = { quantity: 2, price: 100_000 };
  const order =
    method === "card"
      ? await desk.placePaid(options)
      : await desk.place(method === "cash" ? "cod" : "bank_transfer", options);
  if (method === "transfer") await desk.receive(order.id, order.total);
  return { ...order, unpaid: order.total, shipping: order.total - order.lineTotal };
}

const deliveries = {
  "dearer white-glove delivery": ({ shipping }: Placed) => ({
    shipping_method: "white_glove",
    shipping: shipping + 50_000,
  }),
  "a price of delivery that is 500 lower": ({ shipping }: Placed) => ({ shipping: shipping - 500 }),
  collection: () => ({ shipping_method: "pickup" }),
  "collection instead of one chair": ({ line }: Placed) => ({
    shipping_method: "pickup",
    take_off: [{ id: line, quantity: 1 }],
  }),
};

interface Outcome {
  readonly due?: (order: Placed) => number;
  readonly refund?: (order: Placed) => number;
  readonly status: string;
  /** The codes, times and states of the schedule's parts. */
  readonly parts: readonly string[];
}
type Row = readonly [Method, Moment, keyof typeof deliveries, Outcome | "locked" | "refused"];

const due = "change now due";
const table: readonly Row[] = [
  [
    "card",
    "confirmed",
    "dearer white-glove delivery",
    { due: () => 50_000, status: "partially_paid", parts: ["full now paid", due] },
  ],
  [
    "card",
    "packed",
    "collection instead of one chair",
    {
      refund: ({ shipping }) => shipping + 100_000,
      status: "partially_refunded",
      parts: ["full now paid"],
    },
  ],
  ["card", "partly sent", "collection", "locked"],
  [
    "transfer",
    "confirmed",
    "a price of delivery that is 500 lower",
    { refund: () => 500, status: "partially_refunded", parts: ["full now paid"] },
  ],
  [
    "unpaid transfer",
    "confirmed",
    "collection",
    {
      due: ({ unpaid, shipping }) => unpaid - shipping,
      status: "awaiting_transfer",
      parts: ["full now due"],
    },
  ],
  [
    "cash",
    "confirmed",
    "dearer white-glove delivery",
    {
      due: ({ unpaid }) => unpaid + 50_000,
      status: "cod_pending",
      parts: ["full on_delivery open", "change on_delivery open"],
    },
  ],
  [
    "deposit",
    "confirmed",
    "dearer white-glove delivery",
    {
      due: ({ unpaid }) => unpaid + 50_000,
      status: "partially_paid",
      parts: ["deposit now paid", "balance before_dispatch open", due],
    },
  ],
  ["deposit", "confirmed", "a price of delivery that is 500 lower", "refused"],
];

describe("another delivery", () => {
  test.each(table)(
    "of an order by %s, %s: %s does exactly what its preview shows",
    async (method, moment, what, expected) => {
      const order = await placed(method);
      if (moment === "packed") await desk.send(order, 2, "packed");
      if (moment === "partly sent") await desk.send(order, 1);
      const body: { shipping_method?: string; shipping?: number } = deliveries[what](order);
      const before = await order.read();
      const shown = await preview(order, body);
      expect((await order.read()).order.version).toBe(before.order.version);
      const made = await change(order, body);
      if (typeof expected === "string") {
        for (const reply of [shown, made]) {
          expect([reply.status, reply.body]).toMatchObject(
            expected === "refused"
              ? [422, { errors: { shipping: [expect.any(String)] } }]
              : [409, { code: "order_locked", details: { reason: "dispatched" } }],
          );
        }
        expect((await order.read()).order).toEqual(before.order);
        return;
      }
      expect([shown.status, made.status]).toEqual([200, 200]);
      const { money, documents, letters, order: after } = made.body.data;
      const { due: owed = () => 0, refund = () => 0, status, parts } = expected;
      expect({ ...money, documents, letters, status: after.payment_status }).toEqual({
        due: owed(order),
        surplus: 0,
        refund: refund(order),
        documents: [],
        letters: ["order_changed"],
        status,
      });
      const schedule = after.payment_schedule;
      expect(schedule.map((part) => `${part.code} ${part.due} ${part.state}`)).toEqual(parts);
      expect(schedule.reduce((sum, { amount }) => sum + amount, 0)).toBe(after.totals.current);
      const { shipping } = before.order;
      expect(after.shipping.method).toBe(body.shipping_method ?? shipping.method);
      // Collection is free. What was agreed stays.
      expect([after.shipping.amount, after.totals.shipping]).toEqual([
        body.shipping ?? 0,
        order.shipping,
      ]);
      const { money: said, order: seen, stock } = shown.body.data;
      expect({ said, stock }).toEqual({ said: money, stock: made.body.data.stock });
      expect(seen.shipping).toEqual(after.shipping);
      expect(seen.totals.current).toBe(after.totals.current);
    },
  );

  test("is named in one letter, with its price and what is still to be paid", async () => {
    const order = await desk.placePaid({ quantity: 2, price: 100_000 });
    await change(order, { shipping_method: "white_glove", shipping: 123_400 });
    const isOfChange = ({ subject }: { subject: string }) => subject.endsWith("was changed");
    const { body } = await inbox.waitFor(order.email, isOfChange);
    for (const said of ["White glove", "₹1,234.00", "Still to pay", "Pay now"]) {
      expect(body.text).toContain(said);
    }
    // Slots can be chosen for this method.
    expect(body.text).toContain("Choose a delivery time");
    expect((await inbox.mailsTo(order.email)).filter(isOfChange)).toHaveLength(1);
  });

  test("needs orders.refund if it is cheaper, and orders.update alone if it is dearer", async () => {
    const order = await desk.place("cod", { quantity: 2, price: 100_000 });
    const shipping = order.total - order.lineTotal;
    for (const body of [{ shipping: shipping - 1 }, { shipping_method: "pickup" }]) {
      for (const reply of [
        await preview(order, body, clerk),
        await change(order, body, { by: clerk }),
      ]) {
        expect([reply.status, reply.body.details]).toEqual([403, { permission: "orders.refund" }]);
      }
    }
    // White-glove delivery at the price of another.
    const given = await change(order, { shipping_method: "white_glove", shipping }, { by: clerk });
    expect([given.status, given.body.details]).toEqual([403, { permission: "orders.refund" }]);
    const dearer = await change(order, { shipping: shipping + 1 }, { by: clerk });
    expect(dearer.status).toBe(200);
  });

  test("is refused if its method is not offered, or nothing would change", async () => {
    const order = await desk.place("cod", { quantity: 2, price: 100_000 });
    const shipping = order.total - order.lineTotal;
    const cases: [object, string][] = [
      [{ shipping }, "shipping"],
      [{ shipping_method: "standard" }, "shipping_method"],
      [{ shipping_method: "by_drone" }, "shipping_method"],
      [{ shipping: -1 }, "shipping"],
    ];
    for (const [body, field] of cases) {
      const reply = await change(order, body);
      expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [field]]);
    }
    await desk.cancel(order.id);
    const ended = await change(order, { shipping: 1 });
    expect([ended.status, ended.body.code]).toEqual([409, "order_locked"]);
  });

  test("is made once per version and key, and concurrent ones leave what the last one set", async () => {
    const order = await desk.place("cod", { quantity: 2, price: 100_000 });
    const { version } = (await order.read()).order;
    const headers = { "if-match": `"v${version}"` };
    const raced = await Promise.all(
      [1_000, 2_000, 3_000].map((shipping) => change(order, { shipping }, { headers })),
    );
    expect(tally(raced)).toEqual({ 200: 1, "412 version_mismatch": 2 });
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(order, { shipping: 5_000 + index })),
    );
    expect(tally(others)).toEqual({ 200: 8 });
    const record = await order.read();
    const last = record.rows.changes.at(-1)?.shipping?.amount;
    expect(record.rows.changes).toHaveLength(9);
    expect([valueOf(record).shipping, record.order.current]).toEqual([
      last,
      order.lineTotal + last!,
    ]);
  });
});

describe("the slot of an order", () => {
  const bookedAt = async (choice: Choice) =>
    (await desk.table.get(PlaceCounts, { zone, ...choice }))?.booked ?? 0;

  test("stays with another delivery that has slots, and is given back with one that has none", async () => {
    const place = await openPlaces(baseUrl, manager, "changes")(1);
    const { sku } = await plantProduct(desk.table);
    const shopper = await aSlotShopper(baseUrl, desk.table, [{ sku, quantity: 1 }]);
    await shopper.hold(place);
    const { email, phone } = aPerson();
    const { body } = await shopper.checkOut({ ...bySlot, email, phone, payment_method: "cod" });
    const { order } = body.data;
    expect([order.slot, await bookedAt(place)]).toEqual([expect.objectContaining(place), 1]);

    const kept = await change(order, { shipping_method: "white_glove" });
    expect(kept.body.data.order).toMatchObject({
      slot: place,
      shipping: { method: "white_glove", label: "White glove" },
    });
    expect(await bookedAt(place)).toBe(1);

    const shown = await preview(order, { shipping_method: "pickup" });
    expect([shown.body.data.order.slot, await bookedAt(place)]).toEqual([null, 1]);
    const freed = await change(order, { shipping_method: "pickup" });
    expect([freed.body.data.order.slot, await bookedAt(place)]).toEqual([null, 0]);
    const letter = await inbox.waitFor(email, ({ body: { text } }) =>
      text.includes("delivery time is no longer reserved"),
    );
    expect(letter.body.text).toContain("Collect from our studio");
    expect(letter.body.text).not.toContain("Choose a delivery time");
    const run = await manager.get<Data<{ zones: object[] }>>(
      `/admin/deliveries?date=${place.date}`,
    );
    expect([run.status, run.text.includes(order.id)]).toEqual([200, false]);
  });
});
