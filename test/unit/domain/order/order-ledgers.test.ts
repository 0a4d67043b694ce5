import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cancelOrder } from "#shared/domain/order/cancel-order.ts";
import { creditsOf } from "#shared/domain/order/credit-supply.ts";
import { effectOfChange } from "#shared/domain/order/change-effect.ts";
import { ChangeInput } from "#shared/domain/order/change-input.ts";
import { completeOrder, expireOrder } from "#shared/domain/order/expire-order.ts";
import { invoicedSupplies } from "#shared/domain/order/invoiced-supplies.ts";
import { printedSupply } from "#shared/domain/order/invoice-view.ts";
import { totalsNow } from "#shared/domain/order/order-view.ts";
import { supplyOf, without, withoutEmptyLines } from "#shared/domain/order/lower-supply.ts";
import { moveOrder } from "#shared/domain/order/move-order.ts";
import { type OrderChange, changed } from "#shared/domain/order/order-change.ts";
import type { OrderItem, OrderRecord, Shipment } from "#shared/domain/order/order.ts";
import { hasFailed, mayPlanSlot } from "#shared/domain/order/slot-choice.ts";
import { takeSlot } from "#shared/domain/order/order-slot.ts";
import { holdsStock, unitsOf, unsentByStock } from "#shared/domain/order/order-units.ts";
import { valueOf } from "#shared/domain/order/order-value.ts";
import { planChange } from "#shared/domain/order/plan-change.ts";
import { changeShipment, prepareShipment } from "#shared/domain/order/ship-order.ts";
import type { ShipmentPatch } from "#shared/domain/order/shipment-input.ts";
import { type Supply, supplyValue } from "#shared/domain/order/supply.ts";
import type { GatewayPayment } from "#shared/domain/payment/gateway-payment.ts";
import { reconcilePayment, reconcileRefund } from "#shared/domain/payment/reconcile-payment.ts";
import { amountToCharge } from "#shared/domain/payment/rounding.ts";
import {
  amountDue,
  amountToPay,
  disputedIn,
  isInEffect,
  moneyMoved,
  surplusOf,
} from "#shared/domain/payment/payment.ts";
import { isHeldForBalance, paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/plan-refund.ts";
import { settleCheque, voidPayment } from "#shared/domain/payment/correct-payment.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import { anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aDeposit, aRecord } from "#test/support/shop/order-record.ts";
import { aSlot } from "#test/support/shop/settings.ts";

const gst = (amounts: readonly number[]) =>
  ["cgst", "sgst"].map((code, index) => ({
    code,
    label: code.toUpperCase(),
    bps: 900,
    amount: amounts[index] ?? 0,
  }));

interface Line {
  readonly quantity: number;
  readonly line_total: number;
  /** The line's tax of each of two components. */
  readonly tax: number;
}

/** An order of these lines, with delivery for 250 of which twice 19 is tax. */
function placed(
  lines: readonly Line[],
  inCash: boolean,
  deposit: number | null,
  cash_rounding = 1,
): OrderRecord {
  const shipping = 250;
  const grand_total = lines.reduce((sum, { line_total }) => sum + line_total, shipping);
  const record = aRecord({}, {}, lines);
  const { order } = record;
  return {
    rows: record.rows,
    order: {
      ...order,
      cash_rounding,
      status: inCash ? "confirmed" : "pending_payment",
      payment_method: inCash ? "cod" : "bank_transfer",
      payment_status: inCash ? "cod_pending" : "awaiting_transfer",
      expires_at: inCash ? null : noon.toISOString(),
      items: order.items.map((item, index) => ({
        ...item,
        tax_components: gst([lines[index]?.tax ?? 0, lines[index]?.tax ?? 0]),
      })),
      shipping: { ...order.shipping, tax_components: gst([19, 19]) },
      totals: { ...order.totals, shipping, shipping_tax: 38, grand_total },
      deposit: deposit === null ? null : aDeposit({ amount: deposit }),
      current: grand_total,
    },
  };
}

const settings = someSettings();
const series = { name: "FS/26-27", issued_on: "2026-11-21" };

/** An order with everything that happens to it. Steps that are refused change nothing. */
class Story {
  record: OrderRecord;
  now = noon;
  stock = new Map<string, { on_hand: number; reserved: number }>();
  /** Units by the id of their stock that are neither on hand nor with the buyer. */
  gone = new Map<string, number>();
  isPaidAgain = false;
  private ids = 0;

  constructor(record: OrderRecord) {
    this.record = record;
    for (const [sku, reserved] of unsentByStock(record))
      this.stock.set(sku, { on_hand: 9, reserved });
  }

  get context() {
    return {
      now: this.now,
      newTransactionId: () => this.newId(),
      stockAvailable: true,
      permissions: ["*"],
      completedAfterDays: 7,
      series,
      returnId: `shp_back_${++this.ids}`,
    };
  }

  private newId = () => `txn_${String(++this.ids).padStart(4, "0")}`;

  take(change: OrderChange | undefined): void {
    if (!change) return;
    this.now = new Date(this.now.getTime() + 1_000);
    this.record = changed(this.record, change);
    for (const [sku, { add }] of change.stock) {
      const row = this.stock.get(sku) ?? { on_hand: 0, reserved: 0 };
      this.stock.set(sku, {
        on_hand: row.on_hand + add.on_hand,
        reserved: row.reserved + add.reserved,
      });
    }
  }

  pay(amount: number): void {
    const { payment_method } = this.record.order;
    const method = payment_method === "gateway" ? "bank_transfer" : payment_method;
    const input = { amount, method, reference: this.newId() };
    const facts = { id: this.newId(), today: "2026-12-31" };
    const outcome = recordPayment(this.record, input, facts, this.context);
    if (outcome.kind === "recorded") this.take(outcome.change);
  }

  /** Pays in cash what is due, rounded. */
  payCash(): void {
    const amount = totalsNow(this.record.order).cash_due;
    if (amount === 0) return;
    const input = { amount, tender: "cash" as const };
    const facts = { id: this.newId(), today: "2026-12-31" };
    const outcome = recordPayment(this.record, input, facts, this.context);
    if (outcome.kind !== "recorded") return;
    this.take(outcome.change);
    expect(amountDue(this.record.order)).toBe(0);
    expect(surplusOf(this.record.order)).toBe(0);
  }

  private gatewayPayment({ id, amount }: { id: string; amount: number }): GatewayPayment {
    const { id: order_id, currency } = this.record.order;
    const state = "succeeded";
    const none = { decline_reason: null, refunds: [], disputes: [] };
    return { id, order_id, state, amount, received: amount, currency, ...none };
  }

  private reconcile(payment: GatewayPayment): void {
    const result = reconcilePayment(this.record, payment, this.context);
    if (result.kind !== "known") this.take(result.change ?? undefined);
  }

  payOnline(): void {
    const amount = amountToCharge(this.record.order);
    if (amount > 0) this.reconcile(this.gatewayPayment({ id: `pi_${++this.ids}`, amount }));
  }

  /** The bank disputes what is left of a payment. */
  dispute(position: number, state: "open" | "won" | "lost"): void {
    const { transactions } = this.record.rows;
    const row = transactions[position];
    if (row?.type !== "charge" || row.method !== "gateway" || row.provider_ref === null) return;
    const gone = transactions.filter((each) => each.charge_id === row.id && isInEffect(each));
    const amount = gone.reduce((left, each) => left - each.amount, row.amount);
    if (amount === 0) return;
    const { due } = totalsNow(this.record.order);
    const disputes = [{ id: `du_${row.provider_ref}`, state, amount }];
    const payment = this.gatewayPayment({ id: row.provider_ref, amount: row.amount });
    this.reconcile({ ...payment, disputes });
    expect(totalsNow(this.record.order).due).toBe(due);
  }

  /** The gateway answers a refund. */
  answerRefund(position: number, state: "succeeded" | "failed"): void {
    const { transactions } = this.record.rows;
    const row = transactions[position];
    if (row?.type !== "refund" || row.method !== "gateway") return;
    const paid = transactions.find(({ id }) => id === row.charge_id)?.provider_ref ?? "";
    const refund = { id: `re_${row.id}`, state, amount: row.amount, transaction_id: row.id };
    this.take(reconcileRefund(this.record, paid, refund, this.now));
  }

  /** A cheque arrives; it is settled by `settle`. */
  takeCheque(amount: number): void {
    const input = { amount, tender: "cheque" as const, reference: this.newId() };
    const facts = { id: this.newId(), today: "2026-12-31" };
    const outcome = recordPayment(this.record, input, facts, this.context);
    if (outcome.kind === "recorded") this.take(outcome.change);
  }

  private rowAt = (position: number) => this.record.rows.transactions[position]?.id ?? "";

  settle(position: number, state: "cleared" | "bounced"): void {
    const expiry = new Date(this.now.getTime() + 86_400_000).toISOString();
    const context = { ...this.context, today: "2026-12-31", expiry };
    const outcome = settleCheque(this.record, this.rowAt(position), { state }, context);
    if (outcome.kind === "changed") this.take(outcome.change);
  }

  void(position: number): void {
    const before = this.record;
    const expiry = new Date(this.now.getTime() + 86_400_000).toISOString();
    const input = { reason: "Typed twice", notify: false };
    const outcome = voidPayment(before, this.rowAt(position), input, { now: this.now, expiry });
    if (outcome.kind !== "changed") return;
    this.take(outcome.change);
    expect(this.record.order.status).toBe(before.order.status);
    const goods = ({ order }: OrderRecord) => order.current! - order.rounding;
    expect(goods(this.record)).toBe(goods(before));
  }

  refund(input: Partial<RefundInput>): void {
    const sent = RefundInput.parse({ reason: "Because", reference: "R", ...input });
    const outcome = planRefund(this.record, sent, this.context);
    if (outcome.kind !== "planned") return;
    if (input.pay_again) this.isPaidAgain = true;
    this.take(outcome.change);
  }

  /** @param added totals of single units that are added, each from a stock of its own */
  change(input: Partial<ChangeInput>, added: readonly number[] = []): void {
    const sent = ChangeInput.parse({
      reason: "Because",
      ...input,
      add: added.map(() => ({ sku: "ADDED", quantity: 1 })),
    });
    const id = `chg_${++this.ids}`;
    const lines = added.map((total) => this.aLine(total, id));
    const context = { ...this.context, id, added: lines, settings };
    const outcome = planChange(this.record, sent, context);
    if (outcome.kind !== "planned") return;
    for (const { variant_id } of lines) this.stock.set(variant_id!, { on_hand: 9, reserved: 0 });
    for (const { id: line, quantity, goods } of [...sent.take_off, ...sent.take_back]) {
      const stockId = this.record.order.items.find((item) => item.id === line)?.variant_id ?? "";
      if (goods !== "restock") this.gone.set(stockId, (this.gone.get(stockId) ?? 0) + quantity);
    }
    this.take(outcome.change);
    const { due, surplus, refund } = effectOfChange(this.record, context.id, sent).money;
    expect([due, surplus]).toEqual([amountDue(this.record.order), surplusOf(this.record.order)]);
    expect(sent.refund.when === "now" ? surplus : refund).toBe(0);
  }

  private aLine(line_total: number, change_id: string): OrderItem {
    const number = ++this.ids;
    const tax = Math.round((line_total * 9) / 118);
    return {
      ...this.record.order.items[0]!,
      id: `line_added_${number}`,
      variant_id: `var_added_${number}`,
      sku: `ADDED-${number}`,
      quantity: 1,
      unit_price: line_total,
      line_subtotal: line_total,
      line_discount: 0,
      line_total,
      tax_components: gst([tax, tax]),
      change_id,
      added_at: this.now.toISOString(),
    };
  }

  pack(items?: Shipment["items"]): void {
    const context = { id: `shp_${++this.ids}`, now: this.now };
    const outcome = prepareShipment(this.record, items ? { items } : {}, context);
    if (outcome.kind === "changed") this.take(outcome.change);
  }

  ship(position: number, patch: ShipmentPatch): void {
    const shipment = this.record.rows.shipments[position];
    if (!shipment) return;
    const isLeaving = patch.status === "out_for_delivery" && shipment.dispatched_at === null;
    const outcome = changeShipment(this.record, shipment, patch, this.context);
    if (outcome.kind !== "changed") return;
    if (isLeaving) expect(isHeldForBalance(this.record.order)).toBe(false);
    const lost = [
      ...(patch.back ?? []),
      ...(patch.goods ? shipment.items.map((item) => ({ ...item, goods: patch.goods })) : []),
    ].filter(({ goods }) => goods !== "restock");
    for (const { id, quantity } of lost) {
      const { sku } = this.record.order.items.find((item) => item.id === id)!;
      this.gone.set(sku!, (this.gone.get(sku!) ?? 0) + quantity);
    }
    this.take(outcome.change);
  }

  move(status: "ready_to_dispatch" | "completed"): void {
    const outcome = moveOrder(this.record, status, this.context);
    if (outcome.kind === "moved") this.take(outcome.change);
  }

  /** Plans a delivery for units that are still to be sent, again also after a part has left. */
  plan(): void {
    const { slot } = this.record.order;
    if ((slot && !slot.has_left) || !mayPlanSlot(this.record)) return;
    const confirm_by = new Date(this.now.getTime() + 86_400_000).toISOString();
    this.take(takeSlot(this.record, { ...aSlot(), confirm_by, has_left: false }, this.now));
  }

  cancel(keep_amount: number): void {
    const most = Math.min(this.record.order.deposit?.amount ?? 0, this.record.order.received ?? 0);
    const terms = { requested_by: "buyer" as const, keep_amount: Math.min(keep_amount, most) };
    const outcome = cancelOrder(this.record, "staff", this.context, terms);
    if (outcome.kind === "cancelled") this.take(outcome.change);
  }

  expire(): void {
    this.take(expireOrder(this.record, this.now));
  }

  /** Does what is left to do, as staff would: the money is paid, the units are sent, and all arrive. */
  finish(): void {
    if (this.record.order.status === "pending_payment") this.pay(amountToPay(this.record.order));
    this.move("ready_to_dispatch");
    const due = amountDue(this.record.order);
    if (due > 0) this.pay(due);
    expect(amountDue(this.record.order)).toBe(0);
    this.pack();
    for (const position of this.record.rows.shipments.keys()) {
      for (const status of ["packed", "out_for_delivery", "delivered"] as const) {
        this.ship(position, { status });
      }
    }
    const later = new Date(this.now.getTime() + 8 * 86_400_000);
    this.take(completeOrder(this.record, 7, later));
  }

  /** All invoices less all credit notes; undefined if nothing was invoiced. */
  get invoiced(): Supply | undefined {
    const [first, ...further] = invoicedSupplies(this.record.order).map(({ supply }) => supply);
    if (!first) return undefined;
    const lines = [first, ...further].flatMap((supply) => supply.lines);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    for (const { shipping } of further) expect(shipping).toEqual({ amount: 0, taxes: [0, 0] });
    return creditsOf(this.record).reduce((rest, { credit }) => without(rest, credit), {
      lines,
      shipping: first.shipping,
    });
  }

  /** What the invoiced lines and delivery are worth now. A line is on an invoice before its first unit leaves. */
  get invoicedValue(): Supply {
    const now = supplyOf(this.record);
    const ids = new Set(this.invoiced?.lines.map(({ id }) => id));
    for (const { id, amount } of now.lines) {
      const { on_the_way, delivered } = unitsOf(this.record).get(id)!;
      if (on_the_way + delivered > 0 && amount > 0) expect(ids).toContain(id);
    }
    return { ...now, lines: now.lines.filter(({ id }) => ids.has(id)) };
  }

  check(): void {
    const { order, rows } = this.record;
    const units = unitsOf(this.record);
    for (const { ordered, ...places } of units.values()) {
      const counts = Object.values(places);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ordered);
    }
    for (const item of order.items) {
      const row = this.stock.get(item.variant_id!)!;
      const { open, packed, on_the_way, delivered } = units.get(item.id)!;
      expect(row.reserved).toBe(holdsStock(order.status) ? open + packed : 0);
      expect(row.on_hand).toBe(9 - on_the_way - delivered - (this.gone.get(item.variant_id!) ?? 0));
    }
    const unsent = units.values().reduce((sum, { open, packed }) => sum + open + packed, 0);
    if (order.slot && !order.slot.has_left) expect(unsent > 0 || hasFailed(this.record)).toBe(true);
    const { paid } = moneyMoved(rows.transactions);
    const back = rows.transactions.reduce(
      (sum, { type, state, amount }) =>
        sum + (type === "refund" && state !== "failed" && state !== "voided" ? amount : 0),
      0,
    );
    expect([order.paid, paid]).toEqual([paid, back + (order.received ?? 0)]);
    // Nothing is refunded that a bank has taken back.
    expect(order.disputed).toBe(disputedIn(rows.transactions));
    expect(back + order.disputed).toBeLessThanOrEqual(paid);
    expect(order.current).toBe(valueOf(this.record).current);
    expect(Math.abs(order.rounding)).toBeLessThan(Math.max(2, order.cash_rounding));
    expect(order.current).toBeGreaterThanOrEqual(0);
    const { current } = order;
    const isVoided = rows.transactions.some(({ state }) => state === "voided");
    if (order.status === "cancelled" && !isVoided)
      expect(order.received).toBeGreaterThanOrEqual(current!);
    const schedule = paymentSchedule(this.record);
    const parts = schedule.reduce((sum, { amount }) => sum + amount, 0);
    const isDueNow = schedule.some(({ due, state }) => due === "now" && state === "due");
    if (isDueNow && order.waiver === null) expect(isHeldForBalance(order)).toBe(true);
    expect(parts).toBe(order.status === "expired" ? 0 : current);
    if (this.invoiced) {
      expect(inSequence(this.invoiced)).toEqual(inSequence(this.invoicedValue));
      const later = supplyValue(supplyOf(this.record)) - supplyValue(this.invoicedValue);
      expect(supplyValue(this.invoiced)).toBe(current! - order.rounding - later);
    }
    const isRefunded = order.payment_status === "paid" || order.payment_status === "overpaid";
    if (isRefunded && !this.isPaidAgain) expect(order.received).toBeGreaterThanOrEqual(current!);
  }
}

const inSequence = (supply: Supply) => {
  const { lines, shipping } = withoutEmptyLines(supply);
  return { lines: lines.toSorted((one, other) => one.id.localeCompare(other.id)), shipping };
};

const lineIds = [anId("line", 1), anId("line", 2)];
const someUnits = fc.record({
  id: fc.constantFrom(...lineIds),
  quantity: fc.integer({ min: 1, max: 2 }),
});
const then = fc.constantFrom("resend" as const, "take_back" as const);
const goods = fc.constantFrom("restock" as const, "lost" as const);

/** One step of a story. */
const someStep: fc.Arbitrary<(story: Story) => void> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 5_000 })
      .map((amount) => (story: Story) => story.pay(amount)),
  },
  {
    weight: 3,
    arbitrary: fc.constant((story: Story) =>
      story.pay(Math.max(1, amountToPay(story.record.order))),
    ),
  },
  { weight: 2, arbitrary: fc.constant((story: Story) => story.payCash()) },
  { weight: 3, arbitrary: fc.constant((story: Story) => story.payOnline()) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        position: fc.nat(5),
        state: fc.constantFrom("open" as const, "won" as const, "lost" as const),
      })
      .map(
        ({ position, state }) =>
          (story: Story) =>
            story.dispute(position, state),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        position: fc.nat(5),
        state: fc.constantFrom("succeeded" as const, "failed" as const),
      })
      .map(
        ({ position, state }) =>
          (story: Story) =>
            story.answerRefund(position, state),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(5).map((position) => (story: Story) => story.void(position)),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: 1, max: 5_000 })
      .map((amount) => (story: Story) => story.takeCheque(amount)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        position: fc.nat(5),
        state: fc.constantFrom("cleared" as const, "bounced" as const),
      })
      .map(
        ({ position, state }) =>
          (story: Story) =>
            story.settle(position, state),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        items: fc.array(someUnits, { maxLength: 1 }),
        amount: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined }),
        restock: fc.boolean(),
        keep: fc.boolean(),
        pay_again: fc.constantFrom(false, false, true),
      })
      .map(({ amount, ...input }) => (story: Story) => {
        story.refund({ ...input, ...(amount !== undefined && { amount }) });
      }),
  },
  {
    weight: 1,
    arbitrary: fc.constant((story: Story) =>
      story.refund({ amount: story.record.order.received || 1 }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        off: fc.array(someUnits, { maxLength: 1 }),
        back: fc.array(someUnits, { maxLength: 1 }),
        goods,
        reduce: fc.array(
          fc.record({
            id: fc.constantFrom(null, ...lineIds),
            amount: fc.integer({ min: 1, max: 900 }),
          }),
          { maxLength: 2 },
        ),
        when: fc.constantFrom("now" as const, "later" as const),
        added: fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 1 }),
      })
      .map(({ off, back, goods: to, reduce, when, added }) => (story: Story) => {
        if (off.length + back.length + reduce.length + added.length === 0) return;
        story.change(
          {
            take_off: off.map((units) => ({ ...units, goods: to === "lost" ? "scrap" : to })),
            take_back: back.map((units) => ({ ...units, goods: to })),
            reduce,
            refund: { when },
          },
          added,
        );
      }),
  },
  { weight: 3, arbitrary: fc.constant((story: Story) => story.move("ready_to_dispatch")) },
  { weight: 3, arbitrary: someUnits.map((units) => (story: Story) => story.pack([units])) },
  { weight: 2, arbitrary: fc.constant((story: Story) => story.pack()) },
  { weight: 3, arbitrary: fc.constant((story: Story) => story.plan()) },
  {
    weight: 14,
    arbitrary: fc
      .record({
        position: fc.nat(2),
        status: fc.constantFrom(
          "packed" as const,
          "out_for_delivery" as const,
          "delivered" as const,
          "delivery_failed" as const,
        ),
      })
      .map(
        ({ position, status }) =>
          (story: Story) =>
            story.ship(position, { status }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ position: fc.nat(2), then, goods })
      .map(({ position, ...back }) => (story: Story) => {
        story.ship(position, { status: "returned_to_origin", ...back });
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ position: fc.nat(2), units: someUnits, then, goods })
      .map(({ position, units, ...back }) => (story: Story) => {
        story.ship(position, { status: "delivered", back: [{ ...units, ...back }] });
      }),
  },
  { weight: 1, arbitrary: fc.nat(500).map((keep) => (story: Story) => story.cancel(keep)) },
  { weight: 1, arbitrary: fc.constant((story: Story) => story.expire()) },
);

test("for any story, units, stock, money and documents agree at every step, and the order can end", () => {
  const ended = new Set(["completed", "cancelled", "expired", "returned"]);
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom(null, 700),
      fc.constantFrom(1, 50, 100),
      fc.array(someStep, { maxLength: 30 }),
      (inCash, deposit, rounding, steps) => {
        const lines = [
          { quantity: 3, line_total: 3_001, tax: 229 },
          { quantity: 1, line_total: 777, tax: 59 },
        ];
        const story = new Story(placed(lines, inCash, inCash ? null : deposit, rounding));
        for (const step of steps) {
          step(story);
          story.check();
        }
        story.finish();
        story.check();
        expect([...ended]).toContain(story.record.order.status);
      },
    ),
    { numRuns: 400 },
  );
});

test("the slot for a second visit is free as soon as the rest is taken off, even while the first is on its way", () => {
  const story = new Story(placed([{ quantity: 2, line_total: 2_000, tax: 152 }], true, null));
  const one = [{ id: lineIds[0]!, quantity: 1 }];
  story.move("ready_to_dispatch");
  story.pack(one);
  story.ship(0, { status: "packed" });
  story.ship(0, { status: "out_for_delivery" });
  story.plan();
  expect(story.record.order.slot).toMatchObject({ has_left: false });
  story.change({ take_off: one.map((units) => ({ ...units, goods: "restock" as const })) });
  story.check();
  expect(story.record.order.slot).toBeNull();
});

describe("calculated by hand", () => {
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
  const credited = ({ record }: Story) =>
    creditsOf(record).map(({ credit }) => [
      supplyValue(credit),
      ...credit.lines.flatMap(({ taxes }) => taxes),
      ...credit.shipping.taxes,
    ]);

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

  describe("a cash order with paise, whose lamp costs 50.00, its rug 33.77 and delivery 2.50", () => {
    const cash = ({ record: { order } }: Story) => {
      const { current, rounding, due, cash_due, paid } = totalsNow(order);
      return { current, rounding, due, cash_due, paid };
    };
    const onItsWay = () => {
      const lamp = { quantity: 1, line_total: 5_000, tax: 381 };
      const rug = { quantity: 1, line_total: 3_377, tax: 181 };
      const story = new Story(placed([lamp, rug], true, null, 100));
      expect(cash(story)).toEqual({
        current: 8_627,
        rounding: 0,
        due: 8_627,
        cash_due: 8_600,
        paid: 0,
      });
      story.move("ready_to_dispatch");
      story.pack();
      story.ship(0, { status: "packed" });
      story.ship(0, { status: "out_for_delivery" });
      return story;
    };
    const refused = (position: number) => ({
      id: lineIds[position]!,
      quantity: 1,
      then: "take_back" as const,
      goods: "restock" as const,
    });

    test("is rounded off with its invoice, and paid with 86.00", () => {
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

    test("whose rug is refused at the door is rounded anew: 52.50 are paid with 53.00", () => {
      const story = onItsWay();
      story.ship(0, { status: "delivered", back: [refused(1)] });
      expect(cash(story)).toMatchObject({ current: 5_223, due: 5_223, cash_due: 5_300 });
      story.payCash();
      expect(cash(story)).toMatchObject({ current: 5_300, rounding: 50, due: 0, paid: 5_300 });
      expect(credited(story)).toEqual([[3_377, 181, 181, 0, 0]]);
      // The lamp comes back later. Nothing else counts, so its rest of 53.00 is a surplus.
      story.refund({ items: [{ id: lineIds[0]!, quantity: 1 }], restock: true });
      expect(cash(story)).toMatchObject({ current: 0, rounding: 0, due: 0 });
      expect(story.record.order).toMatchObject({ received: 300, refunded: 5_000 });
      story.refund({ amount: 300 });
      expect(story.record.order).toMatchObject({ received: 0, payment_status: "refunded" });
    });

    test("that is refused as a whole owes nothing, and nothing is rounded", () => {
      const story = onItsWay();
      story.ship(0, { status: "delivered", back: [refused(0), refused(1)] });
      expect(cash(story)).toEqual({ current: 0, rounding: 0, due: 0, cash_due: 0, paid: 0 });
      expect(credited(story).map(([amount]) => amount)).toEqual([8_627]);
    });

    test("whose rug comes back later pays 33.50 back in cash as 34.00", () => {
      const story = onItsWay();
      story.ship(0, { status: "delivered" });
      story.payCash();
      story.refund({ items: [{ id: lineIds[1]!, quantity: 1 }], restock: true });
      // 86.00 were received for what is worth 52.50: 33.50 are paid back as 34.00.
      expect(cash(story)).toMatchObject({ current: 5_200, rounding: -50, due: 0, paid: 8_600 });
      expect(story.record.order).toMatchObject({ received: 5_200, refunded: 3_400 });
    });

    test("is not rounded by a transfer, nor by cash of another amount", () => {
      const story = onItsWay();
      story.pay(8_000);
      expect(cash(story)).toMatchObject({ rounding: -27, due: 600, cash_due: 600 });
      const before = new Story(
        placed([{ quantity: 1, line_total: 814, tax: 62 }], true, null, 100),
      );
      before.pay(1_000);
      expect(cash(before)).toMatchObject({ rounding: 0, due: 64, cash_due: 100 });
      before.payCash();
      expect(cash(before)).toMatchObject({ current: 1_100, rounding: 36, due: 0 });
    });
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
});
