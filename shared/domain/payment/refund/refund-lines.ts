import type { Problem } from "../../base/names.ts";
import type { LineUnits } from "../../order/ledger/line-units.ts";
import type { Step } from "../../order/order-step.ts";
import type { OrderItem, OrderRecord } from "../../order/order.ts";
import { holdsStock, unitsOf } from "../../order/ledger/order-units.ts";
import { valueOf } from "../../order/ledger/order-value.ts";
import { stockMoves } from "../../order/shipment/return-shipment.ts";
import { withoutUnits } from "../../order/change/take-off.ts";
import type { RefundInput } from "./plan-refund.ts";

/** A line of the order with the refund that is requested for it. */
export interface RefundLine {
  readonly id: string;
  readonly quantity: number;
  /** True if the request names the line twice. */
  readonly again: boolean;
  /** Undefined if the order has no such line. */
  readonly item: OrderItem | undefined;
  readonly units: LineUnits | undefined;
  /** How many of the line's units can be refunded. */
  readonly left: number;
  /** How many of the requested units are taken off, because they were not sent. */
  readonly takenOff: number;
  /** How many of the requested units are back at the shop. */
  readonly back: number;
}

export function linesOf(record: OrderRecord, { items, restock }: RefundInput): RefundLine[] {
  const all = unitsOf(record);
  const { lines } = valueOf(record);
  const isOpen = holdsStock(record.order.status);
  return items.map(({ id, quantity }, index) => {
    const units = all.get(id);
    const takenOff = isOpen && units ? Math.min(quantity, units.open + units.packed) : 0;
    const counted = lines.get(id)?.units ?? 0;
    const present = units ? units.ordered - units.taken_off - units.came_back : 0;
    return {
      id,
      quantity,
      again: items.findIndex((other) => other.id === id) < index,
      item: record.order.items.find((item) => item.id === id),
      units,
      // A unit that was refunded before may still come back.
      left: isOpen ? (restock ? present : counted) : 0,
      takenOff,
      back: restock ? quantity - takenOff : 0,
    };
  });
}

export function problemOf(
  { quantity, again, item, units, left, back }: RefundLine,
  index: number,
): Problem[] {
  const path = `items.${index}`;
  if (!item || !units)
    return [{ path: `${path}.id`, message: "The order has no line with this id." }];
  if (again) return [{ path: `${path}.id`, message: "The items field names this line twice." }];
  if (quantity > left) {
    const message = `Only ${left} of the line's ${units.ordered} units can still be refunded.`;
    return [{ path: `${path}.quantity`, message }];
  }
  if (back > units.delivered) {
    const unsent = quantity - back;
    const message =
      `Only ${unsent + units.delivered} of the line's units can be restocked: the others are on ` +
      "their way or already back.";
    return [{ path: `${path}.quantity`, message }];
  }
  return [];
}

/** What a refund changes in the units of an order. */
export type UnitsStep = Pick<Step, "taken_off" | "came_back" | "paid_back" | "shipments" | "stock">;

/**
 * What becomes of the refunded units: those that were not sent are taken off, those that are back are restocked, and
 * the others stay with the buyer without value.
 */
export function unitsStep(record: OrderRecord, lines: readonly RefundLine[]): UnitsStep {
  return {
    ...withoutUnits(
      record,
      lines.flatMap(({ id, takenOff }) => (takenOff > 0 ? { id, quantity: takenOff } : [])),
    ),
    came_back: lines.flatMap(({ id, back }) =>
      back > 0 ? { id, quantity: back, undelivered: false } : [],
    ),
    paid_back: lines.flatMap(({ id, quantity, takenOff, back }) =>
      quantity > takenOff + back ? { id, quantity: quantity - takenOff - back } : [],
    ),
    stock: stockMoves(
      record.order,
      lines.map(({ id, takenOff, back }) => ({ id, on_hand: back, reserved: -takenOff })),
    ),
  };
}
