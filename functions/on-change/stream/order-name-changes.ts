import type { StoredOrder } from "#shared/domain/order/order.ts";
import { projection } from "#shared/storage/entity.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { type ItemChange, imageOf } from "#shared/storage/stream.ts";
import { distinct } from "../distinct.ts";
import type { OrderNameChanges } from "../order-name-change.ts";

const NamedOrders = projection(Orders, ["id", "customer", "addresses"]);
type NamedOrder = Pick<StoredOrder, "customer" | "addresses">;

const namesIn = (order: NamedOrder | undefined) =>
  order && JSON.stringify([order.customer.name, order.addresses.shipping.name]);

/** Returns the id of a new order, or of an order whose names have changed; otherwise undefined. */
export function orderNameChange({ before, after }: ItemChange): { id: string } | undefined {
  const order = imageOf(NamedOrders, after);
  if (!order) return undefined;
  return namesIn(imageOf(NamedOrders, before)) === namesIn(order) ? undefined : { id: order.id };
}

/** The orders of a batch, in one message. */
export function orderNameMessages(changes: readonly { id: string }[]): OrderNameChanges[] {
  return changes.length > 0 ? [{ changes: distinct(changes) }] : [];
}
