// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeMediaUses as consume } from "#functions/on-change/queue-consumers.ts";
import { log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";

export const openers = {
  log: log("on-change-media-uses"),
  table,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
