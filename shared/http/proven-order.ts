import { type OrderCaller, proofHeaders, provesOrder } from "../auth/order-proof.ts";
import type { OrderRecord } from "../domain/order/order.ts";
import { AppError } from "../domain/request/app-error.ts";
import type { Access } from "./route.ts";

/** A signed-in customer, or a guest who sends a token that may prove access to the order. */
export const orderBuyer: Access = { guard: "optional", guestSends: proofHeaders };

/**
 * Returns the order if the caller has proven access to it. Every response that shows an order to its buyer uses this.
 *
 * @throws AppError `not_found` when the order does not exist or access is not proven
 */
export function provenOrder(record: OrderRecord | undefined, caller: OrderCaller): OrderRecord {
  if (record && provesOrder(record, caller)) return record;
  throw new AppError("not_found", { message: "There is no order with this id." });
}
