import type { OrderRecord, Shipment } from "./order.ts";
import { type OrderStatus, type ShipmentStatus, isUnfulfilled } from "./order-states.ts";

/** The numbers of a line's units by fulfilment state. */
export interface LineUnits {
  readonly ordered: number;
  /** Units whose price was refunded, or is part of a pending refund. */
  readonly refunded: number;
  /** Units restocked before they were sent. */
  readonly withdrawn: number;
  /** Units in transit or delivered. */
  readonly away: number;
  /** Sent units that were restocked. */
  readonly returned: number;
  /** Units that still have to be sent. They are reserved while the order holds stock. */
  readonly owed: number;
  /** Units not sent yet and in no shipment. */
  readonly unpacked: number;
}

const awayIn: ReadonlySet<ShipmentStatus> = new Set([
  "out_for_delivery",
  "delivery_failed",
  "delivered",
]);
const preparedIn: ReadonlySet<ShipmentStatus> = new Set(["pending", "packed"]);

/** Whether an order with this status holds stock. The stock is released when the order ends without a sale. */
export const holdsStock = (status: OrderStatus): boolean => !isUnfulfilled(status);

/** The units of every line by line id, computed from shipments and refunds. */
export function unitsOf({ order, rows }: OrderRecord): ReadonlyMap<string, LineUnits> {
  const sent = (id: string, states: ReadonlySet<ShipmentStatus>) =>
    quantityIn(
      rows.shipments.filter(({ status }) => states.has(status)),
      id,
    );
  return new Map(
    order.items.map(({ id, quantity: ordered }) => {
      const refunds = rows.transactions.flatMap(({ items, state }) =>
        items.flatMap((item) => (item.id === id ? [{ ...item, state }] : [])),
      );
      // A failed refund returned no money, but its units were restocked when it was made.
      const kept = refunds.filter(({ state }) => state !== "failed");
      const refunded = sum(kept.map(({ quantity }) => quantity));
      const withdrawn = sum(refunds.map((item) => item.withdrawn));
      const returned = sum(refunds.map((item) => item.returned));
      const away = sent(id, awayIn);
      const owed = ordered - withdrawn - away;
      const unpacked = owed - sent(id, preparedIn);
      return [id, { ordered, refunded, withdrawn, away, returned, owed, unpacked }];
    }),
  );
}

/** Whether units are left to be sent. */
export const owesUnits = (record: OrderRecord): boolean =>
  [...unitsOf(record).values()].some(({ owed }) => owed > 0);

/**
 * Units of each SKU that the order has reserved, or would reserve if it held stock. Lines without a SKU are made to
 * order.
 */
export function owedBySku(record: OrderRecord): ReadonlyMap<string, number> {
  const units = unitsOf(record);
  return bySku(
    record,
    [...units].map(([id, { owed }]) => ({ id, quantity: owed })),
  );
}

/** Converts quantities by line into quantities by SKU. */
export function bySku(
  { order }: Pick<OrderRecord, "order">,
  quantities: readonly { id: string; quantity: number }[],
): ReadonlyMap<string, number> {
  const skus = new Map(order.items.map(({ id, sku }) => [id, sku]));
  const total = new Map<string, number>();
  for (const { id, quantity } of quantities) {
    const sku = skus.get(id);
    if (sku != null && quantity > 0) total.set(sku, (total.get(sku) ?? 0) + quantity);
  }
  return total;
}

function quantityIn(shipments: readonly Shipment[], lineId: string): number {
  const items = shipments.flatMap((shipment) => shipment.items.filter(({ id }) => id === lineId));
  return sum(items.map(({ quantity }) => quantity));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
