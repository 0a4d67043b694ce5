import { expect, test } from "vitest";
import {
  missCash,
  completeOrder,
  nextCheckAfter,
} from "#shared/domain/order/status/order-timers-after.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aMoneyContext, aRecord, after } from "#test/support/shop/order-record.ts";

const days = (count: number) => new Date(noon.getTime() + count * 86_400_000);
const delivered = (payment_method: "cod" | "bank_transfer") =>
  aRecord({ status: "delivered", payment_method, delivered_at: noon.toISOString() });

test("a cash order delivered without its cash is flagged after a day, once, and does not complete", () => {
  const record = delivered("cod");
  expect(missCash(record, days(0.9))).toBeUndefined();
  expect(nextCheckAfter(record, 7, days(0.5))).toBe(days(1).toISOString());
  const flagged = after(record, missCash(record, days(1)));
  expect(flagged.order.attention).toMatchObject([{ code: "cash_missing" }]);
  expect(flagged.rows.timeline.at(-1)).toMatchObject({ type: "cash_missing", public: false });
  expect(missCash(flagged, days(2))).toBeUndefined();
  expect(nextCheckAfter(flagged, 7, days(2))).toBeNull();
  expect(completeOrder(flagged, 7, days(8))).toBeUndefined();
});

test("the flag goes with the cash, and a check completes the order", () => {
  const record = after(delivered("cod"), missCash(delivered("cod"), days(1)));
  const input = { amount: record.order.current!, tender: "cash" as const };
  const facts = { id: "txn_1", today: "2026-12-31", since: "2026-11-01" };
  const outcome = recordPayment(record, input, facts, aMoneyContext({ now: days(9) }));
  if (outcome.kind !== "recorded") throw new Error(outcome.kind);
  expect(outcome.change.checksAt).toEqual([days(9).toISOString()]);
  const paid = after(record, outcome.change);
  expect(paid.order.attention).toEqual([]);
  expect(completeOrder(paid, 7, days(9))?.order.status).toBe("completed");
});

test("what is due otherwise does not keep an order from completing", () => {
  const record = delivered("bank_transfer");
  expect(missCash(record, days(2))).toBeUndefined();
  expect(completeOrder(record, 7, days(8))?.order.status).toBe("completed");
});
