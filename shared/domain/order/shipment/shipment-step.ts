import type { Problem } from "../../base/names.ts";
import type { OrderChange } from "../order-step.ts";
import type { Shipment } from "../order.ts";
import type { ShipmentStatus } from "../status/order-states.ts";

/** The outcome of a step of a shipment. */
export type ShipmentStep =
  /** Nothing would change. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly ShipmentStatus[] }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] }
  /** The units may leave only when the order's balance is paid, waived or paid on delivery. */
  | { readonly kind: "balance_due"; readonly allowed: readonly ShipmentStatus[] }
  | { readonly kind: "changed"; readonly change: OrderChange; readonly shipment: Shipment };
