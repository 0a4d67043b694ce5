import { describe, expect, test } from "vitest";
import type { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { type PartsStory, type Plan, partsStory } from "#test/support/shop/parts-story.ts";

type End = Partial<ReturnType<PartsStory["end"]>>;
type Prepaid = Exclude<PaymentMethod, "cod">;

const prepaid = ["gateway", "bank_transfer"] as const satisfies readonly Prepaid[];
const methods = [...prepaid, "cod"] as const;

/** An event in the life of an order whose parts are paid by `first` and `second`, with the state that it ends in. */
interface Case {
  readonly plan: Plan;
  readonly event: string;
  readonly first: PaymentMethod;
  readonly second: PaymentMethod | null;
  readonly happens: (story: PartsStory) => void;
  readonly end: End;
  /** All documents besides the confirmation, once pending refunds are made. */
  readonly documents: readonly string[];
}

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
  return [
    {
      ...of,
      event: "paid",
      documents: received,
      happens: (story) => story.pay(first),
      end: {
        status: "confirmed",
        payment_status: "partially_paid",
        ledger: [charged(200, first)],
        schedule: open,
        attention: [],
      },
    },
    {
      ...of,
      event: "short",
      documents: [],
      happens: (story) => story.pay(first, 150),
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
      ...of,
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
      ...of,
      event: "late",
      documents: received,
      happens(story) {
        story.expire();
        story.pay(first, 200);
      },
      end: {
        status: "confirmed",
        ledger: [charged(200, first)],
        schedule: open,
        attention: ["late_payment"],
      },
    },
    {
      ...of,
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
      ...of,
      event: "cancelled by the shop",
      documents: [...received, "refund_voucher 200"],
      happens(story) {
        story.pay(first);
        story.cancel({ requested_by: "shop", keep_amount: 0 });
      },
      end: {
        status: "cancelled",
        ledger: [charged(200, first), refunding(200, first)],
        retained: 0,
        attention: toMake(first),
      },
    },
    {
      ...of,
      event: "cancelled by staff for the buyer, who loses a part",
      documents: [...received, "refund_voucher 50"],
      happens(story) {
        story.pay(first);
        story.cancel({ requested_by: "buyer", keep_amount: 150 });
      },
      end: {
        status: "cancelled",
        ledger: [charged(200, first), refunding(50, first)],
        retained: 150,
        attention: toMake(first),
      },
    },
    {
      ...of,
      event: "cancelled by staff for the buyer, who loses all",
      documents: received,
      happens(story) {
        story.pay(first);
        story.cancel({ requested_by: "buyer", keep_amount: 200 });
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
      ...of,
      event: "late after a cancellation that kept it",
      documents: received,
      happens(story) {
        story.pay(first);
        story.cancel({ requested_by: "buyer", keep_amount: 200 });
        story.pay("bank_transfer", 800);
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
      ...of,
      event: "cancelled by the buyer",
      documents: [...received, "refund_voucher 200"],
      happens(story) {
        story.pay(first);
        expect(story.cancel("customer")).toBe("cancelled");
      },
      end: { status: "cancelled", ledger: [charged(200, first), refunding(200, first)] },
    },
    {
      ...of,
      event: "cancelled by the buyer before it was paid",
      documents: [],
      happens: (story) => void story.cancel("customer"),
      end: { status: "cancelled", payment_status: "failed", ledger: [], schedule: ended },
    },
    {
      ...of,
      event: "not refundable any more for the buyer",
      documents: received,
      happens(story) {
        story.pay(first);
        story.move("ready_to_dispatch");
        expect(story.cancel("customer")).toBe("refused");
      },
      end: {
        status: "ready_to_dispatch",
        ledger: [charged(200, first)],
        schedule: ["deposit paid now", "balance due before_dispatch"],
      },
    },
    {
      ...of,
      event: "dispatched with the balance open",
      documents: received,
      happens(story) {
        story.pay(first);
        expect(story.dispatch()).toBe("balance_due");
      },
      end: {
        status: "ready_to_dispatch",
        ledger: [charged(200, first)],
        schedule: ["deposit paid now", "balance due before_dispatch"],
      },
    },
  ];
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
    story.pay(first);
    story.choose(second);
    story.move("ready_to_dispatch");
  };
  return [
    {
      ...of,
      event: "paid early",
      documents: received,
      happens(story) {
        story.pay(first);
        story.choose(second);
        story.pay(second);
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
      ...of,
      event: "short",
      documents: received,
      happens(story) {
        ready(story);
        story.pay(second, 500);
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
      ...of,
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
      ...of,
      event: "late",
      documents: received,
      happens(story) {
        ready(story);
        story.wait(3);
        story.wait(5);
        expect(story.end().attention).toEqual(inCash ? [] : ["balance_overdue"]);
        story.pay(second);
      },
      end: { payment_status: "paid", ledger: both, schedule: allPaid, attention: [] },
    },
    {
      ...of,
      event: "declined, then paid",
      documents: received,
      happens(story) {
        ready(story);
        if (!inCash) story.decline();
        story.pay(second);
      },
      end: {
        payment_status: "paid",
        ledger: inCash ? both : [both[0]!, charged(800, "gateway", "failed"), both[1]!],
        schedule: allPaid,
      },
    },
    {
      ...of,
      event: "cancelled by the shop",
      documents: [...received, "refund_voucher 200"],
      happens(story) {
        ready(story);
        story.pay(second);
        story.cancel({ requested_by: "shop", keep_amount: 0 });
      },
      end: {
        status: "cancelled",
        ledger: [...both, ...refundOrder(first, second, [200, 800])],
        retained: 0,
        attention: toMake(first, second),
      },
    },
    {
      ...of,
      event: "cancelled by staff for the buyer, who loses the deposit",
      documents: received,
      happens(story) {
        ready(story);
        story.pay(second);
        story.cancel({ requested_by: "buyer", keep_amount: 200 });
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
      ...of,
      event: "dispatched",
      documents: invoiced,
      happens(story) {
        ready(story);
        if (!inCash) story.pay(second);
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
      ...of,
      event: "delivered",
      documents: invoiced,
      happens(story) {
        ready(story);
        if (!inCash) story.pay(second);
        story.dispatch();
        story.deliver();
        if (inCash) story.pay(second);
      },
      end: { status: "delivered", payment_status: "paid", ledger: both, schedule: allPaid },
    },
    {
      ...of,
      event: "came back",
      documents: [...invoiced, "credit_note 1000"],
      happens(story) {
        ready(story);
        if (!inCash) story.pay(second);
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
  ];
};

const fullCases = (first: PaymentMethod): Case[] => {
  const of = { plan: "full", first, second: null } as const;
  const inCash = first === "cod";
  const due = inCash ? "on_delivery" : "now";
  const waits = inCash ? "confirmed" : "pending_payment";
  const paid = [charged(1_000, first)];
  return [
    {
      ...of,
      event: "paid",
      documents: [],
      happens: (story) => story.pay(first),
      end: {
        status: "confirmed",
        payment_status: "paid",
        ledger: paid,
        schedule: [`full paid ${due}`],
      },
    },
    {
      ...of,
      event: "short",
      documents: [],
      happens: (story) => story.pay(first, 600),
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
      ...of,
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
      ...of,
      event: "late",
      documents: [],
      happens(story) {
        story.expire();
        story.pay(first, 1_000);
      },
      end: {
        status: "confirmed",
        ledger: paid,
        schedule: [`full paid ${due}`],
        attention: inCash ? [] : ["late_payment"],
      },
    },
    {
      ...of,
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
    ).map((by): Case => ({
      ...of,
      event: `cancelled by ${by === "customer" ? "the buyer" : `staff for the ${by.requested_by}`}`,
      documents: [],
      happens(story) {
        story.pay(first);
        story.cancel(by);
      },
      end: {
        status: "cancelled",
        ledger: [...paid, refunding(1_000, first)],
        retained: 0,
        attention: toMake(first),
      },
    })),
    {
      ...of,
      event: "dispatched",
      documents: ["invoice 1000"],
      happens(story) {
        if (!inCash) story.pay(first);
        expect(story.dispatch()).toBe("dispatched");
      },
      end: {
        status: "shipped",
        ledger: inCash ? [] : paid,
        schedule: [`full ${inCash ? "due" : "paid"} ${due}`],
      },
    },
    {
      ...of,
      event: "came back",
      documents: ["invoice 1000", "credit_note 1000"],
      happens(story) {
        if (!inCash) story.pay(first);
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
  ];
};

const cases = [
  ...prepaid.flatMap(depositCases),
  ...prepaid.flatMap((first) => methods.flatMap((second) => balanceCases(first, second))),
  ...methods.flatMap(fullCases),
];

test.each(cases)(
  "plan $plan, paid by $first and $second: $event",
  ({ plan, first, happens, end, documents }) => {
    const story = partsStory(plan, first);
    happens(story);
    expect(story.end()).toMatchObject({ ...end, documents });
  },
);

describe("a deposit", () => {
  test("is not paid in cash", () => {
    expect(() => partsStory("deposit", "gateway").choose("cod")).toThrow("cannot be paid in cash");
  });

  test("lets the order leave once the balance is paid, even after a refused dispatch", () => {
    const story = partsStory("deposit", "gateway");
    story.pay("gateway");
    story.move("ready_to_dispatch");
    expect(story.dispatch()).toBe("balance_due");
    story.pay("gateway");
    expect(story.dispatch()).toBe("dispatched");
  });
});
