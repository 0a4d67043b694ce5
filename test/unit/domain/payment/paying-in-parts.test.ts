import { describe, expect, test } from "vitest";
import { changePaymentMethod } from "#shared/domain/checkout/change-payment-method.ts";
import { creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { supplyValue } from "#shared/domain/order/invoice/supply.ts";
import { advancesOf } from "#shared/domain/order/invoice/vouchers.ts";
import { changeOf } from "#shared/domain/order/order-change.ts";
import { followBalance } from "#shared/domain/order/status/balance.ts";
import { type CancellationTerms, cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import { amountToPay } from "#shared/domain/payment/owing.ts";
import { paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import { completeRefund } from "#shared/domain/payment/refund/complete-refund.ts";
import type { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { someSettings } from "#test/support/shop/commerce.ts";
import { Story, placed } from "#test/support/shop/order-story.ts";

type Plan = "full" | "deposit";

/** An order of 1,000, of which the deposit is 200. */
function inParts(plan: Plan, payment_method: PaymentMethod) {
  const deposit = plan === "deposit" ? 200 : null;
  const line = { quantity: 1, line_total: 750, tax: 57 };
  const { order, rows } = placed([line], payment_method === "cod", deposit);
  return { order: { ...order, payment_method }, rows };
}

/** The story of an order whose parts are paid by different methods. */
class PartsStory extends Story {
  /** The buyer chooses a method for what is due next. */
  choose(to: PaymentMethod): void {
    const options = { settings: someSettings(), gatewayReady: true, now: this.now };
    const outcome = changePaymentMethod(this.record, to, options);
    if (outcome.kind === "changed") this.take(outcome.change);
    else if (outcome.kind !== "same") throw new Error(outcome.message);
  }
  private open(amount: number): string {
    const id = `pi_${this.newId()}`;
    const opened = openedCharge({ id, amount }, this.now.toISOString());
    this.take(changeOf(this.record, { transactions: [opened] }, this.now));
    return id;
  }
  /** Money arrives: what is due next, or this amount of it. */
  payBy(method: PaymentMethod, amount?: number): void {
    const due = amountToPay(this.record.order);
    const received = amount ?? due;
    if (method === "gateway") {
      const payment = this.gatewayPayment({ id: this.open(due), amount: due });
      this.reconcile({ ...payment, received });
      return;
    }
    const input = { amount: received, method, reference: this.newId() };
    const facts = { id: this.newId(), today: "2026-12-31", since: "2026-11-01" };
    const outcome = recordPayment(this.record, input, facts, this.context);
    if (outcome.kind !== "recorded") throw new Error(outcome.kind);
    this.take(outcome.change);
  }
  /** The buyer pays what is due next twice. */
  payTwice(method: PaymentMethod): void {
    const amount = amountToPay(this.record.order);
    if (method === "gateway") {
      for (const id of [this.open(amount), this.open(amount)]) {
        this.reconcile(this.gatewayPayment({ id, amount }));
      }
      return;
    }
    this.payBy(method, amount);
    this.payBy(method, amount);
  }
  decline(): void {
    const amount = amountToPay(this.record.order);
    const payment = this.gatewayPayment({ id: this.open(amount), amount });
    this.reconcile({ ...payment, state: "failed", received: 0 });
  }
  cancelBy(by: "customer" | CancellationTerms): "cancelled" | "refused" {
    const outcome =
      by === "customer"
        ? cancelOrder(this.record, "customer", this.context)
        : cancelOrder(this.record, "staff", this.context, by);
    if (outcome.kind !== "cancelled") return "refused";
    this.take(outcome.change);
    return "cancelled";
  }
  /** Time passes, with the scheduled checks. */
  wait(days: number): void {
    this.now = new Date(this.now.getTime() + days * 86_400_000);
    this.take(followBalance(this.record, this.now) ?? undefined);
  }
  /** Sends all units. Returns why not, if it is refused. */
  dispatch(): string {
    this.move("ready_to_dispatch");
    this.pack();
    this.ship(0, { status: "packed" });
    const outcome = this.ship(0, { status: "out_for_delivery" });
    return outcome === "changed" ? "dispatched" : outcome;
  }
  comeBack(): void {
    this.ship(0, { status: "delivery_failed" });
    this.ship(0, { status: "returned_to_origin", then: "take_back" });
  }
  /** The present state, and the documents that the order has once its pending refunds are made. */
  end() {
    const { order, rows } = this.record;
    return {
      status: order.status,
      payment_status: order.payment_status,
      ledger: rows.transactions.map(
        ({ type, state, amount, method }) => `${type} ${amount} ${method} ${state}`,
      ),
      schedule: paymentSchedule(this.record).map(
        ({ code, state, due }) => `${code} ${state} ${due}`,
      ),
      attention: [...new Set(order.attention.map(({ code }) => code))],
      retained: totalsNow(order).retained,
      documents: this.documents(),
    };
  }
  /** The documents besides the confirmation, with their amounts. */
  private documents(): string[] {
    for (const [position, { id, type, state, method }] of this.record.rows.transactions.entries()) {
      if (type !== "refund" || state !== "pending") continue;
      if (method === "gateway") this.answerRefund(position, "succeeded");
      else {
        const made = completeRefund(this.record, id, `NEFT ${id}`, this.now);
        if (made.kind === "changed") this.take(made.change);
      }
    }
    const { supplied } = this.record.order;
    return [
      ...advancesOf(this.record).map(({ type, amount }) => `${type} ${amount}`),
      ...(supplied ? [`invoice ${supplyValue(supplied)}`] : []),
      ...creditsOf(this.record).map(({ credit }) => `credit_note ${supplyValue(credit)}`),
    ];
  }
}

type End = Partial<ReturnType<PartsStory["end"]>>;
type Prepaid = Exclude<PaymentMethod, "cod">;

const prepaid = ["gateway", "bank_transfer"] as const satisfies readonly Prepaid[];
const methods = [...prepaid, "cod"] as const;

/** An event in the life of an order, with the state that it ends in. */
interface Row {
  readonly event: string;
  readonly happens: (story: PartsStory) => void;
  readonly end: End;
  /** All documents besides the confirmation, once pending refunds are made. */
  readonly documents: readonly string[];
}

/** An event of an order whose parts are paid by `first` and `second`. */
interface Case extends Row {
  readonly plan: Plan;
  readonly first: PaymentMethod;
  readonly second: PaymentMethod | null;
}
const casesOf = (of: Pick<Case, "plan" | "first" | "second">, rows: readonly Row[]): Case[] =>
  rows.map((row) => ({ ...of, ...row }));

const charged = (amount: number, method: PaymentMethod, state = "succeeded") =>
  `charge ${amount} ${method} ${state}`;
const refunding = (amount: number, method: PaymentMethod) => `refund ${amount} ${method} pending`;
const toMake = (...by: PaymentMethod[]): NonNullable<End["attention"]> =>
  by.some((method) => method !== "gateway") ? ["refund_to_make"] : [];
/** Gateway charges are refunded first, then the latest charge. */
const refundOrder = (
  first: PaymentMethod,
  second: PaymentMethod,
  [one, two]: readonly [number, number],
) =>
  first === "gateway" && second !== "gateway"
    ? [refunding(one, first), refunding(two, second)]
    : [refunding(two, second), refunding(one, first)];

/** The voucher of a paid deposit. */
const received = ["receipt_voucher 200"];

/** The deposit is what matters; the balance stays unpaid. */
const depositCases = (first: Prepaid): Case[] => {
  const of = { plan: "deposit", first, second: null } as const;
  const open = ["deposit paid now", "balance open before_dispatch"];
  const due = ["deposit due now", "balance open before_dispatch"];
  const ended = ["deposit open now", "balance open before_dispatch"];
  return casesOf(of, [
    {
      event: "paid",
      documents: received,
      happens: (story) => story.payBy(first),
      end: {
        status: "confirmed",
        payment_status: "partially_paid",
        ledger: [charged(200, first)],
        schedule: open,
        attention: [],
      },
    },
    {
      event: "short",
      documents: [],
      happens: (story) => story.payBy(first, 150),
      end:
        first === "gateway"
          ? {
              status: "pending_payment",
              ledger: [charged(200, first, "pending")],
              schedule: due,
              attention: ["payment_mismatch"],
            }
          : {
              status: "pending_payment",
              payment_status: "partially_paid",
              ledger: [charged(150, first)],
              schedule: due,
              attention: ["part_paid"],
            },
    },
    {
      event: "double",
      documents: received,
      happens: (story) => story.payTwice(first),
      end: {
        status: "confirmed",
        payment_status: "partially_paid",
        ledger: [charged(200, first), charged(200, first)],
        schedule: open,
        attention: ["part_paid"],
      },
    },
    {
      event: "late",
      documents: received,
      happens(story) {
        story.expire();
        story.payBy(first, 200);
      },
      end: {
        status: "confirmed",
        ledger: [charged(200, first)],
        schedule: open,
        attention: ["late_payment"],
      },
    },
    {
      event: "declined",
      documents: [],
      happens: (story) => story.decline(),
      end: {
        status: "pending_payment",
        ledger: [charged(200, "gateway", "failed")],
        schedule: due,
        attention: [],
      },
    },
    {
      event: "cancelled by the shop",
      documents: [...received, "refund_voucher 200"],
      happens(story) {
        story.payBy(first);
        story.cancelBy({ requested_by: "shop", keep_amount: 0 });
      },
      end: {
        status: "cancelled",
        ledger: [charged(200, first), refunding(200, first)],
        retained: 0,
        attention: toMake(first),
      },
    },
    {
      event: "cancelled by staff for the buyer, who loses a part",
      documents: [...received, "refund_voucher 50"],
      happens(story) {
        story.payBy(first);
        story.cancelBy({ requested_by: "buyer", keep_amount: 150 });
      },
      end: {
        status: "cancelled",
        ledger: [charged(200, first), refunding(50, first)],
        retained: 150,
        attention: toMake(first),
      },
    },
    {
      event: "cancelled by staff for the buyer, who loses all",
      documents: received,
      happens(story) {
        story.payBy(first);
        story.cancelBy({ requested_by: "buyer", keep_amount: 200 });
      },
      end: {
        status: "cancelled",
        payment_status: "paid",
        ledger: [charged(200, first)],
        schedule: open,
        retained: 200,
        attention: [],
      },
    },
    {
      event: "late after a cancellation that kept it",
      documents: received,
      happens(story) {
        story.payBy(first);
        story.cancelBy({ requested_by: "buyer", keep_amount: 200 });
        story.payBy("bank_transfer", 800);
      },
      end: {
        status: "cancelled",
        ledger: [
          charged(200, first),
          charged(800, "bank_transfer"),
          refunding(800, "bank_transfer"),
        ],
        retained: 200,
      },
    },
    {
      event: "cancelled by the buyer",
      documents: [...received, "refund_voucher 200"],
      happens(story) {
        story.payBy(first);
        expect(story.cancelBy("customer")).toBe("cancelled");
      },
      end: { status: "cancelled", ledger: [charged(200, first), refunding(200, first)] },
    },
    {
      event: "cancelled by the buyer before it was paid",
      documents: [],
      happens: (story) => void story.cancelBy("customer"),
      end: { status: "cancelled", payment_status: "failed", ledger: [], schedule: ended },
    },
    {
      event: "not refundable any more for the buyer",
      documents: received,
      happens(story) {
        story.payBy(first);
        story.move("ready_to_dispatch");
        expect(story.cancelBy("customer")).toBe("refused");
      },
      end: {
        status: "ready_to_dispatch",
        ledger: [charged(200, first)],
        schedule: ["deposit paid now", "balance due before_dispatch"],
      },
    },
    {
      event: "dispatched with the balance open",
      documents: received,
      happens(story) {
        story.payBy(first);
        expect(story.dispatch()).toBe("balance_due");
      },
      end: {
        status: "ready_to_dispatch",
        ledger: [charged(200, first)],
        schedule: ["deposit paid now", "balance due before_dispatch"],
      },
    },
  ]);
};

/** The deposit is paid by `first`, and the balance by `second`. */
const balanceCases = (first: Prepaid, second: PaymentMethod): Case[] => {
  const of = { plan: "deposit", first, second } as const;
  const inCash = second === "cod";
  const due = inCash ? "on_delivery" : "before_dispatch";
  const both = [charged(200, first), charged(800, second)];
  const allPaid = ["deposit paid now", `balance paid ${due}`];
  const invoiced = [...received, "invoice 1000"];
  const ready = (story: PartsStory) => {
    story.payBy(first);
    story.choose(second);
    story.move("ready_to_dispatch");
  };
  return casesOf(of, [
    {
      event: "paid early",
      documents: received,
      happens(story) {
        story.payBy(first);
        story.choose(second);
        story.payBy(second);
      },
      end: {
        status: "confirmed",
        payment_status: "paid",
        ledger: both,
        schedule: allPaid,
        attention: [],
      },
    },
    {
      event: "short",
      documents: received,
      happens(story) {
        ready(story);
        story.payBy(second, 500);
      },
      end:
        second === "gateway"
          ? {
              ledger: [charged(200, first), charged(800, second, "pending")],
              schedule: ["deposit paid now", `balance due ${due}`],
              attention: ["payment_mismatch"],
            }
          : {
              payment_status: "partially_paid",
              ledger: [charged(200, first), charged(500, second)],
              schedule: ["deposit paid now", `balance due ${due}`],
              attention: ["part_paid"],
            },
    },
    {
      event: "double",
      documents: received,
      happens(story) {
        ready(story);
        story.payTwice(second);
      },
      end: {
        payment_status: "overpaid",
        ledger: [...both, charged(800, second)],
        schedule: allPaid,
        attention: ["overpaid"],
      },
    },
    {
      event: "late",
      documents: received,
      happens(story) {
        ready(story);
        story.wait(3);
        story.wait(5);
        expect(story.end().attention).toEqual(inCash ? [] : ["balance_overdue"]);
        story.payBy(second);
      },
      end: { payment_status: "paid", ledger: both, schedule: allPaid, attention: [] },
    },
    {
      event: "declined, then paid",
      documents: received,
      happens(story) {
        ready(story);
        if (!inCash) story.decline();
        story.payBy(second);
      },
      end: {
        payment_status: "paid",
        ledger: inCash ? both : [both[0]!, charged(800, "gateway", "failed"), both[1]!],
        schedule: allPaid,
      },
    },
    {
      event: "cancelled by the shop",
      documents: [...received, "refund_voucher 200"],
      happens(story) {
        ready(story);
        story.payBy(second);
        story.cancelBy({ requested_by: "shop", keep_amount: 0 });
      },
      end: {
        status: "cancelled",
        ledger: [...both, ...refundOrder(first, second, [200, 800])],
        retained: 0,
        attention: toMake(first, second),
      },
    },
    {
      event: "cancelled by staff for the buyer, who loses the deposit",
      documents: received,
      happens(story) {
        ready(story);
        story.payBy(second);
        story.cancelBy({ requested_by: "buyer", keep_amount: 200 });
      },
      end: {
        status: "cancelled",
        ledger: [
          ...both,
          ...(first === "gateway" && second !== "gateway"
            ? refundOrder(first, second, [200, 600])
            : [refunding(800, second)]),
        ],
        retained: 200,
      },
    },
    {
      event: "dispatched",
      documents: invoiced,
      happens(story) {
        ready(story);
        if (!inCash) story.payBy(second);
        expect(story.dispatch()).toBe("dispatched");
      },
      end: {
        status: "shipped",
        ledger: inCash ? [both[0]!] : both,
        schedule: inCash ? ["deposit paid now", "balance due on_delivery"] : allPaid,
        attention: [],
      },
    },
    {
      event: "delivered",
      documents: invoiced,
      happens(story) {
        ready(story);
        if (!inCash) story.payBy(second);
        story.dispatch();
        story.ship(0, { status: "delivered" });
        if (inCash) story.payBy(second);
      },
      end: { status: "delivered", payment_status: "paid", ledger: both, schedule: allPaid },
    },
    {
      event: "came back",
      documents: [...invoiced, "credit_note 1000"],
      happens(story) {
        ready(story);
        if (!inCash) story.payBy(second);
        story.dispatch();
        story.comeBack();
      },
      end: {
        status: "returned",
        payment_status: "overpaid",
        ledger: inCash ? [both[0]!] : both,
        schedule: ["deposit open now", `balance open ${due}`],
        attention: ["overpaid"],
      },
    },
  ]);
};

const fullCases = (first: PaymentMethod): Case[] => {
  const of = { plan: "full", first, second: null } as const;
  const inCash = first === "cod";
  const due = inCash ? "on_delivery" : "now";
  const waits = inCash ? "confirmed" : "pending_payment";
  const paid = [charged(1_000, first)];
  return casesOf(of, [
    {
      event: "paid",
      documents: [],
      happens: (story) => story.payBy(first),
      end: {
        status: "confirmed",
        payment_status: "paid",
        ledger: paid,
        schedule: [`full paid ${due}`],
      },
    },
    {
      event: "short",
      documents: [],
      happens: (story) => story.payBy(first, 600),
      end:
        first === "gateway"
          ? {
              status: waits,
              ledger: [charged(1_000, first, "pending")],
              attention: ["payment_mismatch"],
            }
          : {
              status: waits,
              payment_status: "partially_paid",
              ledger: [charged(600, first)],
              schedule: [`full ${inCash ? "open" : "due"} ${due}`],
              attention: ["part_paid"],
            },
    },
    {
      event: "double",
      documents: [],
      happens: (story) => story.payTwice(first),
      end: {
        payment_status: "overpaid",
        ledger: [...paid, ...paid],
        schedule: [`full paid ${due}`],
        attention: ["overpaid"],
      },
    },
    {
      event: "late",
      documents: [],
      happens(story) {
        story.expire();
        story.payBy(first, 1_000);
      },
      end: {
        status: "confirmed",
        ledger: paid,
        schedule: [`full paid ${due}`],
        attention: inCash ? [] : ["late_payment"],
      },
    },
    {
      event: "declined",
      documents: [],
      happens: (story) => story.decline(),
      end: {
        status: waits,
        ledger: [charged(1_000, "gateway", "failed")],
        schedule: [`full ${inCash ? "open" : "due"} ${due}`],
      },
    },
    ...(
      [
        "customer",
        { requested_by: "shop", keep_amount: 0 },
        { requested_by: "buyer", keep_amount: 0 },
      ] as const
    ).map((by): Row => ({
      event: `cancelled by ${by === "customer" ? "the buyer" : `staff for the ${by.requested_by}`}`,
      documents: [],
      happens(story) {
        story.payBy(first);
        story.cancelBy(by);
      },
      end: {
        status: "cancelled",
        ledger: [...paid, refunding(1_000, first)],
        retained: 0,
        attention: toMake(first),
      },
    })),
    {
      event: "dispatched",
      documents: ["invoice 1000"],
      happens(story) {
        if (!inCash) story.payBy(first);
        expect(story.dispatch()).toBe("dispatched");
      },
      end: {
        status: "shipped",
        ledger: inCash ? [] : paid,
        schedule: [`full ${inCash ? "due" : "paid"} ${due}`],
      },
    },
    {
      event: "came back",
      documents: ["invoice 1000", "credit_note 1000"],
      happens(story) {
        if (!inCash) story.payBy(first);
        story.dispatch();
        story.comeBack();
      },
      end: {
        status: "returned",
        payment_status: inCash ? "failed" : "overpaid",
        ledger: inCash ? [] : paid,
        schedule: [`full open ${due}`],
      },
    },
  ]);
};

const cases = [
  ...prepaid.flatMap(depositCases),
  ...prepaid.flatMap((first) => methods.flatMap((second) => balanceCases(first, second))),
  ...methods.flatMap(fullCases),
];

test.each(cases)(
  "plan $plan, paid by $first and $second: $event",
  ({ plan, first, happens, end, documents }) => {
    const story = new PartsStory(inParts(plan, first));
    happens(story);
    expect(story.end()).toMatchObject({ ...end, documents });
  },
);

describe("a deposit", () => {
  test("is not paid in cash", () => {
    expect(() => new PartsStory(inParts("deposit", "gateway")).choose("cod")).toThrow(
      "cannot be paid in cash",
    );
  });

  test("lets the order leave once the balance is paid, even after a refused dispatch", () => {
    const story = new PartsStory(inParts("deposit", "gateway"));
    story.payBy("gateway");
    story.move("ready_to_dispatch");
    expect(story.dispatch()).toBe("balance_due");
    story.payBy("gateway");
    expect(story.dispatch()).toBe("dispatched");
  });
});
