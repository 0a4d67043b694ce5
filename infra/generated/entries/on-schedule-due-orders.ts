// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onScheduleDueOrders as consume } from "#functions/on-schedule/due-orders.ts";
import { elapsed, log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { settingsKeys } from "#functions/connect/keys.ts";
import { secrets, settings } from "#functions/connect/settings.ts";
import { gateways } from "#functions/connect/gateways.ts";

export const openers = {
  log: log("on-schedule-due-orders"),
  now,
  elapsed,
  table,
  settingsKeys,
  secrets,
  gateways,
  settings: settings(["checkout", "payments"]),
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
