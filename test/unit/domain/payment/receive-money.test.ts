import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import { receivedIn } from "#shared/domain/payment/payment.ts";
import { receiveMoney } from "#shared/domain/payment/receive-money.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { PaymentInput, firstDayOf, recordPayment } from "#shared/domain/payment/record-payment.ts";
import type { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import { aCharge, aRecord, after, aMoneyContext } from "#test/support/shop/order-record.ts";

const total = aRecord().order.totals.grand_total;
const receive = (
  status: OrderStatus,
  amount: number,
  {
    stockAvailable = true,
    method = "bank_transfer",
    before = [],
  }: { stockAvailable?: boolean; method?: PaymentMethod; before?: number[] } = {},
) => {
  const earlier = before.map((sum, index) => aCharge({ id: `txn_${index}`, amount: sum }));
  const record = aRecord({ status }, { transactions: earlier });
  const arrived = aCharge({ id: "txn_new", amount, method });
  const change = receiveMoney(record, arrived, aMoneyContext({ stockAvailable }));
  return { ...after(record, change), change };
};
const flags = ({ order }: ReturnType<typeof receive>) => order.attention.map(({ code }) => code);

const over = new Set<OrderStatus>(["expired", "cancelled"]);
const amounts = fc.integer({ min: 1, max: 2 * total });

describe("a received payment", () => {
  test("is recorded in every order status, and is refunded in full if the order was cancelled or expired", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OrderStatus.options),
        amounts,
        fc.boolean(),
        (status, amount, stockAvailable) => {
          const { order, rows, change } = receive(status, amount, { stockAvailable });
          expect(order.paid).toBe(amount);
          const goesBack =
            over.has(status) && !(status === "expired" && stockAvailable && amount >= total);
          expect(receivedIn(rows.transactions)).toBe(goesBack ? 0 : amount);
          expect(change.checksAt).toHaveLength(goesBack ? 1 : 0);
          expect(order.status === status).toBe(
            goesBack || amount < total || !["pending_payment", "expired"].includes(status),
          );
          if (order.status === status) expect(change.stock.size).toBe(0);
        },
      ),
    );
  });

  test.each([
    [
      "a part of the total",
      total - 1,
      "pending_payment",
      ["part_paid"],
      ["order_payment_received"],
    ],
    ["the whole total", total, "confirmed", [], ["order_paid"]],
    ["more than the total", total + 1, "confirmed", ["overpaid"], ["order_paid"]],
  ])(
    "of %s updates the status of an order that awaits payment",
    (_what, amount, status, codes, mails) => {
      const received = receive("pending_payment", amount);
      expect(received.order).toMatchObject({ status, expires_at: null });
      expect(flags(received)).toEqual(codes);
      const types = received.change.events.map(({ type }) => type);
      expect(types.filter((type) => type !== "order_attention")).toEqual(mails);
    },
  );

  test("of the remaining amount confirms a partly paid order", () => {
    const { order } = receive("pending_payment", 100, { before: [total - 100] });
    expect(order).toMatchObject({ status: "confirmed", payment_status: "paid" });
  });

  test("confirms an expired order and reserves its stock again if the stock is available", () => {
    const revived = receive("expired", total);
    expect(revived.order.status).toBe("confirmed");
    expect(revived.change.stock.get(anId("var"))?.add).toMatchObject({
      reserved: 1,
      available: -1,
    });
    expect(flags(revived)).toEqual(["late_payment"]);
    const gone = receive("expired", total, { stockAvailable: false });
    expect(gone.order.status).toBe("expired");
  });

  test.each(["expired", "cancelled"] as const)(
    "is flagged if the order is %s; the flag states whether staff must refund the payment, and staff are notified",
    (status) => {
      const byHand = receive(status, total, { stockAvailable: false });
      expect(flags(byHand)).toEqual(["late_payment", "refund_to_make"]);
      const mails = byHand.change.events.map((event) => "code" in event && event.code);
      expect(mails).toEqual(["late_payment", "refund_to_make"]);
      const byGateway = receive(status, total, { stockAvailable: false, method: "gateway" });
      expect(byGateway.order.attention).toMatchObject([
        { code: "late_payment", message: expect.stringMatching(/It is refunded automatically\.$/) },
      ]);
    },
  );
});

describe("a payment recorded by staff", () => {
  const input = (of: Partial<PaymentInput> = {}) =>
    PaymentInput.parse({ amount: 100, method: "bank_transfer", reference: "UTR 1", ...of });
  const facts = { id: "txn_new", today: "2026-11-21", since: "2026-11-01" };
  const book = (of: Partial<PaymentInput>, transactions = [] as ReturnType<typeof aCharge>[]) =>
    recordPayment(aRecord({}, { transactions }), input(of), facts, aMoneyContext());

  test("must have a reference that is unique in the order, in any spelling and payment state", () => {
    for (const provider_ref of ["UTR 1", "utr1", "UTR1"]) {
      expect(book({}, [aCharge({ provider_ref })]).kind).toBe("repeated");
    }
    expect(book({}, [aCharge({ provider_ref: "UTR 2" })]).kind).toBe("recorded");
    expect(book({}, [aCharge({ provider_ref: "UTR1", method: "gateway" })]).kind).toBe("recorded");
    expect(book({ method: "cod", reference: null }, [aCharge()]).kind).toBe("recorded");
  });

  test("must be in the order's currency, and dated neither in the future nor before the order", () => {
    expect(book({ currency: "USD" })).toMatchObject({ kind: "refused", path: "currency" });
    expect(book({ received_on: "2026-11-22" })).toMatchObject({ path: "received_on" });
    expect(book({ received_on: "2026-10-31" })).toMatchObject({ path: "received_on" });
    expect(book({ received_on: "2026-11-01" }).kind).toBe("recorded");
    expect(book({ received_on: "2026-11-21", currency: "INR" }).kind).toBe("recorded");
  });

  test("may be dated from the day of the order or of its oldest quote, in the shop's time zone", () => {
    const at = (time: string) => new Date(time);
    const quoteOf = (time: string) => ({ id: newId("qte", at(time)), revision: 1 });
    const placed_at = "2026-11-21T19:00:00.000Z";
    const day = (...quotes: ReturnType<typeof quoteOf>[]) =>
      firstDayOf({ placed_at, quotes }, "Asia/Kolkata");
    expect(day()).toBe("2026-11-22");
    expect(day(quoteOf("2026-11-20T18:29:00Z"), quoteOf("2026-11-21T00:00:00Z"))).toBe(
      "2026-11-20",
    );
  });

  test("adds a staff-only timeline entry with amount, date and method", () => {
    const outcome = book({ note: "By hand" });
    if (outcome.kind !== "recorded") throw new Error(outcome.kind);
    expect(outcome.change.entries.at(-1)).toEqual({
      at: noon.toISOString(),
      type: "payment_recorded",
      message: "A transfer of ₹1.00 was received on 2026-11-21, reference UTR 1. By hand",
      public: false,
    });
    expect(outcome.change.transactions[0]).toMatchObject({ received_on: "2026-11-21" });
  });
});
