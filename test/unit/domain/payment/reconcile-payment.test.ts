import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  GatewayPayment,
  GatewayRefund,
} from "#shared/domain/payment/gateway/gateway-payment.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import { refundStep, reconcilePayment } from "#shared/domain/payment/gateway/reconcile-payment.ts";
import { noon } from "#test/support/shop/commerce.ts";
import {
  aCharge,
  aRecord,
  aRefund,
  after,
  aMoneyContext,
} from "#test/support/shop/order-record.ts";

const base = aRecord({ payment_method: "gateway" });
const total = base.order.totals.grand_total;
const paymentOf = (overrides: Partial<GatewayPayment> = {}): GatewayPayment => {
  const state = overrides.state ?? "succeeded";
  return {
    id: "pi_1",
    order_id: base.order.id,
    state,
    amount: total,
    received: state === "succeeded" ? total : 0,
    currency: base.order.currency,
    decline_reason: null,
    refunds: [],
    disputes: [],
    ...overrides,
  };
};
const opened: OrderRecord = {
  order: base.order,
  rows: { ...base.rows, transactions: [openedCharge(paymentOf(), noon.toISOString())] },
};

/** The order after it was reconciled with this payment until nothing changed any more. */
function settled(record: OrderRecord, payment: GatewayPayment): OrderRecord {
  let latest = record;
  for (let step = 0; step < 50; step++) {
    const result = reconcilePayment(latest, payment, aMoneyContext());
    if (result.kind !== "changed") return latest;
    latest = after(latest, result.change);
  }
  throw new Error("Every reconciliation changes the order again");
}

/** The members to compare; mails and timeline may differ in order. */
const essence = ({ order, rows }: OrderRecord) => ({
  status: order.status,
  paid: order.paid,
  refunded: order.refunded,
  payment_status: order.payment_status,
  ledger: rows.transactions
    .map(({ id, type, state, amount, provider_ref }) => [id, type, state, amount, provider_ref])
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
});

const someRefund = fc.record({
  id: fc.constantFrom("re_1", "re_2"),
  state: fc.constantFrom<GatewayRefund["state"]>("pending", "succeeded", "failed"),
});
const someWords = fc
  .array(
    fc.record({
      state: fc.constantFrom<GatewayPayment["state"]>(
        "open",
        "processing",
        "failed",
        "cancelled",
        "succeeded",
      ),
      refunds: fc.uniqueArray(someRefund, { selector: ({ id }) => id, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((words) =>
    words.map(({ state, refunds }) =>
      paymentOf({
        state,
        // Only a captured payment can have refunds.
        refunds: (state === "succeeded" ? refunds : []).map((refund) => ({
          ...refund,
          amount: 100,
          transaction_id: null,
          refusal: null,
        })),
      }),
    ),
  );

describe("reconciling any sequence of payment states", () => {
  test("results in the same ledger for any order of the states, even with repeated ones", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(opened, base),
        someWords.chain((words) =>
          fc.tuple(
            fc.constant(words),
            fc.shuffledSubarray([...words, ...words, ...words], {
              minLength: 3 * words.length,
            }),
          ),
        ),
        (start, [words, repeated]) => {
          expect(essence(repeated.reduce(settled, start))).toEqual(
            essence(words.reduce(settled, start)),
          );
        },
      ),
    );
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(someWords, (words) => {
        const end = words.reduce(settled, opened);
        for (const word of words) {
          expect(reconcilePayment(end, word, aMoneyContext()).kind).toBe("known");
        }
      }),
    );
  });
});

describe("a reconciled gateway payment", () => {
  test("confirms the order if it succeeded, even after it was declined", () => {
    const declined = settled(opened, paymentOf({ state: "failed", decline_reason: "No funds." }));
    expect(declined.order).toMatchObject({ status: "pending_payment", payment_status: "failed" });
    const [asked, why] = declined.rows.timeline.slice(-2);
    expect(asked).toMatchObject({ type: "payment_failed", public: true });
    expect(asked?.message).not.toContain("No funds.");
    expect(why).toMatchObject({ message: expect.stringContaining("No funds."), public: false });
    const paid = settled(declined, paymentOf());
    expect(paid.order).toMatchObject({ status: "confirmed", payment_status: "paid", paid: total });
    expect(essence(settled(paid, paymentOf({ state: "failed" })))).toEqual(essence(paid));
  });

  test("confirms the order if it covers the total after an earlier payment was refunded", () => {
    const part = aCharge({ amount: 1_000 });
    const back = aRefund({ amount: 1_000 });
    const again: OrderRecord = {
      order: { ...base.order, paid: 1_000, refunded: 1_000, expires_at: null },
      rows: { ...base.rows, transactions: [part, back] },
    };
    expect(settled(again, paymentOf()).order.status).toBe("confirmed");
  });

  test("counts as paid again if its refund succeeds and later fails, and the buyer gets one timeline entry about the failure", () => {
    const refund = { id: "re_1", amount: 100, transaction_id: null, refusal: null } as const;
    const made = settled(opened, paymentOf({ refunds: [{ ...refund, state: "succeeded" }] }));
    expect(made.order).toMatchObject({ refunded: 100, payment_status: "partially_paid" });
    const refusal = { code: "lost_or_stolen_card", reason: "The card is lost." };
    const failed = { ...refund, state: "failed", refusal } as const;
    const bounced = settled(made, paymentOf({ refunds: [failed] }));
    const why = /Refund it in another way\. The gateway's reason: The card is lost\.$/;
    expect(bounced.order).toMatchObject({
      refunded: 0,
      payment_status: "paid",
      attention: [{ code: "refund_failed", message: expect.stringMatching(why) as string }],
    });
    const entries = bounced.rows.timeline.filter((entry) => entry.public).slice(-2);
    expect(entries.map(({ type }) => type)).toEqual(["refunded", "refund_failed"]);
    expect(entries.at(-1)?.message).toMatch(/A refund failed\. We will contact/);
    const again = paymentOf({ refunds: [{ ...refund, state: "succeeded" }] });
    expect(reconcilePayment(bounced, again, aMoneyContext()).kind).toBe("known");
  });

  test.each([
    ["that was announced as completed", "confirmed", "succeeded", true],
    ["of a cancelled order", "cancelled", "pending", true],
    ["that only staff know of", "confirmed", "pending", false],
  ] as const)(
    "with a failed refund %s (order %s, refund %s) notifies the buyer: %s",
    (_what, status, state, isAnnounced) => {
      const step = refundStep(
        { order: { ...base.order, status } },
        { state },
        { id: "txn_1", state: "failed" },
      );
      expect(step.events).toEqual(
        isAnnounced
          ? [{ type: "order_refund_failed", order_id: base.order.id, transaction_id: "txn_1" }]
          : [],
      );
      expect(step.entries?.map(({ type }) => type)).toEqual([
        ...(isAnnounced ? ["refund_failed"] : []),
        "refund_to_repeat",
      ]);
      expect(step.attention?.map(({ code }) => code)).toEqual(["refund_failed"]);
    },
  );

  test.each([
    ["a different amount", { amount: total - 1, received: total - 1 }],
    ["only a part of its amount captured", { received: total - 1 }],
    ["a different currency", { currency: "USD" }],
    ["the id of another order", { order_id: "ord_other" }],
    ["no order id", { order_id: null }],
  ])("is not applied if it has %s, and staff are notified once", (_what, wrong) => {
    const first = reconcilePayment(opened, paymentOf(wrong), aMoneyContext());
    if (first.kind !== "mismatch") throw new Error(first.kind);
    const flagged = after(opened, first.change);
    expect(flagged.order).toMatchObject({
      status: "pending_payment",
      paid: 0,
      attention: [{ code: "payment_mismatch" }],
    });
    const seen = { ...flagged, order: { ...flagged.order, attention: [] } };
    for (const known of [flagged, seen]) {
      expect(reconcilePayment(known, paymentOf(wrong), aMoneyContext())).toEqual({
        kind: "mismatch",
        change: null,
      });
    }
  });
});
