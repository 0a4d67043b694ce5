import { newId } from "#shared/domain/base/ids.ts";
import { writtenAmount } from "#shared/domain/base/money.ts";
import { invoiceSeries } from "#shared/domain/order/invoice.ts";
import { bySku } from "#shared/domain/order/order-units.ts";
import type { OrderRecord, Shipment } from "#shared/domain/order/order.ts";
import {
  type ShipmentStatus,
  canMove,
  shipmentMachine,
} from "#shared/domain/order/order-states.ts";
import {
  type ShipmentContext,
  type ShipmentStep,
  changeShipment,
} from "#shared/domain/order/ship-order.ts";
import type { ShipmentPatch } from "#shared/domain/order/shipment-input.ts";
import { amountDue } from "#shared/domain/payment/payment.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { AppError, invalidFields, orNotFound } from "#shared/domain/request/app-error.ts";
import { type FurtherWrites, tryStep } from "#shared/application/payment/step-order.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { issueInvoices } from "#shared/storage/order/invoices.ts";
import type { OrderStore } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Log } from "#shared/runtime/log.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { targetOf } from "./change-order.ts";

/** Throws AppError `not_found` when the order has no shipment with this id. */
export const shipmentIn = ({ rows }: OrderRecord, id: string): Shipment =>
  orNotFound(rows.shipments.find((shipment) => shipment.id === id));

interface ShipmentDeps {
  readonly table: Table;
  readonly orders: Pick<OrderStore, "find">;
  readonly log: Pick<Log, "warn" | "error">;
}

export interface ShipmentWrite {
  readonly settings: Settings;
  readonly audit: AuditContext;
  readonly deps: ShipmentDeps;
}

/**
 * Stores a change of a shipment by staff, with its activity row. Issues the order's invoice with its first dispatch.
 *
 * @returns the changed order
 * @throws AppError `invalid_transition`, `insufficient_stock`, `validation_failed`; Refused when the order has
 *   changed since it was read
 */
export async function patchShipment(
  record: OrderRecord,
  shipment: Shipment,
  patch: ShipmentPatch,
  { settings, audit, deps }: ShipmentWrite,
): Promise<OrderRecord> {
  const { now } = audit;
  const { table } = deps;
  const completedAfterDays = settings.checkout.completed_after_days;
  const series = invoiceSeries(settings, now);
  const returnId = newId("shp", now);
  const furtherWrites: FurtherWrites = ({ shipments: [after] }) => [
    recordActivity(audit, "order.shipment_update", targetOf(record.order), {
      before: { shipment },
      after: { shipment: after },
    }),
  ];
  const after = await tryStep({ table }, record, { now, furtherWrites }, (_record, context) => {
    if (!context.stockAvailable) throw notOnShelf(record, shipment);
    const facts: ShipmentContext = { now, completedAfterDays, series, returnId };
    const outcome = changeShipment(record, shipment, patch, facts);
    if (outcome.kind === "balance_due") throw balanceDue(record, outcome.allowed);
    return changeOrThrow(outcome, shipment, patch);
  });
  return after.order.status === "shipped" && after.order.invoice === null
    ? withInvoice(after, deps)
    : after;
}

/** The order after its invoice is issued. If that fails, the next scheduled run issues the invoice. */
async function withInvoice(
  record: OrderRecord,
  { table, orders, log }: Pick<ShipmentDeps, "table" | "orders" | "log">,
): Promise<OrderRecord> {
  try {
    await issueInvoices(table, record.order.id);
  } catch (cause) {
    // The shipment is stored, so the request succeeds even if no invoice was issued.
    const say = cause instanceof Unavailable ? log.warn : log.error;
    say("Invoice postponed: the next scheduled run issues it", {
      order_id: record.order.id,
      cause,
    });
  }
  return (await orders.find(record.order.id)) ?? record;
}

function balanceDue({ order }: OrderRecord, allowed: readonly ShipmentStatus[]): AppError {
  const { currency } = order;
  const amount = amountDue(order);
  const due = writtenAmount(amount, currency, "en");
  return new AppError("balance_due", {
    message:
      `The balance of ${due} is not paid. Record its payment, or waive it with PATCH ` +
      "…/payment-schedule/balance.",
    details: { amount, currency, allowed },
  });
}

function changeOrThrow(
  outcome: Exclude<ShipmentStep, { kind: "balance_due" }>,
  { status: from }: Shipment,
  patch: ShipmentPatch,
) {
  switch (outcome.kind) {
    case "already":
      return undefined;
    case "changed":
      return outcome.change;
    case "invalid":
      throw invalidFields(outcome.problems);
    case "refused": {
      const { allowed } = outcome;
      const to = patch.status ?? from;
      const message = whyRefused(from, to);
      throw new AppError("invalid_transition", { message, details: { from, to, allowed } });
    }
  }
}

/**
 * The reason for a refused change: either the shipment cannot change to this status, or the order's state does not
 * allow it.
 */
function whyRefused(from: ShipmentStatus, to: ShipmentStatus): string {
  if (!canMove(shipmentMachine, from, to)) {
    return `A shipment cannot go from ${spoken(from)} to ${spoken(to)}.`;
  }
  switch (to) {
    case "out_for_delivery":
      return "The order must be ready to dispatch.";
    default:
      return "The items of this order cannot be shipped in its current state.";
  }
}

const spoken = (state: string) => state.replaceAll("_", " ");

function notOnShelf(record: OrderRecord, { items }: Shipment): AppError {
  return new AppError("insufficient_stock", {
    message: "Not enough stock on hand for this shipment. Please count the stock again.",
    details: { skus: [...bySku(record, items).keys()] },
  });
}
