import { openKeys } from "#shared/runtime/key-rings.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { connectGateways } from "#shared/application/payment/connect-gateways.ts";
import type { Gateways } from "#shared/application/payment/open-gateway.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type Inbox, openInbox } from "#shared/storage/inbox/inbox.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SecretStore, openSecrets } from "#shared/storage/settings/secrets.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  inbox: Inbox;
  messaging: SettingsStore<"messaging">;
  orders: Pick<OrderStore, "find">;
  secrets: Pick<SecretStore, "reveal">;
  gateways: Pick<Gateways, "configured" | "webhookSecret">;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, SETTINGS_KEYS, SETTINGS_SECRET } = readEnvironment(
    environment,
    ["TABLE_NAME", "DYNAMODB_ENDPOINT", "SETTINGS_KEYS", "SETTINGS_SECRET"],
  );
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("webhooks");
  const keys = openKeys({ keys: SETTINGS_KEYS, secret: SETTINGS_SECRET });
  const settings = openGroups(table, ["payments"]);
  return {
    table,
    log,
    inbox: openInbox(table),
    messaging: openGroups(table, ["messaging"]),
    orders: openOrders(table),
    secrets: openSecrets({ table, keys, log }),
    gateways: connectGateways(environment, { table, settings, log }),
  };
}
