import { expect } from "vitest";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { creditsOf, isInvoiced } from "#shared/domain/order/invoice/credit-supply.ts";
import { effectOfChange, planChange } from "#shared/domain/order/change/plan-change.ts";
import { ChangeInput } from "#shared/domain/order/change/change-input.ts";
import { completeOrder, expireOrder } from "#shared/domain/order/status/order-timers-after.ts";
import {
  invoicedSupplies,
  roundingInvoiced,
  supplyOf,
  without,
  withoutEmptyLines,
} from "#shared/domain/order/invoice/invoiced-supplies.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import { moveOrder } from "#shared/domain/order/status/move-order.ts";
import { changed, type OrderChange } from "#shared/domain/order/order-step.ts";
import {
  type OrderItem,
  type OrderRecord,
  type Shipment,
  isCollected,
} from "#shared/domain/order/order.ts";
import { hasFailed, mayPlanSlot } from "#shared/domain/order/edit/slot-choice.ts";
import { takeSlot } from "#shared/domain/order/edit/order-slot.ts";
import {
  type LineUnits,
  holdsStock,
  unitsOf,
  unsentByStock,
} from "#shared/domain/order/ledger/order-units.ts";
import { valueOf } from "#shared/domain/order/ledger/order-value.ts";
import { changeShipment } from "#shared/domain/order/shipment/change-shipment.ts";
import { prepareShipment } from "#shared/domain/order/shipment/prepare-shipment.ts";
import type { ShipmentPatch } from "#shared/domain/order/shipment/shipment-input.ts";
import { type Supply, supplyValue } from "#shared/domain/order/invoice/supply.ts";
import type { GatewayPayment } from "#shared/domain/payment/gateway/gateway-payment.ts";
import {
  reconcilePayment,
  reconcileRefund,
} from "#shared/domain/payment/gateway/reconcile-payment.ts";
import { amountToCharge } from "#shared/domain/payment/rounding.ts";
import { amountDue, amountToPay, surplusOf } from "#shared/domain/payment/owing.ts";
import { disputedIn, isInEffect, moneyMoved } from "#shared/domain/payment/payment.ts";
import { isHeldForBalance, paymentSchedule } from "#shared/domain/payment/payment-schedule.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/refund/plan-refund.ts";
import { settleCheque, voidPayment } from "#shared/domain/payment/correct-payment.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { ShippingMethodCode } from "#shared/domain/settings/zone-settings.ts";
import {
  aMethod,
  aZone,
  anId,
  noon,
  someSettings,
  someShipping,
} from "#test/support/shop/commerce.ts";
import { aDeposit, aRecord } from "#test/support/shop/order-record.ts";
import { aSlot, someSlots } from "#test/support/shop/settings.ts";

const gst = (amounts: readonly number[]) =>
  ["cgst", "sgst"].map((code, index) => ({
    code,
    label: code.toUpperCase(),
    bps: 900,
    amount: amounts[index] ?? 0,
  }));

export interface Line {
  readonly quantity: number;
  readonly line_total: number;
  /** The line's tax of each of two components. */
  readonly tax: number;
}

/** An order of these lines, with delivery for 250 of which twice 19 is tax. */
export function placed(
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

/** What a method costs, whatever it carries. */
const costing = (code: ShippingMethodCode, label: string, amount: number) =>
  aMethod({ code, label, bands: [{ max_weight_g: null, max_volume_cm3: null, amount }] });

/** Delivery by one of three methods. Buyers can choose slots for the white-glove one. */
export const settings = someSettings({
  shipping: {
    ...someShipping([
      aZone({
        methods: [
          costing("standard", "Standard delivery", 250),
          costing("white_glove", "White-glove delivery", 1_180),
          costing("pickup", "Collection", 0),
        ],
      }),
    ]),
    slots: {
      ...defaultSettings.shipping.slots,
      enabled: true,
      methods: ["white_glove"],
      zones: { south: someSlots() },
    },
  },
});
const series = { name: "FS/26-27", issued_on: "2026-11-21" };

/** An order with everything that happens to it. Steps that are refused change nothing. */
export class Story {
  record: OrderRecord;
  now: Date;
  stock = new Map<string, { on_hand: number; reserved: number }>();
  /** Units by the id of their stock that are neither on hand nor with the buyer. */
  gone = new Map<string, number>();
  isPaidAgain = false;
  /** Whether cash of another amount than the documents say has rounded the order after its invoice. */
  isRoundedByCash = false;
  private ids: number;

  /** @param options.ids how many ids earlier stories of the order have used */
  constructor(record: OrderRecord, { now = noon, ids = 0 }: { now?: Date; ids?: number } = {}) {
    this.record = record;
    this.now = now;
    this.ids = ids;
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

  protected newId = () => `txn_${String(++this.ids).padStart(4, "0")}`;

  take(change: OrderChange | undefined): void {
    if (!change) return;
    const { order } = this.record;
    const isRounded = change.order.rounding !== order.rounding;
    const isByMoney = change.changes.length === 0 && change.shipments.length === 0;
    if (isRounded && isByMoney && isInvoiced({ order })) this.isRoundedByCash = true;
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
    const facts = { id: this.newId(), today: "2026-12-31", since: "2026-11-01" };
    const outcome = recordPayment(this.record, input, facts, this.context);
    if (outcome.kind === "recorded") this.take(outcome.change);
  }

  /** Units with the id of the line that was added last, where they name an added line. */
  named<Of extends { readonly id: string | null }>(units: readonly Of[]): Of[] {
    const { items } = this.record.order;
    const last = items.findLast(({ change_id }) => change_id !== null) ?? items[0]!;
    return units.map((of) => (of.id === addedLine ? { ...of, id: last.id } : of));
  }

  /** Pays by UPI exactly what is due. */
  payByUpi(): void {
    const input = {
      amount: amountDue(this.record.order),
      tender: "upi" as const,
      reference: this.newId(),
    };
    if (input.amount === 0) return;
    const facts = { id: this.newId(), today: "2026-12-31", since: "2026-11-01" };
    const outcome = recordPayment(this.record, input, facts, this.context);
    if (outcome.kind !== "recorded") return;
    this.take(outcome.change);
    expect(amountDue(this.record.order)).toBe(0);
  }

  /** Pays in cash what is due, rounded. */
  payCash(): void {
    const amount = totalsNow(this.record.order).cash_due;
    if (amount === 0) return;
    const input = { amount, tender: "cash" as const };
    const facts = { id: this.newId(), today: "2026-12-31", since: "2026-11-01" };
    const outcome = recordPayment(this.record, input, facts, this.context);
    if (outcome.kind !== "recorded") return;
    this.take(outcome.change);
    expect(amountDue(this.record.order)).toBe(0);
    expect(surplusOf(this.record.order)).toBe(0);
  }

  protected gatewayPayment({ id, amount }: { id: string; amount: number }): GatewayPayment {
    const { id: order_id, currency } = this.record.order;
    const state = "succeeded";
    const none = { decline_reason: null, refunds: [], disputes: [] };
    return { id, order_id, state, amount, received: amount, currency, ...none };
  }

  protected reconcile(payment: GatewayPayment): void {
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
    const id = `du_${row.provider_ref}`;
    const disputes = [{ id, state, amount, is_refundable: state === "won" }];
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
    const { id: transaction_id, amount } = row;
    const refund = { id: `re_${transaction_id}`, state, amount, transaction_id, refusal: null };
    this.take(reconcileRefund(this.record, paid, refund, this.now));
  }

  /** A cheque arrives; it is settled by `settle`. */
  takeCheque(amount: number): void {
    const input = { amount, tender: "cheque" as const, reference: this.newId() };
    const facts = { id: this.newId(), today: "2026-12-31", since: "2026-11-01" };
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
    const id = anId("chg", ++this.ids);
    const lines = added.map((total) => this.aLine(total, id));
    const context = { ...this.context, id, added: lines, settings };
    const outcome = planChange(this.record, sent, context);
    if (outcome.kind !== "planned") return;
    if (sent.shipping !== undefined || sent.shipping_method) {
      expect(this.record.rows.shipments.filter(({ dispatched_at }) => dispatched_at)).toEqual([]);
    }
    for (const { variant_id } of lines) this.stock.set(variant_id!, { on_hand: 9, reserved: 0 });
    for (const { id: line, quantity, goods } of [...sent.take_off, ...sent.take_back]) {
      if (goods !== "restock") this.lose(line, quantity);
    }
    this.take(outcome.change);
    const { due, surplus, refund } = effectOfChange(this.record, context.id, sent).money;
    expect([due, surplus]).toEqual([amountDue(this.record.order), surplusOf(this.record.order)]);
    expect(sent.refund.when === "now" ? surplus : refund).toBe(0);
  }

  /** Swaps all units for one other piece, which the whole order's reduction makes cheaper. */
  swapAll(price: number, less: number, method?: "cod"): void {
    const goods = "restock" as const;
    const units = [...unitsOf(this.record)];
    const of = (count: (units: LineUnits) => number) =>
      units.flatMap(([id, each]) =>
        count(each) > 0 ? [{ id, quantity: count(each), goods }] : [],
      );
    const take_off = of(({ open, packed }) => open + packed);
    const take_back = of(({ delivered }) => delivered);
    if (take_off.length + take_back.length === 0) return;
    const reduce = less > 0 ? [{ id: null, amount: less }] : [];
    this.change({ take_off, take_back, reduce, refund: { when: "now", method, reference: "R" } }, [
      price,
    ]);
  }

  private lose(line: string, quantity: number): void {
    const { variant_id } = this.record.order.items.find(({ id }) => id === line)!;
    this.gone.set(variant_id!, (this.gone.get(variant_id!) ?? 0) + quantity);
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

  /** @returns `changed`, or why not */
  ship(position: number, patch: ShipmentPatch): string {
    const shipment = this.record.rows.shipments[position];
    if (!shipment) return "missing";
    const isLeaving = patch.status === "out_for_delivery" && shipment.dispatched_at === null;
    const outcome = changeShipment(this.record, shipment, patch, this.context);
    if (outcome.kind !== "changed") return outcome.kind;
    if (isLeaving) expect(isHeldForBalance(this.record.order)).toBe(false);
    const lost = [
      ...(patch.back ?? []),
      ...(patch.goods ? shipment.items.map((item) => ({ ...item, goods: patch.goods })) : []),
    ].filter(({ goods }) => goods !== "restock");
    for (const { id, quantity } of lost) {
      this.lose(id, quantity);
    }
    this.take(outcome.change);
    return outcome.kind;
  }

  move(status: "ready_to_dispatch" | "completed"): void {
    const outcome = moveOrder(this.record, status, this.context);
    if (outcome.kind === "moved") this.take(outcome.change);
  }

  /** Plans a delivery for units that are still to be sent, again also after a part has left. */
  plan(): void {
    const { slot } = this.record.order;
    if ((slot && !slot.has_left) || !mayPlanSlot(this.record)) return;
    if (isCollected(this.record.order)) return;
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

  /** Sends everything, and what is paid beforehand is paid. */
  send(): void {
    const { order } = this.record;
    if (order.payment_method !== "cod") this.pay(order.current!);
    this.move("ready_to_dispatch");
    this.pack();
    for (const status of ["packed", "out_for_delivery"] as const) this.ship(0, { status });
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
    if (order.slot && !order.slot.has_left) {
      expect(unsent > 0 || hasFailed(this.record)).toBe(true);
      expect(isCollected(order)).toBe(false);
    }
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
      // The documents say what is paid, also after rounding.
      const isWhole = supplyValue(this.invoicedValue) === supplyValue(supplyOf(this.record));
      if (isWhole && !this.isRoundedByCash) {
        expect(roundingInvoiced(this.record)).toBe(valueOf(this.record).rounding);
        const isUnpaidCash = order.payment_method === "cod" && rows.transactions.length === 0;
        if (isUnpaidCash) expect(totalsNow(order).cash_due).toBe(amountDue(order));
      }
    }
    const isRefunded = order.payment_status === "paid" || order.payment_status === "overpaid";
    if (isRefunded && !this.isPaidAgain) expect(order.received).toBeGreaterThanOrEqual(current!);
  }
}

/**
 * A supply as documents have to agree on it. Units that are worth less than a minor unit each may come back without a
 * credit note, so their number is left out.
 */
export const inSequence = (supply: Supply) => {
  const { lines: all, shipping } = withoutEmptyLines(supply);
  const lines = all.flatMap(({ quantity, ...line }) =>
    line.amount > 0 ? [{ ...line, quantity: line.amount < 100 ? null : quantity }] : [],
  );
  return { lines: lines.toSorted((one, other) => one.id.localeCompare(other.id)), shipping };
};

/** The credits of an order: the amount of each, then the taxes of its lines and of delivery. */
export const credited = ({ record }: Story) =>
  creditsOf(record).map(({ credit }) => [
    supplyValue(credit),
    ...credit.lines.flatMap(({ taxes }) => taxes),
    ...credit.shipping.taxes,
  ]);

/** Stands for the line that a story has added last. */
export const addedLine = "the added line";

/** The ids of the first two lines of an order. */
export const lineIds = [anId("line", 1), anId("line", 2)];
