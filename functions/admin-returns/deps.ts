import { connectGateways } from "#functions/connect/gateways.ts";
import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";

export interface Deps extends StaffFamilyDeps {
  orders: OrderStore;
  settings: SettingsStore;
  /** Returns the payment gateway, or null if it is not configured. */
  gateway(): Promise<PaymentGateway | null>;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-returns");
  const settings = openSettings(family.table);
  return {
    ...family,
    orders: openOrders(family.table),
    settings,
    gateway: connectGateways(environment, { ...family, settings }).configured,
  };
}
