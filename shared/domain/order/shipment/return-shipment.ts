import type { Step } from "../order-step.ts";
import type { OrderRecord, Shipment } from "../order.ts";
import type { ShipmentPatch } from "./shipment-input.ts";
import { stockIdOf, type StockChange, moveUnits } from "../../catalog/stock.ts";

/** Units that a carrier brings back, what becomes of them, and where the goods are. */
export type UnitsBack = NonNullable<ShipmentPatch["back"]>[number];

/** What becomes of all units of a shipment that comes back. */
export const wholeBack = (
  { items }: Pick<Shipment, "items">,
  { then = "resend", goods = "restock" }: Pick<ShipmentPatch, "then" | "goods">,
): UnitsBack[] => items.map((item) => ({ ...item, then, goods }));

/**
 * The effect of units that a carrier brings back: those to be sent again are reserved, those that are restocked are on
 * hand, and those that are taken back will never be sent.
 */
export function unitsBack(
  { order }: Pick<OrderRecord, "order">,
  units: readonly UnitsBack[],
): Pick<Step, "came_back" | "stock"> {
  return {
    came_back: units.flatMap(({ id, quantity, then }) =>
      then === "take_back" ? { id, quantity, undelivered: true } : [],
    ),
    stock: stockMoves(
      order,
      units.map(({ id, quantity, then, goods }) => ({
        id,
        on_hand: goods === "restock" ? quantity : 0,
        reserved: then === "resend" ? quantity : 0,
      })),
    ),
  };
}

/** The stock changes of units, summed by the id of their stock. Lines without a SKU have no stock. */
export function stockMoves(
  { items }: Pick<OrderRecord["order"], "items">,
  moves: readonly { readonly id: string; readonly on_hand: number; readonly reserved: number }[],
): ReadonlyMap<string, StockChange> {
  const sums = new Map<string, { on_hand: number; reserved: number }>();
  for (const { id, on_hand, reserved } of moves) {
    const line = items.find((item) => item.id === id);
    const stock = line ? stockIdOf(line) : null;
    if (stock === null || (on_hand === 0 && reserved === 0)) continue;
    const sum = sums.get(stock) ?? { on_hand: 0, reserved: 0 };
    sums.set(stock, { on_hand: sum.on_hand + on_hand, reserved: sum.reserved + reserved });
  }
  return new Map(Array.from(sums, ([stock, sum]) => [stock, moveUnits(sum)]));
}
