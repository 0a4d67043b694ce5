import { stockIdOf } from "../../catalog/stock.ts";
import type { OrderRecord, Shipment } from "../order.ts";
import { type OrderStatus, type ShipmentStatus, isUnfulfilled } from "../status/order-states.ts";
import * as z from "zod";

type Place = Exclude<keyof LineUnits, "ordered">;

const placeIn: Readonly<Record<ShipmentStatus, "packed" | "on_the_way" | "delivered" | null>> = {
  pending: "packed",
  packed: "packed",
  out_for_delivery: "on_the_way",
  delivery_failed: "on_the_way",
  delivered: "delivered",
  returned_to_origin: null,
  cancelled: null,
};

/** Whether the units of a shipment are packed and have not left. */
export const isPacked = ({ status }: Pick<Shipment, "status">): boolean =>
  placeIn[status] === "packed";

/** Whether an order with this status holds stock. The stock is released when the order ends without a sale. */
export const holdsStock = (status: OrderStatus): boolean => !isUnfulfilled(status);

/** The units of every line by line id. This is the only count of units: everything else follows from it. */
export function unitsOf({ order, rows }: OrderRecord): ReadonlyMap<string, LineUnits> {
  const inShipments = (place: Place, line: string) =>
    quantityOf(
      rows.shipments.filter(({ status }) => placeIn[status] === place).flatMap(itemsOf),
      line,
    );
  return new Map(
    order.items.map(({ id, quantity: ordered }) => {
      const back = rows.changes.flatMap((change) => change.came_back);
      const taken_off = quantityOf(
        rows.changes.flatMap((change) => change.taken_off),
        id,
      );
      const came_back = quantityOf(back, id);
      const returned = quantityOf(
        back.filter(({ undelivered }) => !undelivered),
        id,
      );
      const packed = inShipments("packed", id);
      const on_the_way = inShipments("on_the_way", id);
      const delivered = inShipments("delivered", id) - returned;
      const open = ordered - packed - on_the_way - delivered - taken_off - came_back;
      return [id, { ordered, open, packed, on_the_way, delivered, taken_off, came_back }];
    }),
  );
}

/** The units of all lines that are in one of these places. */
export const unitsIn = (record: OrderRecord, ...places: readonly Place[]): number =>
  sum(Array.from(unitsOf(record).values(), (units) => sum(places.map((place) => units[place]))));

/** Whether units are left to be sent. */
export const hasUnsent = (record: OrderRecord): boolean => unitsIn(record, "open", "packed") > 0;

/**
 * Units by the id of their stock that the order has reserved, or would reserve if it held stock: those that are still to
 * be sent. Lines without a SKU are made to order.
 */
export function unsentByStock(record: OrderRecord): ReadonlyMap<string, number> {
  const units = unitsOf(record);
  return byStock(
    record,
    Array.from(units, ([id, { open, packed }]) => ({ id, quantity: open + packed })),
  );
}

/** Converts quantities by line into quantities by the id of the line's stock. */
export function byStock(
  { order }: Pick<OrderRecord, "order">,
  quantities: readonly { id: string; quantity: number }[],
): ReadonlyMap<string, number> {
  const stock = new Map(order.items.map((line) => [line.id, stockIdOf(line)]));
  const total = new Map<string, number>();
  for (const { id: line, quantity } of quantities) {
    const id = stock.get(line);
    if (id != null && quantity > 0) total.set(id, (total.get(id) ?? 0) + quantity);
  }
  return total;
}

/**
 * The order's status by where its units are. An order of which everything was sent, and something delivered, is
 * `delivered`; an order that came back whole, apart from what was taken off, is `returned`. One that has units of
 * added lines to send again is `shipped`.
 */
export function statusByUnits(record: OrderRecord): OrderStatus {
  const { status } = record.order;
  if (!afterDispatch.has(status)) return status;
  if (unitsIn(record, "open", "packed", "on_the_way") > 0) {
    return sendsAdded(record) ? "shipped" : status;
  }
  if (unitsIn(record, "delivered") > 0) return status === "shipped" ? "delivered" : status;
  return unitsIn(record, "came_back") > 0 ? "returned" : status;
}

/** Whether units of lines that changes have added are still to be sent. */
function sendsAdded(record: OrderRecord): boolean {
  const units = unitsOf(record);
  return record.order.items.some(({ id, change_id }) => {
    const { open = 0, packed = 0 } = units.get(id) ?? {};
    return change_id !== null && open + packed > 0;
  });
}

const afterDispatch: ReadonlySet<OrderStatus> = new Set(["shipped", "delivered", "completed"]);

const itemsOf = ({ items }: Shipment) => items;

const quantityOf = (
  items: readonly { readonly id: string; readonly quantity: number }[],
  line: string,
): number => sum(items.flatMap(({ id, quantity }) => (id === line ? [quantity] : [])));

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/**
 * Where a line's units are. Each ordered unit is in exactly one place, so the other members add up to `ordered` before
 * and after every step.
 *
 * Transitions: `open` ⇄ `packed` → `on_the_way` → `delivered` → `came_back`; `on_the_way` → `open` or `came_back`; `open`
 * and `packed` → `taken_off`.
 */
export const LineUnits = z
  .object({
    ordered: z.int(),
    open: z.int().meta({ description: "Still to be sent, and in no shipment yet" }),
    packed: z.int().meta({ description: "In a shipment that has not left" }),
    on_the_way: z.int().meta({ description: "Out for delivery, or the delivery failed" }),
    delivered: z.int(),
    taken_off: z.int().meta({ description: "Will never be sent" }),
    came_back: z.int().meta({ description: "Sent, and back at the shop for good" }),
  })
  .meta({
    id: "LineUnits",
    description: "Where the line's units are. The other members add up to `ordered`",
  });
export type LineUnits = z.output<typeof LineUnits>;
