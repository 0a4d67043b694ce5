import type {
  OrderItem,
  OrderRecord,
  OrderRows,
  Shipment,
  StoredOrder,
} from "#shared/domain/order/order.ts";
import { changed, type OrderChange } from "#shared/domain/order/order-step.ts";
import type { ChangeRow } from "#shared/domain/order/ledger/change-row.ts";
import type { OrderReturn, ReturnItem } from "#shared/domain/order/returns/order-return.ts";
import type { OrderDeposit } from "#shared/domain/payment/owing.ts";
import { splitByLargestRemainder } from "#shared/domain/base/money.ts";
import { valueOf } from "#shared/domain/order/ledger/order-value.ts";
import { type Transaction, charge, receivedIn } from "#shared/domain/payment/payment.ts";
import type { MoneyContext } from "#shared/domain/payment/receive-money.ts";
import { anId, noon } from "./commerce.ts";
import { aPlacedOrder } from "./placed-orders.ts";

type Lines = readonly Partial<Pick<OrderItem, "quantity" | "line_total" | "sku">>[];

/**
 * A placed order with these lines. Its timeline, transactions and shipments are empty unless given. Line ids are
 * `anId("line", 1)` and so on. Cash is not rounded unless given. If the lines have no totals, they and delivery add up to
 * the order's grand total.
 */
export function aRecord(
  order: Partial<StoredOrder> = {},
  rows: Partial<OrderRows> = {},
  lines: Lines = [{}],
): OrderRecord {
  const placed = aPlacedOrder();
  const items = lines.map((line, index) => ({
    ...placed.items[0]!,
    id: anId("line", index + 1),
    variant_id: anId("var", index + 1),
    sku: `SKU-${index + 1}`,
    ...line,
  }));
  const gone = items.map(({ id, quantity }) => ({ id, quantity }));
  const changes = order.status === "cancelled" ? [aChange({ taken_off: gone })] : [];
  const record = {
    order: adjusted(
      { ...placed, items, cash_rounding: 1, ...order },
      lines,
      order.totals !== undefined,
    ),
    rows: { timeline: [], transactions: [], shipments: [], changes, returns: [], ...rows },
  };
  const current = order.current ?? valueOf(record).current;
  const { paid, refunded } = record.order;
  const received =
    order.received ?? (paid === 0 ? receivedIn(record.rows.transactions) : paid - refunded);
  return { ...record, order: { ...record.order, current, received } };
}

/** The order with a grand total that is the sum of its lines and delivery. */
function adjusted(order: StoredOrder, lines: Lines, hasTotals: boolean): StoredOrder {
  const { items, totals } = order;
  const sum = items.reduce((total, { line_total }) => total + line_total, 0);
  if (!hasTotals) return { ...order, totals: { ...totals, grand_total: sum + totals.shipping } };
  if (lines.some(({ line_total }) => line_total !== undefined)) {
    const shipping = Math.max(0, totals.grand_total - sum);
    return { ...order, totals: { ...totals, shipping } };
  }
  const shipping = Math.min(totals.shipping, totals.grand_total);
  const parts = splitByLargestRemainder(
    totals.grand_total - shipping,
    items.map(({ line_total }) => line_total),
  );
  return {
    ...order,
    totals: { ...totals, shipping },
    items: items.map((item, index) => ({ ...item, line_total: parts[index] ?? 0 })),
  };
}

/** The terms of an order that is paid in parts, by default with a deposit of 200. */
export const aDeposit = (overrides: Partial<OrderDeposit> = {}): OrderDeposit => ({
  amount: 200,
  refundable_until: "in_production",
  balance_days: 7,
  remind_after_days: [3, 6],
  has_vouchers: true,
  due_at: null,
  ...overrides,
});

/** A received payment, by transfer unless overridden. */
export function aCharge(overrides: Partial<Transaction> = {}): Transaction {
  const base = charge({
    id: "txn_charge",
    state: "succeeded",
    amount: 1_000,
    method: "bank_transfer",
    provider_ref: null,
    at: noon.toISOString(),
  });
  return { ...base, ...overrides };
}

export function aRefund(overrides: Partial<Transaction> = {}): Transaction {
  return {
    ...aCharge({ id: "txn_refund" }),
    type: "refund",
    charge_id: "txn_charge",
    ...overrides,
  };
}

export function aShipment(overrides: Partial<Shipment> = {}): Shipment {
  return {
    id: "shp_1",
    status: "pending",
    items: [{ id: anId("line"), quantity: 1 }],
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    dispatched_at: null,
    delivered_at: null,
    slot: null,
    ...overrides,
  };
}

/** A change that takes nothing off unless overridden. */
export const aChange = (overrides: Partial<ChangeRow> = {}): ChangeRow => ({
  id: anId("chg"),
  version: 2,
  at: noon.toISOString(),
  taken_off: [],
  came_back: [],
  paid_back: [],
  reduced: [],
  kept: [],
  added: [],
  ...overrides,
});

/** The context of an order step: it is noon, ids are sequential, and stock is available. */
export function aMoneyContext(overrides: Partial<MoneyContext> = {}): MoneyContext {
  let made = 0;
  return {
    now: noon,
    newTransactionId: () => `txn_new_${++made}`,
    stockAvailable: true,
    ...overrides,
  };
}

/** The order after a change; the order itself if there is no change. */
export const after = (record: OrderRecord, change: OrderChange | null | undefined): OrderRecord =>
  change ? changed(record, change) : record;

interface SomeReturn extends Partial<Omit<OrderReturn, "items">> {
  readonly items?: readonly Partial<ReturnItem>[];
}

/** A return of one unit of the first line that the buyer has requested. */
export function aReturn({ items = [{}], ...overrides }: SomeReturn = {}): OrderReturn {
  const at = noon.toISOString();
  return {
    id: anId("ret"),
    order_id: anId("ord"),
    order_number: "FS-7K3M-92QX-4HT8",
    status: "requested",
    kind: "return",
    wish: "refund",
    items: items.map((item) => ({
      id: anId("line", 1),
      quantity: 1,
      reason: "changed-mind",
      reason_label: "Changed my mind",
      fault: "customer",
      component: null,
      note: null,
      upload_ids: [],
      inspection: null,
      ...item,
    })),
    opened_by: null,
    answer: null,
    pickup: null,
    send_back: null,
    sent_back_at: null,
    fee: 0,
    credited: 0,
    refunded: 0,
    change_id: null,
    created_at: at,
    updated_at: at,
    closed_at: null,
    ...overrides,
  };
}
