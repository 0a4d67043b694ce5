import { describe, expect, test } from "vitest";
import { creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { printedSupply } from "#shared/domain/order/invoice/invoice-view.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import { surplusOf } from "#shared/domain/payment/owing.ts";
import { Story, credited, lineIds, placed } from "#test/support/shop/order-story.ts";

describe("a cash order with paise, whose lamp costs 50.00, its rug 33.77 and delivery 2.50", () => {
  const cash = ({ record: { order } }: Story) => {
    const { current, rounding, due, cash_due, paid } = totalsNow(order);
    return { current, rounding, due, cash_due, paid };
  };
  const withRug = (line_total: number) => {
    const lamp = { quantity: 1, line_total: 5_000, tax: 381 };
    const rug = { quantity: 1, line_total, tax: 181 };
    return new Story(placed([lamp, rug], true, null, 100));
  };
  const onItsWay = () => {
    const story = withRug(3_377);
    story.send();
    return story;
  };
  const creditNotes = ({ record }: Story) =>
    creditsOf(record).map(({ credit }) => printedSupply(record.order, credit).totals.grand_total);
  const refused = (position: number) => ({
    id: lineIds[position]!,
    quantity: 1,
    then: "take_back" as const,
    goods: "restock" as const,
  });

  test("is rounded off with its invoice, and paid with 86.00", () => {
    expect(cash(withRug(3_377))).toEqual({
      current: 8_627,
      rounding: 0,
      due: 8_627,
      cash_due: 8_600,
      paid: 0,
    });
    const story = onItsWay();
    expect(cash(story)).toEqual({
      current: 8_600,
      rounding: -27,
      due: 8_600,
      cash_due: 8_600,
      paid: 0,
    });
    expect(printedSupply(story.record.order, story.record.order.supplied!).totals).toMatchObject({
      shipping: 250,
      rounding: -27,
      grand_total: 8_600,
    });
    story.ship(0, { status: "delivered" });
    story.payCash();
    expect(cash(story)).toMatchObject({ current: 8_600, rounding: -27, due: 0, paid: 8_600 });
    expect(story.record.order).toMatchObject({ status: "delivered", payment_status: "paid" });
    expect(credited(story)).toEqual([]);
  });

  test("whose rug is refused at the door is rounded anew with the credit note: 52.50 are paid with 53.00", () => {
    const story = onItsWay();
    story.ship(0, { status: "delivered", back: [refused(1)] });
    expect(cash(story)).toMatchObject({
      current: 5_300,
      rounding: 50,
      due: 5_300,
      cash_due: 5_300,
    });
    // The invoice of 86.00 less the credit note is what is paid: 33.77 are rounded off by 0.27 + 0.50.
    expect(credited(story)).toEqual([[3_377, 181, 181, 0, 0]]);
    expect(creditNotes(story)).toEqual([3_300]);
    story.payCash();
    expect(cash(story)).toMatchObject({ current: 5_300, rounding: 50, due: 0, paid: 5_300 });
    // The lamp comes back later. Nothing else counts, so its rest of 53.00 is a surplus.
    story.refund({ items: [{ id: lineIds[0]!, quantity: 1 }], restock: true });
    expect(cash(story)).toMatchObject({ current: 0, rounding: 0, due: 0 });
    expect(story.record.order).toMatchObject({ received: 300, refunded: 5_000 });
    // Its credit note takes the rest of the round off back: together they are the 86.00 of the invoice.
    expect(creditNotes(story)).toEqual([3_300, 5_300]);
    story.refund({ amount: 300 });
    expect(story.record.order).toMatchObject({ received: 0, payment_status: "refunded" });
  });

  test("of which 50.00 came by transfer pays the rest in whole rupees, whatever is reduced at the door", () => {
    const story = onItsWay();
    story.pay(5_000);
    story.change({ reduce: [{ id: lineIds[1]!, amount: 1_000 }] });
    // 76.27 less 50.00 are 26.27: 26.00 are paid, as with the invoice.
    expect(cash(story)).toMatchObject({ rounding: -27, due: 2_600, cash_due: 2_600 });
    story.change({ reduce: [{ id: lineIds[1]!, amount: 1_060 }] });
    // 15.67 are paid with 16.00.
    expect(cash(story)).toMatchObject({ rounding: 33, due: 1_600, cash_due: 1_600 });
    expect(creditNotes(story)).toEqual([1_000, 1_000]);
    story.payCash();
    expect(cash(story)).toMatchObject({ current: 6_600, rounding: 33, due: 0, paid: 6_600 });
  });

  test.each([
    [3_377, -27, 3_350],
    [3_417, 33, 3_450],
  ])(
    "with a rug of %d of which 53.00 came by transfer owes nothing once the rug is refused, and 0.50 go back",
    (price, rounding, credit) => {
      const story = withRug(price);
      story.send();
      story.pay(5_300);
      expect(cash(story)).toMatchObject({ rounding, due: 5_250 + price + rounding - 5_300 });
      story.ship(0, { status: "delivered", back: [refused(1)] });
      expect(cash(story)).toMatchObject({ current: 5_250, rounding: 0, due: 0, cash_due: 0 });
      expect(surplusOf(story.record.order)).toBe(50);
      // The invoice in whole rupees less the credit note is the lamp with its delivery.
      expect(creditNotes(story)).toEqual([credit]);
    },
  );

  test("keeps what was rounded when it was paid, also after a lamp that was added is refused", () => {
    const story = onItsWay();
    story.ship(0, { status: "delivered" });
    story.payCash();
    story.change({}, [3_000]);
    story.change({ reduce: [{ id: lineIds[1]!, amount: 2_000 }], refund: { when: "later" } });
    const added = story.record.order.items[2]!.id;
    story.change({
      take_off: [{ id: added, quantity: 1, goods: "restock" }],
      refund: { when: "later" },
    });
    // 86.00 were paid for 86.27, less 20.00.
    expect(cash(story)).toMatchObject({ current: 6_600, rounding: -27, due: 0, paid: 8_600 });
    expect(surplusOf(story.record.order)).toBe(2_000);
  });

  test("of which UPI paid what was rounded owes nothing after what is added and refused later", () => {
    const story = withRug(3_417);
    story.send();
    story.ship(0, { status: "delivered" });
    story.payByUpi();
    expect(cash(story)).toMatchObject({ current: 8_700, rounding: 33, due: 0 });
    story.change({}, [1_233]);
    const added = story.record.order.items[2]!.id;
    story.pack();
    story.ship(1, { status: "packed" });
    story.ship(1, { status: "out_for_delivery" });
    expect(cash(story)).toMatchObject({ rounding: 0, due: 1_200 });
    const back = { id: added, quantity: 1, then: "take_back" as const, goods: "restock" as const };
    story.ship(1, { status: "delivered", back: [back] });
    expect(cash(story)).toMatchObject({ current: 8_700, rounding: 33, due: 0 });
    expect(surplusOf(story.record.order)).toBe(0);
  });

  test("whose rug is swapped for a lamp that is then taken off pays 53.00, as its documents say", () => {
    const story = onItsWay();
    story.ship(0, { status: "delivered" });
    const goods = "restock" as const;
    story.change({ take_back: [{ id: lineIds[1]!, quantity: 1, goods }] }, [4_433]);
    const added = story.record.order.items[2]!.id;
    story.change({ take_off: [{ id: added, quantity: 1, goods }] });
    expect(cash(story)).toMatchObject({ current: 5_300, due: 5_300, cash_due: 5_300 });
    expect(creditNotes(story)).toEqual([3_300]);
    story.check();
  });

  test("stays rounded by the payment of 86.00 when another entry of cash is voided", () => {
    const story = withRug(3_377);
    story.payCash();
    story.pay(500);
    story.void(1);
    expect(cash(story)).toMatchObject({ current: 8_600, rounding: -27, due: 0, paid: 8_600 });
    story.void(0);
    expect(cash(story)).toMatchObject({ current: 8_627, rounding: 0, due: 8_627, paid: 0 });
  });

  test("is worth nothing once all but less than its round off is taken off", () => {
    const story = onItsWay();
    story.ship(0, { status: "delivered" });
    story.payCash();
    const refund = { when: "now" as const, reference: "R" };
    story.change({ reduce: [{ id: null, amount: 8_620 }], refund });
    expect(cash(story)).toMatchObject({ current: 0, due: 0, paid: 8_600 });
    expect(story.record.order).toMatchObject({ received: 0, refunded: 8_600 });
  });

  test("that is refused as a whole owes nothing, and nothing is rounded", () => {
    const story = onItsWay();
    story.ship(0, { status: "delivered", back: [refused(0), refused(1)] });
    expect(cash(story)).toEqual({ current: 0, rounding: 0, due: 0, cash_due: 0, paid: 0 });
    expect(credited(story).map(([amount]) => amount)).toEqual([8_627]);
    expect(creditNotes(story)).toEqual([8_600]);
  });

  test.each([
    ["pays 33.50 back in cash as 34.00", {}],
    ["pays the 34.00 that staff state", { amount: 3_400 }],
  ])("whose rug comes back later %s, with a credit note of 34.00", (_, stated) => {
    const story = onItsWay();
    story.ship(0, { status: "delivered" });
    story.payCash();
    story.refund({ items: [{ id: lineIds[1]!, quantity: 1 }], restock: true, ...stated });
    // 86.00 were received for what is worth 52.50: 33.50 are paid back as 34.00.
    expect(cash(story)).toMatchObject({ current: 5_200, rounding: -50, due: 0, paid: 8_600 });
    expect(story.record.order).toMatchObject({ received: 5_200, refunded: 3_400 });
    expect(creditNotes(story)).toEqual([3_400]);
  });

  test("is not rounded by a transfer, nor by cash of another amount", () => {
    const story = onItsWay();
    story.pay(8_000);
    expect(cash(story)).toMatchObject({ rounding: -27, due: 600, cash_due: 600 });
    const before = new Story(placed([{ quantity: 1, line_total: 814, tax: 62 }], true, null, 100));
    before.pay(1_000);
    expect(cash(before)).toMatchObject({ rounding: 0, due: 64, cash_due: 100 });
    before.payCash();
    expect(cash(before)).toMatchObject({ current: 1_100, rounding: 36, due: 0 });
  });
});
