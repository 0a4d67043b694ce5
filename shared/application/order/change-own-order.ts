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
import { type ChosenSlot, isSamePlace } from "#shared/domain/delivery/delivery-slot.ts";
import { cancelOrder } from "#shared/domain/order/status/cancel-order.ts";
import { takeSlot, slotLock } from "#shared/domain/order/edit/order-slot.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { mayChangeSlot, mayChooseSlot } from "#shared/domain/order/edit/slot-choice.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { type OrderStep, stepOrder } from "./step-order.ts";

interface OwnOrderCall extends OrderCaller {
  readonly headers: OrderCaller["headers"] & { readonly "if-match"?: ExpectedVersion };
}

/**
 * Applies a step of its buyer to an order.
 *
 * @param first the order, as the request has read it
 * @throws AppError `not_found` unless the buyer has proven the order, also when it is read again, and what the step throws
 */
export async function stepOwnOrder(
  call: OrderCaller,
  first: OrderRecord | undefined,
  shop: Shop<"table" | "linkKeys">,
  step: OrderStep,
): Promise<OrderRecord> {
  const proven = await provenOrder(first, call, shop);
  return stepOrder(shop, proven, call.now, async (record, context) =>
    step(record === proven ? proven : await provenOrder(record, call, shop), context),
  );
}

/**
 * Cancels an order for its buyer. Cancelling a cancelled order changes nothing.
 *
 * @param first the order, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export const cancelOwnOrder = (
  call: OwnOrderCall,
  first: OrderRecord | undefined,
  shop: Shop<"table" | "linkKeys">,
): Promise<OrderRecord> =>
  stepOwnOrder(call, first, shop, (record, context) => {
    const { order } = record;
    const outcome = cancelOrder(record, "customer", context);
    if (outcome.kind === "already") return undefined;
    requireVersion(call.headers["if-match"], order.version);
    if (outcome.kind === "refused") {
      throw new AppError("invalid_transition", {
        message: "This order can no longer be cancelled online. Please contact us.",
        details: { from: order.status, to: "cancelled", allowed: outcome.allowed },
      });
    }
    return outcome.change;
  });

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
export function chooseOwnSlot(
  call: OwnOrderCall & { readonly body: ChosenSlot },
  {
    found: first,
    settings,
  }: { readonly found: OrderRecord | undefined; readonly settings: Settings },
  shop: Shop<"table" | "linkKeys">,
): Promise<OrderRecord> {
  const { headers, body, now } = call;
  return stepOwnOrder(call, first, shop, async (record) => {
    const { order } = record;
    if (order.slot && isSamePlace(order.slot, { ...body, zone: order.slot.zone })) return undefined;
    requireVersion(headers["if-match"], order.version);
    const choice = ownSlotChoice(record, settings, now);
    if (!choice) {
      throw new AppError("order_locked", {
        message: "The delivery time of this order cannot be chosen now.",
        details: { reason: slotLock(record) },
      });
    }
    const { slot, writes } = await bookPlace(shop.table, body, choice);
    return { ...takeSlot(record, slot, now), writes };
  });
}
