import { connectTable } from "#functions/connect/table.ts";
import { connectGateways } from "#functions/connect/gateways.ts";
import { connectSecrets } from "#functions/connect/secrets.ts";
import type { Table } from "#shared/storage/table.ts";
import type { SecretStore } from "#shared/storage/settings/secrets.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import type { Gateways } from "#shared/application/payment/open-gateway.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type Inbox, openInbox } from "#shared/storage/inbox/inbox.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

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
  const table = connectTable(environment);
  const log = openLog("webhooks");
  return {
    table,
    log,
    inbox: openInbox(table),
    messaging: openGroups(table, ["messaging"]),
    orders: openOrders(table),
    secrets: connectSecrets(environment, { table, log }),
    gateways: connectGateways(environment, {
      table,
      settings: openGroups(table, ["payments"]),
      log,
    }),
  };
}
