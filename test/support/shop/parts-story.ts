import { changePaymentMethod } from "#shared/domain/checkout/change-payment-method.ts";
import { followBalance } from "#shared/domain/order/status/balance.ts";
import { type CancellationTerms, cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { expireOrder } from "#shared/domain/order/status/order-timers-after.ts";
import { moveOrder } from "#shared/domain/order/status/move-order.ts";
import { changeOf } from "#shared/domain/order/order-change.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import { changeShipment } from "#shared/domain/order/shipment/change-shipment.ts";
import { prepareShipment } from "#shared/domain/order/shipment/prepare-shipment.ts";
import type { ShipmentPatch } from "#shared/domain/order/shipment/shipment-input.ts";
import { supplyValue } from "#shared/domain/order/invoice/supply.ts";
import { advancesOf } from "#shared/domain/order/invoice/vouchers.ts";
import { ledgerId, openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import { amountToPay } from "#shared/domain/payment/owing.ts";
import { paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import { completeRefund } from "#shared/domain/payment/refund/complete-refund.ts";
import {
  reconcilePayment,
  reconcileRefund,
} from "#shared/domain/payment/gateway/reconcile-payment.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import type { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { noon, someSettings } from "./commerce.ts";
import { aDeposit, aMoneyContext, aRecord, after } from "./order-record.ts";

export type Plan = "full" | "deposit";

/** An order of 1,000, of which the deposit is 200, on its way from checkout to its end. */
export interface PartsStory {
  /** The buyer chooses a method for what is due next. */
  choose(method: PaymentMethod): void;
  /** Money arrives. Gateway payments capture what is due next, `amount` of it if given. */
  pay(method: PaymentMethod, amount?: number): void;
  /** The buyer pays what is due next twice. */
  payTwice(method: PaymentMethod): void;
  decline(): void;
  expire(): void;
  cancel(by: "customer" | CancellationTerms): "cancelled" | "refused";
  move(to: OrderStatus): void;
  /** Time passes, with the scheduled checks. */
  wait(days: number): void;
  /** Sends all units. Returns why not, if it is refused. */
  dispatch(): string;
  deliver(): void;
  comeBack(): void;
  /** The present state, and the documents that the order has once its pending refunds are made. */
  end(): ReturnType<typeof endOf>;
}

const currency = "INR";

export function partsStory(plan: Plan, method: PaymentMethod): PartsStory {
  const totals = { ...aRecord().order.totals, shipping: 0, grand_total: 1_000 };
  const lines = [{ quantity: 1, line_total: 1_000 }];
  const base = aRecord({ payment_method: method, totals }, {}, lines);
  const isCash = method === "cod";
  let record: OrderRecord = {
    ...base,
    order: {
      ...base.order,
      status: isCash ? "confirmed" : "pending_payment",
      payment_status: isCash ? "cod_pending" : "pending",
      expires_at: isCash ? null : new Date(noon.getTime() + 3_600_000).toISOString(),
      deposit: plan === "deposit" ? aDeposit() : null,
    },
  };
  let now = noon;
  let ids = 0;
  let payments = 0;
  const context = () => aMoneyContext({ now, newTransactionId: () => `txn_${++ids}` });
  const take = (change: OrderChange | null | undefined) => {
    record = after(record, change);
    now = new Date(now.getTime() + 1_000);
  };
  const permissions = ["*"];
  const shipping = { completedAfterDays: 7, series: { name: "FS/26-27", issued_on: "2026-11-21" } };
  const shipment = () => record.rows.shipments[0]!;
  const ship = (
    status: "packed" | "out_for_delivery" | "delivered" | "delivery_failed" | "returned_to_origin",
    patch: Pick<ShipmentPatch, "then"> = {},
  ) => {
    const context = { ...shipping, now, returnId: "shp_back" };
    const outcome = changeShipment(record, shipment(), { status, ...patch }, context);
    if (outcome.kind === "changed") take(outcome.change);
    return outcome.kind;
  };
  const story: PartsStory = {
    choose(to) {
      const options = { settings: someSettings(), gatewayReady: true, now };
      const outcome = changePaymentMethod(record, to, options);
      if (outcome.kind === "changed") take(outcome.change);
      else if (outcome.kind !== "same") throw new Error(outcome.message);
    },
    pay(by, amount) {
      if (by !== "gateway") {
        const sent = {
          amount: amount ?? amountToPay(record.order),
          method: by,
          reference: `R ${++ids}`,
        };
        const outcome = recordPayment(
          record,
          sent,
          { id: `txn_${++ids}`, today: "2027-12-31" },
          context(),
        );
        if (outcome.kind !== "recorded") throw new Error(outcome.kind);
        take(outcome.change);
        return;
      }
      const due = amountToPay(record.order);
      const id = `pi_${++payments}`;
      take(
        changeOf(
          record,
          { transactions: [openedCharge({ id, amount: due }, now.toISOString())] },
          now,
        ),
      );
      settle(id, due, amount ?? due);
    },
    payTwice(by) {
      const due = amountToPay(record.order);
      if (by !== "gateway") {
        story.pay(by, due);
        story.pay(by, due);
        return;
      }
      const both = [`pi_${++payments}`, `pi_${++payments}`];
      const opened = both.map((id) => openedCharge({ id, amount: due }, now.toISOString()));
      take(changeOf(record, { transactions: opened }, now));
      for (const id of both) settle(id, due, due);
    },
    decline() {
      const amount = amountToPay(record.order);
      const id = `pi_${++payments}`;
      take(
        changeOf(record, { transactions: [openedCharge({ id, amount }, now.toISOString())] }, now),
      );
      reconcile({ id, amount, received: 0, state: "failed" });
    },
    expire() {
      now = new Date(noon.getTime() + 2 * 3_600_000);
      take(expireOrder(record, now));
    },
    cancel(by) {
      const outcome =
        by === "customer"
          ? cancelOrder(record, "customer", context())
          : cancelOrder(record, "staff", context(), by);
      if (outcome.kind === "cancelled") take(outcome.change);
      return outcome.kind === "cancelled" ? "cancelled" : "refused";
    },
    move(to) {
      const outcome = moveOrder(record, to, { ...context(), permissions });
      if (outcome.kind !== "moved") throw new Error(`${to}: ${outcome.kind}`);
      take(outcome.change);
    },
    wait(days) {
      now = new Date(now.getTime() + days * 86_400_000);
      take(followBalance(record, now));
    },
    dispatch() {
      if (record.order.status === "confirmed") story.move("ready_to_dispatch");
      const prepared = prepareShipment(record, {}, { id: "shp_1", now });
      if (prepared.kind === "changed") take(prepared.change);
      if (shipment().status === "pending") ship("packed");
      const outcome = ship("out_for_delivery");
      return outcome === "changed" ? "dispatched" : outcome;
    },
    deliver: () => void ship("delivered"),
    comeBack() {
      ship("delivery_failed");
      ship("returned_to_origin", { then: "take_back" });
    },
    end: () => endOf(record),
  };

  function settle(id: string, amount: number, received: number) {
    reconcile({ id, amount, received, state: "succeeded" });
  }
  function reconcile(of: {
    id: string;
    amount: number;
    received: number;
    state: "succeeded" | "failed";
  }) {
    const payment = {
      ...of,
      order_id: record.order.id,
      currency,
      decline_reason: null,
      refunds: [],
      disputes: [],
    };
    const outcome = reconcilePayment(record, payment, context());
    if (!record.rows.transactions.some((row) => row.id === ledgerId(of.id)))
      throw new Error("not opened");
    if (outcome.kind !== "known") take(outcome.change);
  }
  return story;
}

function endOf(record: OrderRecord) {
  const { order, rows } = record;
  return {
    status: order.status,
    payment_status: order.payment_status,
    ledger: rows.transactions.map(
      ({ type, state, amount, method }) => `${type} ${amount} ${method} ${state}`,
    ),
    schedule: paymentSchedule(record).map(({ code, state, due }) => `${code} ${state} ${due}`),
    attention: [...new Set(order.attention.map(({ code }) => code))],
    retained: totalsNow(order).retained,
    documents: documentsOf(withRefundsMade(record)),
  };
}

/** The documents besides the confirmation, with their amounts. */
function documentsOf(record: OrderRecord): string[] {
  const { supplied } = record.order;
  return [
    ...advancesOf(record).map(({ type, amount }) => `${type} ${amount}`),
    ...(supplied ? [`invoice ${supplyValue(supplied)}`] : []),
    ...creditsOf(record).map(({ credit }) => `credit_note ${supplyValue(credit)}`),
  ];
}

/** The gateway and staff make all refunds that are pending. */
function withRefundsMade(record: OrderRecord): OrderRecord {
  const now = new Date(Date.parse(record.order.updated_at) + 60_000);
  return record.rows.transactions
    .filter(({ type, state }) => type === "refund" && state === "pending")
    .reduce((latest, { id, amount, method }) => {
      if (method === "gateway") {
        const made = { id: `re_${id}`, state: "succeeded", amount, transaction_id: id } as const;
        return after(latest, reconcileRefund(latest, "pi_1", { ...made, refusal: null }, now));
      }
      const outcome = completeRefund(latest, id, `NEFT ${id}`, now);
      return after(latest, outcome.kind === "changed" ? outcome.change : undefined);
    }, record);
}
