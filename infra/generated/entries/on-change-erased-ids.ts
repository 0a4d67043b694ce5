// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeErasedIds as consume } from "#functions/on-change/queue-consumers.ts";
import { log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { erasedIdLedger } from "#functions/connect/object-stores.ts";

export const openers = {
  log: log("on-change-erased-ids"),
  table,
  erasedIdLedger,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
