import { isHeldForBalance } from "../../payment/payment-schedule.ts";
import type { OrderRecord, Shipment } from "../order.ts";
import {
  type OrderStatus,
  type ShipmentStatus,
  allowedTransitions,
  shipmentMachine,
} from "../status/order-states.ts";
import { mayPrepare } from "./prepare-shipment.ts";

/** Order statuses in which shipments can leave. */
const sending: ReadonlySet<OrderStatus> = new Set(["ready_to_dispatch", "shipped"]);

/** The statuses that a shipment may have next. */
export const shipmentMoves = (record: OrderRecord, shipment: Shipment): ShipmentStatus[] =>
  movesByUnits(record, shipment).filter((to) => !isKeptBack(record, shipment, to));

/** Whether the dispatch of a shipment has to wait for the order's balance. */
const isKeptBack = ({ order }: OrderRecord, shipment: Shipment, to: ShipmentStatus): boolean =>
  to === "out_for_delivery" && shipment.dispatched_at === null && isHeldForBalance(order);

/** The statuses that may follow, whether or not money is due. */
export function movesByUnits(record: OrderRecord, shipment: Shipment): ShipmentStatus[] {
  return allowedTransitions(shipmentMachine, shipment.status).filter((to) => {
    switch (to) {
      case "packed":
        return mayPrepare(record);
      case "out_for_delivery":
        return sending.has(record.order.status);
      case "cancelled":
        // A shipment is cancelled only when all its units are taken off.
        return false;
      default:
        return true;
    }
  });
}
