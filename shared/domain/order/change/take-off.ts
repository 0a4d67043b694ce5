import type { Step } from "../order-step.ts";
import type { OrderRecord, Shipment } from "../order.ts";
import { isPacked, unitsOf } from "../ledger/order-units.ts";

export interface UnitsOfLine {
  readonly id: string;
  readonly quantity: number;
}

/**
 * Takes units off that were not sent. Open units go first; then those in the last shipments that have not left, which
 * shrink. A shipment that is empty is cancelled.
 *
 * @param units at most those of each line that are open or packed
 */
export function withoutUnits(
  record: OrderRecord,
  units: readonly UnitsOfLine[],
): Pick<Step, "taken_off" | "shipments"> {
  const known = unitsOf(record);
  const toUnpack = new Map(
    units.map(({ id, quantity }) => [id, Math.max(0, quantity - (known.get(id)?.open ?? 0))]),
  );
  const shipments: Shipment[] = [];
  for (const shipment of record.rows.shipments.filter(isPacked).toReversed()) {
    const items = shipment.items.flatMap(({ id, quantity }) => {
      const out = Math.min(quantity, toUnpack.get(id) ?? 0);
      toUnpack.set(id, (toUnpack.get(id) ?? 0) - out);
      return out < quantity ? { id, quantity: quantity - out } : [];
    });
    if (totalOf(items) === totalOf(shipment.items)) continue;
    const status = items.length === 0 ? "cancelled" : shipment.status;
    shipments.push({ ...shipment, status, items });
  }
  return { taken_off: [...units], shipments };
}

/** Whether nothing was sent, and taking these units off leaves nothing to send. */
export function takesEverything(record: OrderRecord, units: readonly UnitsOfLine[]): boolean {
  const left = new Map(
    Array.from(unitsOf(record), ([id, { ordered, taken_off }]) => [id, ordered - taken_off]),
  );
  for (const { id, quantity } of units) left.set(id, (left.get(id) ?? 0) - quantity);
  return totalOf(units) > 0 && [...left.values()].every((count) => count <= 0);
}

/** The units of all lines that were not sent. */
export const allUnsent = (record: OrderRecord): UnitsOfLine[] =>
  Array.from(unitsOf(record), ([id, { open, packed }]) => ({ id, quantity: open + packed })).filter(
    ({ quantity }) => quantity > 0,
  );

const totalOf = (items: readonly UnitsOfLine[]): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);
