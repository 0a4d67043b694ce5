import type { Shop } from "#shared/application/shop.ts";
import {
  AppError,
  invalidField,
  invalidFields,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { newId } from "#shared/domain/base/ids.ts";
import {
  type ChangeEffect,
  effectOfChange,
  planChange,
} from "#shared/domain/order/change/plan-change.ts";
import type { ChangeInput } from "#shared/domain/order/change/change-input.ts";
import { changed } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { covers } from "#shared/domain/staff/permission.ts";
import { requireRefundable } from "../payment/require-refundable.ts";
import { type AddedLines, addedLines, outOfStock, shortOf } from "./added-lines.ts";
import type { StaffCaller } from "../staff/privilege-escalation.ts";
import { cancelInstead } from "./refund-order.ts";
import type { OrderStep } from "./step-order.ts";
import { type Booked, type BookingCall, stepOnce } from "./step-by-call.ts";

interface ChangeCall extends BookingCall, StaffCaller {
  readonly body: ChangeInput;
}

/** A change before it is judged. */
interface Requested {
  readonly id: string;
  readonly added: AddedLines;
  readonly settings: Settings;
}

/**
 * Changes what an order owes, once per idempotency key and in one transaction. Refunds through the gateway are made
 * before the answer, unless it is unreachable.
 *
 * @throws AppError as `stepOnce`, `validation_failed`, `forbidden`, `invalid_transition`, `order_locked`,
 *   `insufficient_stock`
 */
export async function changeOrder(
  call: ChangeCall,
  shop: Shop<"table" | "gateways" | "log" | "settings", CommerceGroup>,
): Promise<Booked & { readonly effect: ChangeEffect }> {
  const requested = await read(call, shop);
  const booked = await stepOnce(call, shop, stepOf(call, requested), {
    what: "change",
    id: requested.id,
    selects: ({ change_id }, change) => change_id === change,
  });
  return { ...booked, effect: effectOfChange(booked.record, booked.id, call.body) };
}

/**
 * The order as a change would leave it. Nothing is stored.
 *
 * @throws AppError as `changeOrder`
 */
export async function previewChange(
  call: Pick<ChangeCall, "body" | "first" | "headers" | "now" | keyof StaffCaller>,
  shop: Shop<"table" | "gateways" | "settings", CommerceGroup>,
): Promise<{
  readonly before: OrderRecord;
  readonly after: OrderRecord;
  readonly effect: ChangeEffect;
}> {
  const { now, body } = call;
  const before = orNotFound(call.first);
  requireVersion(call.headers["if-match"], before.order.version);
  const requested = await read(call, shop);
  const context = { now, newTransactionId: () => newId("txn", now), stockAvailable: true };
  const change = await stepOf(call, requested)(before, context);
  const refused = change && outOfStock(requested.added, shortOf(change, requested.added));
  if (refused) throw refused;
  if (change) await requireRefundable(shop, before, change);
  const after = change ? changed(before, change) : before;
  return { before, after, effect: effectOfChange(after, requested.id, body) };
}

/** Reads what the change depends on besides the order, and prices what it adds. */
async function read(
  {
    first,
    body,
    now,
    permissions,
    maxDiscountBps,
  }: Pick<ChangeCall, "first" | "body" | "now" | keyof StaffCaller>,
  { table, settings: store }: Shop<"table" | "settings", CommerceGroup>,
): Promise<Requested> {
  const { order } = orNotFound(first);
  const id = newId("chg", now);
  const settings = await store.current();
  const caller = { permissions, maxDiscountBps };
  const adding = { order, tax: settings.tax, id, now, ...caller };
  const added = await addedLines(table, body.add, adding);
  return { id, added, settings };
}

const stepOf =
  (
    { body, permissions }: Pick<ChangeCall, "body" | "permissions">,
    { id, added, settings }: Requested,
  ): OrderStep =>
  (record, { now, newTransactionId, stockAvailable, short = new Map() }) => {
    if (!stockAvailable) {
      throw (
        outOfStock(added, short) ??
        invalidField(
          "take_off",
          "The inventory has too few of these units, or reserves too few. Correct the stock first.",
        )
      );
    }
    const context = { now, id, added: added.items, settings, newTransactionId };
    const outcome = planChange(record, body, context);
    switch (outcome.kind) {
      case "refused":
        throw invalidFields(outcome.problems);
      case "everything":
        throw cancelInstead(record);
      case "dispatched":
        throw new AppError("order_locked", {
          message: "The delivery can no longer change: a part of the order was sent.",
          details: { reason: "dispatched" },
        });
      case "ended":
        throw new AppError("order_locked", {
          message: `An order that is ${record.order.status} can no longer change.`,
          details: { reason: "ended" },
        });
      case "planned": {
        if (!outcome.paysBack || covers(permissions, "orders.refund")) return outcome.change;
        throw new AppError("forbidden", {
          message:
            "This change lowers prices or refunds money. You do not have permission to refund.",
          details: { permission: "orders.refund" },
        });
      }
    }
  };
