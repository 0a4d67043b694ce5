import { type OrderCaller, provesOrder } from "../auth/order-proof.ts";
import type { OrderRecord } from "../domain/order/order.ts";
import { AppError } from "../domain/request/app-error.ts";

/**
 * The order that a caller asks for, if it is theirs. Every answer that shows an order to its buyer goes through here.
 *
 * @throws AppError `not_found` when it is somebody else's, or nobody's
 */
export function provenOrder(found: OrderRecord | undefined, caller: OrderCaller): OrderRecord {
  if (found && provesOrder(found.order, caller)) return found;
  throw new AppError("not_found", { message: "There is no such order." });
}
