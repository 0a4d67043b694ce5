import type { StoredOrder } from "#shared/domain/order/order.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import type { ItemChange } from "#shared/storage/stream.ts";
import { distinct } from "../distinct.ts";
import type { OrderNameChanges } from "../order-name-change.ts";

/** A new order, or one whose names changed. */
export function orderNameChange({ before, after }: ItemChange): { id: string } | undefined {
  if (after?.["entity"] !== Orders.name) return undefined;
  const names = (item: object) => {
    const { customer, addresses } = item as StoredOrder;
    return JSON.stringify([customer.name, addresses.shipping.name]);
  };
  return before && names(before) === names(after) ? undefined : { id: String(after["id"]) };
}

/** The orders of a batch, in one message. */
export function orderNameMessages(changes: readonly { id: string }[]): OrderNameChanges[] {
  return changes.length > 0 ? [{ changes: distinct(changes) }] : [];
}
