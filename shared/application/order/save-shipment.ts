import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { spoken } from "#shared/domain/base/names.ts";
import {
  requireVersion,
  AppError,
  invalidFields,
  orNotFound,
} from "#shared/domain/request/app-error.ts";
import type { ShipmentInput, ShipmentPatch } from "#shared/domain/order/shipment/shipment-input.ts";
import type { EditCall } from "#shared/application/audit-context.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  allowedTransitions,
  orderMachine,
  type ShipmentStatus,
  canMove,
  shipmentMachine,
} from "#shared/domain/order/status/order-states.ts";
import {
  prepareShipment,
  type ShipmentStep,
} from "#shared/domain/order/shipment/prepare-shipment.ts";
import {
  type ShipmentContext,
  changeShipment,
} from "#shared/domain/order/shipment/change-shipment.ts";
import type { OrderStep } from "./step-order.ts";
import { type BookingCall, bookOnce, stepByCall } from "./step-by-call.ts";
import { writtenAmount } from "#shared/domain/base/money.ts";
import { invoiceSeries } from "#shared/domain/order/invoice/invoice.ts";
import { invoicedSupplies } from "#shared/domain/order/invoice/invoiced-supplies.ts";
import type { OrderRecord, Shipment, StoredOrder } from "#shared/domain/order/order.ts";
import { amountDue } from "#shared/domain/payment/owing.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { issueInvoices } from "#shared/storage/order/invoices.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";

/** Throws AppError `not_found` when the order has no shipment with this id. */
export const shipmentIn = ({ rows }: OrderRecord, id: string): Shipment =>
  orNotFound(rows.shipments.find((shipment) => shipment.id === id));

/**
 * Adds a shipment to an order, once per idempotency key.
 *
 * @param answerOf the response for the order after the step, and the shipment's id
 * @throws AppError as `bookOnce`, `validation_failed`, `invalid_transition`
 */
export function addShipment<Data>(
  call: BookingCall & { readonly body: ShipmentInput },
  shop: Shop<"table">,
  answerOf: (after: OrderRecord, id: string) => { data: Data; version: number },
) {
  const id = newId("shp", call.now);
  const booking = { what: "shipment", id } as const;
  return bookOnce(call, shop, preparing(call.body, id), {
    ...booking,
    answerOf: (record) => answerOf(record, id),
  });
}

const preparing =
  (body: ShipmentInput, id: string): OrderStep =>
  (record, { now }) => {
    const outcome = prepareShipment(record, body, { id, now });
    switch (outcome.kind) {
      case "invalid":
        throw invalidFields(outcome.problems);
      case "refused": {
        const { status } = record.order;
        throw new AppError("invalid_transition", {
          message: `An order that is ${spoken(status)} cannot be shipped.`,
          details: {
            from: status,
            to: "shipped",
            allowed: allowedTransitions(orderMachine, status),
          },
        });
      }
      case "changed":
        return outcome.change;
      // Preparing a shipment dispatches nothing.
      case "balance_due":
      case "already":
        return undefined;
    }
  };

/**
 * Stores a change of a shipment by staff, with its activity row. Issues the invoice that a dispatch needs.
 *
 * @param first the order, as the request has read it
 * @returns the changed order
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `balance_due`, `insufficient_stock`,
 *   `validation_failed`
 */
export async function patchShipment(
  call: EditCall<ShipmentPatch, "id" | "shipment">,
  first: OrderRecord | undefined,
  shop: Shop<"table" | "log" | "settings", CommerceGroup>,
): Promise<OrderRecord> {
  const { params, headers, body: patch, now } = call;
  const settings = await shop.settings.current();
  const facts: ShipmentContext = {
    now,
    completedAfterDays: settings.checkout.completed_after_days,
    series: invoiceSeries(settings, now),
    returnId: newId("shp", now),
  };
  const step: OrderStep = (record, { stockAvailable }) => {
    const shipment = shipmentIn(record, params.shipment);
    const outcome = changeShipment(record, shipment, patch, facts);
    // A repeated status is done, whatever version the caller expects.
    if (outcome.kind === "already" && patch.status !== undefined) return undefined;
    requireVersion(headers["if-match"], record.order.version);
    if (!stockAvailable) throw notOnShelf(record, shipment);
    if (outcome.kind === "balance_due") throw balanceDue(record, outcome.allowed);
    return changeOrThrow(outcome, shipment, patch);
  };
  const after = await stepByCall({ ...call, first }, shop, step, {
    audit: (before, { shipments: [changed] }) => ({
      action: "order.shipment_update",
      before: { shipment: shipmentIn(before, params.shipment) },
      after: { shipment: changed },
    }),
  });
  return lacksNumber(after.order) ? withInvoice(after, params.shipment, shop) : after;
}

/** Whether an invoice of the order has yet to get its number. */
const lacksNumber = (order: StoredOrder): boolean =>
  invoicedSupplies(order).some(({ invoice }) => invoice === null);

/** The order after the dispatch's invoice is issued. If that fails, the next scheduled run issues it. */
async function withInvoice(
  record: OrderRecord,
  shipment_id: string,
  { table, log }: Shop<"table" | "log">,
): Promise<OrderRecord> {
  try {
    await issueInvoices(table, { order_id: record.order.id, shipment_id });
  } catch (cause) {
    // The shipment is stored, so the request succeeds even if no invoice was issued.
    const say = cause instanceof Unavailable ? log.warn : log.error;
    say("Invoice postponed: the next scheduled run issues it", {
      order_id: record.order.id,
      cause,
    });
  }
  return (await openOrders(table).find(record.order.id)) ?? record;
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

function notOnShelf(record: OrderRecord, { items }: Shipment): AppError {
  return new AppError("insufficient_stock", {
    message: "Not enough stock on hand for this shipment. Please count the stock again.",
    details: { skus: [...new Set(skusOf(record, items))] },
  });
}

const skusOf = ({ order }: OrderRecord, items: Shipment["items"]): string[] =>
  order.items.flatMap(({ id, sku }) =>
    sku !== null && items.some((item) => item.id === id) ? [sku] : [],
  );
