import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import {
  type ExpectedVersion,
  AppError,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import {
  type SlotChoice,
  bookPlace,
  slotChoiceFor,
} from "#shared/application/delivery/free-slots.ts";
import { type OrderCaller, provenOrder } from "#shared/auth/order-proof.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type ChosenSlot, isSamePlace } from "#shared/domain/delivery/delivery-slot.ts";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { changed } from "#shared/domain/order/order-step.ts";
import { takeSlot, slotLock } from "#shared/domain/order/edit/order-slot.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { mayChangeSlot, mayChooseSlot } from "#shared/domain/order/edit/slot-choice.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { orderChangeWrites } from "#shared/storage/order/order-changes.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";

interface OwnOrderCall extends OrderCaller {
  readonly params: { readonly id: string };
  readonly headers: OrderCaller["headers"] & { readonly "if-match"?: ExpectedVersion };
}

/**
 * Cancels an order for its buyer. Cancelling a cancelled order changes nothing.
 *
 * @param first the order, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export async function cancelOwnOrder(
  call: OwnOrderCall,
  first: OrderRecord | undefined,
  { table, linkKeys }: Shop<"table" | "linkKeys">,
): Promise<OrderRecord> {
  const { params, headers, now } = call;
  const read = () => openOrders(table).find(params.id);
  return retryOnConflict(first, read, async (found) => {
    const record = await provenOrder(found, call, { linkKeys });
    const { order } = record;
    const newTransactionId = () => newId("txn", now);
    const outcome = cancelOrder(record, "customer", { now, newTransactionId });
    if (outcome.kind === "already") return record;
    requireVersion(headers["if-match"], order.version);
    if (outcome.kind === "refused") {
      throw new AppError("invalid_transition", {
        message: "This order can no longer be cancelled online. Please contact us.",
        details: { from: order.status, to: "cancelled", allowed: outcome.allowed },
      });
    }
    await table.transact(orderChangeWrites(order, outcome.change, now).writes);
    return changed(record, outcome.change);
  });
}

/** What the buyer can choose from now; null if the order's slot cannot be chosen or changed. */
export function ownSlotChoice(
  record: OrderRecord,
  settings: Settings,
  now: Date,
): SlotChoice | null {
  const may = mayChooseSlot(record, settings) || mayChangeSlot(record, settings, now);
  return may ? slotChoiceFor(record.order, settings, now) : null;
}

/**
 * Books another delivery slot for an order. Choosing the booked slot again changes nothing.
 *
 * @param opened the order and the settings, as the request has read them
 * @throws AppError `not_found`, `version_mismatch`, `order_locked`, `slot_taken` with alternatives
 */
export async function chooseOwnSlot(
  call: OwnOrderCall & { readonly body: ChosenSlot },
  {
    found: first,
    settings,
  }: { readonly found: OrderRecord | undefined; readonly settings: Settings },
  { table, linkKeys }: Shop<"table" | "linkKeys">,
): Promise<OrderRecord> {
  const { params, headers, body, now } = call;
  const read = () => openOrders(table).find(params.id);
  return retryOnConflict(first, read, async (current) => {
    const record = await provenOrder(current, call, { linkKeys });
    const { order } = record;
    if (order.slot && isSamePlace(order.slot, { ...body, zone: order.slot.zone })) return record;
    requireVersion(headers["if-match"], order.version);
    const choice = ownSlotChoice(record, settings, now);
    if (!choice) {
      throw new AppError("order_locked", {
        message: "The delivery time of this order cannot be chosen now.",
        details: { reason: slotLock(record) },
      });
    }
    const { slot, writes } = await bookPlace(table, body, choice);
    const change = takeSlot(record, slot, now);
    await table.transact([...orderChangeWrites(order, change, now).writes, ...writes]);
    return changed(record, change);
  });
}
