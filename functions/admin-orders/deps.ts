import { openKeys } from "#shared/auth/key-rings.ts";
import { openStaffIdentity } from "#shared/auth/staff-identity.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import { openGateways } from "#shared/payments/open-gateway.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type OrderStore, openOrders } from "#shared/storage/orders.ts";
import { openSecrets } from "#shared/storage/secrets.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  orders: OrderStore;
  settings: SettingsStore;
  /** Null: none is configured. */
  gateway(): Promise<PaymentGateway | null>;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const given = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "MEDIA_BASE_URL",
    "SETTINGS_KEYS",
    "SETTINGS_SECRET",
    "STRIPE_API_URL",
  ]);
  const table = openTable({ name: given.TABLE_NAME, endpoint: given.DYNAMODB_ENDPOINT });
  const log = openLog("admin-orders");
  const keys = openKeys({ keys: given.SETTINGS_KEYS, secret: given.SETTINGS_SECRET });
  const settings = openSettings(table);
  const secrets = openSecrets({ table, keys, log });
  const gateways = openGateways({ settings, secrets, endpoint: given.STRIPE_API_URL, log });
  return {
    table,
    orders: openOrders(table),
    settings,
    gateway: gateways.current,
    identity: openStaffIdentity(table),
    mediaBaseUrl: given.MEDIA_BASE_URL,
    log,
  };
}
