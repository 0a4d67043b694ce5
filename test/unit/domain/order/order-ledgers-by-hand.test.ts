import { describe, expect, test } from "vitest";
import { creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { printedSupply } from "#shared/domain/order/invoice/invoice-view.ts";
import { withoutEmptyLines } from "#shared/domain/order/invoice/invoiced-supplies.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { supplyValue } from "#shared/domain/order/invoice/supply.ts";
import { waivePart } from "#shared/domain/order/status/balance.ts";
import { amountDue, amountToPay, mayPayBalance, surplusOf } from "#shared/domain/payment/owing.ts";
import { isHeldForBalance, paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import {
  type Line,
  Story,
  credited,
  lineIds,
  placed,
  settings,
} from "#test/support/shop/order-story.ts";

const chair = { quantity: 1, line_total: 21_990, tax: 1_677 };
const line = lineIds[0]!;
const items = [{ id: line, quantity: 1 }];
/** An order of which everything was paid and delivered. */
const delivered = (...lines: Line[]) => {
  const story = new Story(placed(lines, false, null));
  story.finish();
  return story;
};
const totals = ({ record: { order } }: Story) => [order.current, order.received, order.refunded];

test("a chair of 21,990 is reduced by 5,000 of 22,240, and then it comes back", () => {
  const story = delivered(chair);
  expect(totals(story)).toEqual([22_240, 22_240, 0]);
  story.refund({ amount: 5_000 });
  // 5,000 × 21,990 / 22,240 = 4,943.8 of the chair, the rest of delivery.
  expect(totals(story)).toEqual([17_240, 17_240, 5_000]);
  story.refund({ items, restock: true });
  // Delivery is worth nothing once everything is back; the buyer gets its rest as a surplus.
  expect(totals(story)).toEqual([0, 194, 22_046]);
  story.refund({ amount: 194 });
  expect(totals(story)).toEqual([0, 0, 22_240]);
  expect(story.record.order).toMatchObject({ status: "returned", payment_status: "refunded" });
  expect(credited(story)).toEqual([
    [5_000, 377, 377, 4, 4],
    [17_240, 1_300, 1_300, 15, 15],
  ]);
});

test("of two chairs one is refunded and later returned: it is paid back once, its credit is one", () => {
  const story = delivered({ quantity: 2, line_total: 4_001, tax: 305 });
  story.refund({ items });
  expect(totals(story)).toEqual([2_251, 2_251, 2_000]);
  story.refund({ items, restock: true });
  expect(totals(story)).toEqual([2_251, 2_251, 2_000]);
  expect(credited(story)).toEqual([[2_000, 152, 152, 0, 0]]);
});

test("a fee stays as a part of the line at the line's own tax", () => {
  const story = delivered(chair, { quantity: 1, line_total: 1_180, tax: 90 });
  story.refund({ items, restock: true, amount: 20_990, keep: true });
  expect(totals(story)).toEqual([2_430, 2_430, 20_990]);
  // 1,000 of 21,990 keep 76 of 1,677 of each tax.
  expect(credited(story)).toEqual([[20_990, 1_601, 1_601, 0, 0]]);
});

test("a deposit of a lamp and a chair: the lamp is taken off, and its price is not due any more", () => {
  const story = new Story(
    placed([chair, { quantity: 1, line_total: 4_000, tax: 305 }], false, 8_000),
  );
  story.pay(8_000);
  story.refund({ items: [{ id: lineIds[1]!, quantity: 1 }] });
  expect(totals(story)).toEqual([22_240, 8_000, 0]);
  expect(paymentSchedule(story.record).map(({ amount }) => amount)).toEqual([8_000, 14_240]);
  story.finish();
  expect(story.invoiced && supplyValue(story.invoiced)).toBe(22_240);
});

const schedule = ({ record }: Story) =>
  paymentSchedule(record).map(({ code, amount, due, state }) => [code, amount, due, state]);

test("a deposit with a lamp added and taken off: the lamp is due now, and lowers no other part when it goes", () => {
  const story = new Story(placed([chair], false, 8_000));
  story.pay(8_000);
  story.change({}, [4_000]);
  expect(totals(story)).toEqual([26_240, 8_000, 0]);
  expect(schedule(story)).toEqual([
    ["deposit", 8_000, "now", "paid"],
    ["balance", 14_240, "before_dispatch", "open"],
    ["change", 4_000, "now", "due"],
  ]);
  expect(amountToPay(story.record.order)).toBe(4_000);
  story.pay(4_000);
  expect(schedule(story).map(([, , , state]) => state)).toEqual(["paid", "open", "paid"]);
  const lamp = story.record.order.items[1]!.id;
  story.change({ take_off: [{ id: lamp, quantity: 1, goods: "restock" }] });
  // The 4,000 count towards the balance, which is not due yet.
  expect(totals(story)).toEqual([22_240, 12_000, 0]);
  expect(schedule(story)).toEqual([
    ["deposit", 8_000, "now", "paid"],
    ["balance", 14_240, "before_dispatch", "open"],
  ]);
  story.finish();
  expect(story.invoiced && supplyValue(story.invoiced)).toBe(22_240);
});

test("a paid chair is swapped for a dearer one: only the difference is due, and the invoice has the new chair", () => {
  const story = new Story(placed([chair], false, null));
  story.pay(22_240);
  story.change({ take_off: [{ id: line, quantity: 1, goods: "restock" }] }, [25_000]);
  expect(totals(story)).toEqual([25_250, 22_240, 0]);
  expect(schedule(story)).toEqual([
    ["full", 22_240, "now", "paid"],
    ["change", 3_010, "now", "due"],
  ]);
  expect(isHeldForBalance(story.record.order)).toBe(true);
  story.finish();
  expect(story.invoiced && supplyValue(story.invoiced)).toBe(25_250);
  expect(withoutEmptyLines(story.invoiced!).lines).toMatchObject([{ amount: 25_000 }]);
});

test("a waiver of what is due does not cover what is added later", () => {
  const story = new Story(placed([chair], false, 8_000));
  story.pay(8_000);
  story.move("ready_to_dispatch");
  const outcome = waivePart(story.record, "balance", "A regular buyer", story.now);
  if (outcome.kind !== "changed") throw new Error(outcome.kind);
  story.take(outcome.change);
  expect(isHeldForBalance(story.record.order)).toBe(false);
  story.change({}, [4_000]);
  expect(isHeldForBalance(story.record.order)).toBe(true);
  expect(schedule(story).map(([, , , state]) => state)).toEqual(["paid", "due", "due"]);
  expect(story.record.rows.timeline.at(-1)).toMatchObject({ type: "waiver_ended", public: false });
  story.pay(totals(story)[0]! - 8_000);
  expect(isHeldForBalance(story.record.order)).toBe(false);
});

test("what is added to a cash order after its delivery can be paid online, as it cannot be paid in cash", () => {
  const story = new Story(placed([chair], true, null));
  story.send();
  expect(mayPayBalance(story.record.order)).toBe(false);
  story.ship(0, { status: "delivered" });
  story.payCash();
  story.change({}, [settings.payments.cod.max_amount]);
  expect(isHeldForBalance(story.record.order)).toBe(true);
  expect(mayPayBalance(story.record.order)).toBe(true);
});

test("a delivered chair is swapped for a dearer one: the delivery that stays is neither credited nor invoiced again", () => {
  const story = delivered(chair);
  story.change({ take_back: [{ id: line, quantity: 1, goods: "restock" }] }, [25_000]);
  expect(totals(story)).toEqual([25_250, 22_240, 0]);
  expect(credited(story)).toEqual([[21_990, 1_677, 1_677, 0, 0]]);
  story.finish();
  expect(story.invoiced && supplyValue(story.invoiced)).toBe(25_250);
  const dearer = { id: story.record.order.items[1]!.id, quantity: 1, goods: "restock" as const };
  story.change({ take_back: [dearer] });
  // Both invoices are credited whole: 22,240 and 25,000.
  expect(credited(story).reduce((sum, [amount = 0]) => sum + amount, 0)).toBe(47_240);
});

test("a chair is swapped for a cheaper one, and the difference goes back", () => {
  const story = new Story(placed([chair], false, null));
  story.pay(22_240);
  story.change({ take_off: [{ id: line, quantity: 1, goods: "restock" }] }, [20_000]);
  expect(totals(story)).toEqual([20_250, 20_250, 0]);
  expect(schedule(story)).toEqual([["full", 20_250, "now", "paid"]]);
});

test("what is added to a cash order is paid on delivery within the limits for cash, and otherwise now", () => {
  const story = new Story(placed([chair], true, null));
  story.change({}, [4_000]);
  expect(schedule(story)).toEqual([
    ["full", 22_240, "on_delivery", "open"],
    ["change", 4_000, "on_delivery", "open"],
  ]);
  expect(isHeldForBalance(story.record.order)).toBe(false);
  const { max_amount } = settings.payments.cod;
  story.change({}, [max_amount]);
  expect(schedule(story)[1]).toEqual(["change", max_amount + 4_000, "now", "due"]);
  expect(isHeldForBalance(story.record.order)).toBe(true);
  story.pay(max_amount + 4_000);
  expect(isHeldForBalance(story.record.order)).toBe(false);
  expect(schedule(story).map(([, , , state]) => state)).toEqual(["open", "paid"]);
});

test("a cash order whose rug is refused at the door credits the rug's own tax alone", () => {
  const lamp = { quantity: 1, line_total: 5_000, tax: 381 };
  const rug = { quantity: 1, line_total: 3_360, tax: 180 };
  const story = new Story(placed([lamp, rug], true, null));
  story.move("ready_to_dispatch");
  story.pack();
  story.ship(0, { status: "packed" });
  story.ship(0, { status: "out_for_delivery" });
  const back = {
    id: lineIds[1]!,
    quantity: 1,
    then: "take_back" as const,
    goods: "restock" as const,
  };
  story.ship(0, { status: "delivered", back: [back] });
  expect([totals(story), amountDue(story.record.order)]).toEqual([[5_250, 0, 0], 5_250]);
  expect(credited(story)).toEqual([[3_360, 180, 180, 0, 0]]);
  story.pay(5_250);
  expect(story.record.order).toMatchObject({ status: "delivered", payment_status: "paid" });
});

describe("a lamp of 1,180 that is added when the chair has arrived", () => {
  const withLamp = (order: OrderRecord) => {
    const story = new Story(order);
    story.finish();
    story.change({}, [1_180]);
    return story;
  };
  const supplements = ({ record }: Story) =>
    Object.values(record.order.supplements ?? {}).map(({ supplied }) => [
      supplyValue(supplied),
      supplied.lines.map(({ quantity, taxes }) => [quantity, ...taxes]),
      supplied.rounding ?? 0,
    ]);

  test("makes the order ship again, and has a supplement with its own tax when it leaves", () => {
    const story = withLamp(placed([chair], false, null));
    const { supplied } = story.record.order;
    expect(story.record.order).toMatchObject({ status: "shipped", current: 22_240 + 1_180 });
    expect(supplements(story)).toEqual([]);
    story.finish();
    expect(supplements(story)).toEqual([[1_180, [[1, 90, 90]], 0]]);
    expect(story.record.order).toMatchObject({ status: "completed", supplied });
    story.check();
    // It comes back: the supplement is credited at the lamp's tax.
    story.change({
      take_back: [{ id: story.record.order.items[1]!.id, quantity: 1, goods: "restock" }],
    });
    expect(credited(story)).toEqual([[1_180, 90, 90, 0, 0]]);
    story.check();
  });

  test("and taken off before it leaves has neither a supplement nor a credit note", () => {
    const story = withLamp(placed([chair], false, null));
    story.change({
      take_off: [{ id: story.record.order.items[1]!.id, quantity: 1, goods: "restock" }],
    });
    expect([supplements(story), credited(story)]).toEqual([[], []]);
    expect(story.record.order).toMatchObject({ status: "delivered", current: 22_240 });
    story.check();
  });

  test("is not credited by a reduction of the whole before it leaves, which its supplement has less", () => {
    const story = withLamp(placed([chair], false, null));
    // 2,342 of 23,420 is a tenth: 2,199 of the chair, 25 of delivery and 118 of the lamp.
    story.change({ reduce: [{ id: null, amount: 2_342 }] });
    expect(credited(story).map(([amount]) => amount)).toEqual([2_199 + 25]);
    story.finish();
    expect(supplements(story)).toEqual([[1_062, [[1, 81, 81]], 0]]);
    story.check();
  });

  test("of a cash order rounds off what is paid at the door with the supplement", () => {
    const story = new Story(
      placed([{ quantity: 1, line_total: 8_377, tax: 600 }], true, null, 100),
    );
    story.move("ready_to_dispatch");
    story.pack();
    for (const status of ["packed", "out_for_delivery", "delivered"] as const) {
      story.ship(0, { status });
    }
    story.payCash();
    // 86.27 were paid with 86.00.
    expect(story.record.order).toMatchObject({ rounding: -27, received: 8_600 });
    story.change({}, [1_165]);
    story.pack();
    for (const status of ["packed", "out_for_delivery", "delivered"] as const) {
      story.ship(1, { status });
    }
    // 97.92 in all, less 86.00: 12.00 are paid, so 8 of the round off are left, and the supplement is up by 35.
    expect(supplements(story)).toEqual([[1_165, [[1, 89, 89]], 35]]);
    expect(story.record.order).toMatchObject({ rounding: 8, current: 9_800 });
    story.payCash();
    expect(story.record.order).toMatchObject({ received: 9_800, rounding: 8 });
    story.check();
  });
});

test("a cash order that is refused as a whole owes nothing and credits everything", () => {
  const story = new Story(placed([chair], true, null));
  story.move("ready_to_dispatch");
  story.pack();
  story.ship(0, { status: "packed" });
  story.ship(0, { status: "out_for_delivery" });
  const back = { ...items[0]!, then: "take_back" as const, goods: "restock" as const };
  story.ship(0, { status: "delivered", back: [back] });
  expect([totals(story), amountDue(story.record.order)]).toEqual([[0, 0, 0], 0]);
  expect(credited(story)).toEqual([[22_240, 1_677, 1_677, 19, 19]]);
  expect(story.record.order).toMatchObject({ status: "returned", payment_status: "failed" });
});

describe("a chair and a lamp, of whose price a lost dispute took a part", () => {
  const lamp = { quantity: 1, line_total: 1_000, tax: 76 };
  const disputed = (byHand: number) => {
    const story = new Story(placed([chair, lamp], false, null));
    story.pay(byHand);
    story.payOnline();
    story.dispute(1, "lost");
    story.finish();
    expect(story.record.order).toMatchObject({ current: 23_240, disputed: 23_240 - byHand });
    return story;
  };
  const chairBack = { id: line, quantity: 1, goods: "restock" as const };
  const lampBack = { ...chairBack, id: lineIds[1]! };
  const inCash = { method: "cod" as const, reference: "R", when: "now" as const };

  test("pay back in cash what is left once both are back", () => {
    const story = disputed(3_240);
    story.change({ take_back: [chairBack, lampBack], refund: inCash });
    expect(totals(story)).toEqual([0, 20_000, 3_240]);
    expect(surplusOf(story.record.order)).toBe(0);
    story.check();
  });

  test.each([
    [
      "a change",
      (story: Story) => {
        story.change({ take_back: [chairBack], refund: inCash });
      },
    ],
    [
      "a refund",
      (story: Story) => {
        story.refund({ items, restock: true, method: "cod" });
      },
    ],
  ])("pay back in cash by %s what the chair leaves over", (_, back) => {
    const story = disputed(22_240);
    back(story);
    // Of 23,240 the bank has 1,000, and lamp and delivery are worth 1,250.
    expect(totals(story)).toEqual([1_250, 2_250, 20_990]);
    expect(surplusOf(story.record.order)).toBe(0);
    story.check();
  });
});

test("of prices without tax, amounts are gross and documents add the tax", () => {
  const story = new Story(placed([{ quantity: 2, line_total: 2_360, tax: 180 }], false, null));
  story.record = {
    ...story.record,
    order: {
      ...story.record.order,
      items: story.record.order.items.map((item) => ({
        ...item,
        unit_price: 1_000,
        line_subtotal: 2_000,
        line_discount: 0,
      })),
    },
  };
  story.finish();
  story.refund({ items, restock: true });
  expect(totals(story)).toEqual([1_430, 1_430, 1_180]);
  const [credit] = creditsOf(story.record);
  expect(printedSupply(story.record.order, credit!.credit)).toMatchObject({
    lines: [{ quantity: 1, line_subtotal: 1_000, line_total: 1_180, tax: 180, taxable: 1_000 }],
    totals: { items_subtotal: 1_000, tax: 180, grand_total: 1_180 },
  });
});

test("a change that takes a lamp off, takes a chair back and reduces the rest pays back what is too much", () => {
  const story = new Story(
    placed([{ quantity: 2, line_total: 4_000, tax: 305 }, chair], false, null),
  );
  story.pay(26_240);
  story.move("ready_to_dispatch");
  story.pack([{ id: line, quantity: 2 }]);
  for (const status of ["packed", "out_for_delivery", "delivered"] as const) {
    story.ship(0, { status });
  }
  story.change({
    take_off: [{ id: lineIds[1]!, quantity: 1, goods: "restock" }],
    take_back: [{ id: line, quantity: 1, goods: "restock" }],
    reduce: [{ id: line, amount: 500 }],
  });
  // One lamp of 2,000 less 500, and delivery for 250.
  expect(totals(story)).toEqual([1_750, 1_750, 0]);
  expect(story.record.order).toMatchObject({
    status: "delivered",
    payment_status: "partially_refunded",
  });
  expect(credited(story).map(([amount]) => amount)).toEqual([24_490]);
});

test("free delivery becomes a white-glove one for 1,180: it is due now, and its tax is 90 of each on the invoice", () => {
  const story = new Story(placed([chair], false, null));
  const { order, rows } = story.record;
  const free = { shipping: 0, shipping_tax: 0, grand_total: 21_990 };
  story.record = {
    order: { ...order, totals: { ...order.totals, ...free }, current: 21_990 },
    rows,
  };
  story.pay(21_990);
  story.change({ shipping_method: "white_glove" });
  expect(totals(story)).toEqual([23_170, 21_990, 0]);
  expect(schedule(story)).toEqual([
    ["full", 21_990, "now", "paid"],
    ["change", 1_180, "now", "due"],
  ]);
  expect(story.record.order.totals).toMatchObject(free);
  expect(story.record.order).toMatchObject({
    shipping: { method: "white_glove", label: "White-glove delivery" },
    offers_slot: true,
  });
  story.finish();
  expect(story.invoiced?.shipping).toEqual({ amount: 1_180, taxes: [90, 90] });
  expect(printedSupply(story.record.order, story.invoiced!).totals).toMatchObject({
    shipping: 1_180,
    shipping_tax: 180,
  });
});

test("a paid delivery for 250 becomes a collection: the 250 go back, and the invoice has no delivery", () => {
  const story = new Story(placed([chair], false, null));
  story.pay(22_240);
  story.plan();
  story.change({ shipping_method: "pickup", refund: { when: "now", reference: "NEFT-1" } });
  expect(totals(story)).toEqual([21_990, 21_990, 250]);
  expect(story.record.order).toMatchObject({ payment_status: "partially_refunded", slot: null });
  story.finish();
  expect(story.invoiced?.shipping).toEqual({ amount: 0, taxes: [0, 0] });
});

test("a price of delivery replaces what it was reduced by before, and is reduced by what comes after", () => {
  const story = new Story(placed([chair], true, null));
  story.change({ reduce: [{ id: null, amount: 2_224 }] });
  // 25 of the 2,224 are delivery's.
  expect(story.record.order.current).toBe(22_240 - 2_224);
  story.change({ shipping: 500 });
  expect(story.record.order.current).toBe(22_240 - 2_224 + 25 + 250);
  story.change({ shipping_method: "pickup" });
  expect(story.record.order.current).toBe(22_240 - 2_224 + 25 - 250);
  expect(schedule(story)).toEqual([["full", 19_791, "on_delivery", "open"]]);
});

test("dearer delivery of an order with a deposit is due now, and no part grows by what makes it cheaper again", () => {
  const story = new Story(placed([chair], false, 8_000));
  story.pay(8_000);
  story.change({ shipping_method: "white_glove" });
  expect(schedule(story)).toEqual([
    ["deposit", 8_000, "now", "paid"],
    ["balance", 14_240, "before_dispatch", "open"],
    ["change", 930, "now", "due"],
  ]);
  story.change({ shipping_method: "pickup" });
  expect(schedule(story)).toEqual([
    ["deposit", 8_000, "now", "paid"],
    ["balance", 13_990, "before_dispatch", "open"],
  ]);
});
