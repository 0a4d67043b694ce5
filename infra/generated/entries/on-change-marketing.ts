// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeMarketing as consume } from "#functions/on-change/queue-consumers.ts";
import { elapsed, log, now, randomBytes } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("on-change-marketing"),
  now,
  elapsed,
  table,
  randomBytes,
  settings: settings(["checkout"]),
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
