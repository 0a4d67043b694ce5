import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { randomBytes } from "node:crypto";
import { connectKeys } from "#functions/connect/keys.ts";
import type { PaymentSettings } from "#shared/domain/settings/settings.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { connectGateways } from "#functions/connect/gateways.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";

export interface Deps extends StaffFamilyDeps {
  orders: OrderStore;
  settings: SettingsStore;
  /**
   * Returns the payment gateway, or null if it is not configured. Refunds of earlier payments use the gateway even
   * while online payment is switched off.
   */
  gateway(): Promise<PaymentGateway | null>;
  /** Whether buyers can pay online. */
  gatewayReady(payments: PaymentSettings): Promise<boolean>;
  /** The keys that sign the links of orders. */
  linkKeys: KeySource;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-sales");
  const settings = openSettings(family.table);
  const gateways = connectGateways(environment, { ...family, settings });
  return {
    ...family,
    orders: openOrders(family.table),
    settings,
    gateway: gateways.configured,
    gatewayReady: async (payments) => (await gateways.current(payments)) !== null,
    linkKeys: connectKeys(environment, "LINK"),
    randomBytes,
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
  };
}
