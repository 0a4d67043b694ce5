import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { connectGateways } from "#shared/application/payment/connect-gateways.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  orders: OrderStore;
  settings: SettingsStore;
  /**
   * Returns the payment gateway, or null if it is not configured. Refunds of earlier payments use the gateway even
   * while online payment is switched off.
   */
  gateway(): Promise<PaymentGateway | null>;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, MEDIA_BASE_URL } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "MEDIA_BASE_URL",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("admin-orders");
  const settings = openSettings(table);
  const gateways = connectGateways(environment, { table, settings, log });
  return {
    table,
    orders: openOrders(table),
    settings,
    gateway: gateways.configured,
    identity: openStaffIdentity(table),
    mediaBaseUrl: MEDIA_BASE_URL,
    log,
  };
}
