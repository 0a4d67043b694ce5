import { hash } from "node:crypto";
import { invoiceSeries } from "#shared/domain/order/invoice/invoice.ts";
import { type MoveContext, moveOrder } from "#shared/domain/order/status/move-order.ts";
import { changed, type OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { OrderStatus, ShipmentStatus } from "#shared/domain/order/status/order-states.ts";
import { amountToPay } from "#shared/domain/payment/owing.ts";
import { recordPayment } from "#shared/domain/payment/record-payment.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { changeShipment } from "#shared/domain/order/shipment/change-shipment.ts";
import { prepareShipment } from "#shared/domain/order/shipment/prepare-shipment.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { issueInvoices } from "#shared/storage/order/invoices.ts";
import { orderChangeWrites } from "#shared/storage/order/order-changes.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import { demoId } from "./identity.ts";

/** A step in the life of a demo order. `transfer` and `collect` pay what is due next. */
export type DemoOrderStep =
  | "transfer"
  | "produce"
  | "ready"
  | "ship"
  | "deliver"
  | "collect"
  | "complete"
  | "cancel";

export interface DemoStepContext {
  readonly settings: Settings;
  readonly at: Date;
}

const moves: Partial<Record<DemoOrderStep, OrderStatus>> = {
  produce: "in_production",
  ready: "ready_to_dispatch",
  complete: "completed",
  cancel: "cancelled",
};
const paidBy: Partial<Record<DemoOrderStep, "bank_transfer" | "cod">> = {
  transfer: "bank_transfer",
  collect: "cod",
};

/** Applies a step at a past moment. It sends no mail. */
export async function takeStep(
  table: Table,
  record: OrderRecord,
  step: DemoOrderStep,
  context: DemoStepContext,
): Promise<OrderRecord> {
  const to = moves[step];
  const method = paidBy[step];
  if (to) return storeChange(table, record, moved(record, to, context), context);
  if (method) return storeChange(table, record, paid(record, method, context), context);
  if (step === "deliver") return shipment(table, record, "delivered", context);
  const packed = await shipment(table, await prepared(table, record, context), "packed", context);
  return shipment(table, packed, "out_for_delivery", context);
}

/** Stores a change of a demo order, without its letters. */
export async function storeChange(
  table: Table,
  record: OrderRecord,
  change: OrderChange,
  { at, further = [] }: { readonly at: Date; readonly further?: readonly Write[] },
): Promise<OrderRecord> {
  const { writes } = orderChangeWrites(record.order, { ...change, events: [] }, at);
  await table.transact([...writes, ...further]);
  return changed(record, change);
}

/** The result of a domain rule for a demo order; the rules allow all of these steps. */
export function allowed<Outcome extends { kind: string }>(
  outcome: Outcome,
): Extract<Outcome, { change: OrderChange }>["change"] {
  if ("change" in outcome) return outcome.change as OrderChange;
  throw new Error(`A step of a demo order is ${outcome.kind}.`);
}

const moveContext = (record: OrderRecord, { at }: DemoStepContext): MoveContext => ({
  now: at,
  permissions: ["*"],
  newTransactionId: () => demoId("txn", `${record.order.id} back`),
});

const moved = (record: OrderRecord, to: OrderStatus, context: DemoStepContext): OrderChange =>
  allowed(moveOrder(record, to, moveContext(record, context)));

function paid(
  record: OrderRecord,
  method: "bank_transfer" | "cod",
  context: DemoStepContext,
): OrderChange {
  const { id } = record.order;
  const reference = `UTR${hash("sha256", id, "hex").slice(0, 12).toUpperCase()}`;
  const input = { amount: amountToPay(record.order), method, reference };
  const today = dayIn(context.settings.store.timezone, context.at);
  const facts = { id: demoId("txn", `${id} paid`), today, since: today };
  return allowed(
    recordPayment(record, input, facts, { ...moveContext(record, context), stockAvailable: true }),
  );
}

function prepared(
  table: Table,
  record: OrderRecord,
  context: DemoStepContext,
): Promise<OrderRecord> {
  const id = demoId("shp", record.order.id);
  const transport = { carrier: "Namma Movers", tracking_number: id.slice(-10) };
  const outcome = prepareShipment(record, transport, { id, now: context.at });
  return storeChange(table, record, allowed(outcome), context);
}

/** Changes the status of the order's only shipment. */
async function shipment(
  table: Table,
  record: OrderRecord,
  status: ShipmentStatus,
  context: DemoStepContext,
): Promise<OrderRecord> {
  const { settings, at: now } = context;
  const series = invoiceSeries(settings, now);
  const completedAfterDays = settings.checkout.completed_after_days;
  const [only] = record.rows.shipments;
  if (!only) throw new Error(`${record.order.id} has no shipment.`);
  const facts = { now, series, completedAfterDays, returnId: only.id };
  const change = allowed(changeShipment(record, only, { status }, facts));
  const after = await storeChange(table, record, change, context);
  if (!change.invoice) return after;
  await issueInvoices(table, { order_id: after.order.id, shipment_id: only.id });
  return (await openOrders(table).find(after.order.id)) ?? after;
}
