import type { Problem } from "../../base/names.ts";
import type { StoredOrder } from "../order.ts";

/** The most that one order holds, and that one change of it moves. */
const orderLimits = { lines: 100, variants: 70, bytes: 300 * 1024, variantsOfChange: 40 } as const;

/**
 * Why an order is too large after a change.
 *
 * @param order after the change
 * @param moved SKUs whose stock the change moves
 */
export function sizeProblems(order: StoredOrder, moved: Iterable<string>): Problem[] {
  const refused = (message: string): Problem[] => [{ path: "add", message }];
  const skus = new Set(order.items.flatMap(({ sku }) => sku ?? []));
  if (order.items.length > orderLimits.lines) {
    return refused(`An order has at most ${orderLimits.lines} lines.`);
  }
  if (skus.size > orderLimits.variants) {
    return refused(`An order has at most ${orderLimits.variants} different items from stock.`);
  }
  if (new Set(moved).size > orderLimits.variantsOfChange) {
    return refused(
      `A change moves the stock of at most ${orderLimits.variantsOfChange} items. Make several changes.`,
    );
  }
  if (Buffer.byteLength(JSON.stringify(order)) > orderLimits.bytes) {
    return refused("The order is too large for these lines.");
  }
  return [];
}
