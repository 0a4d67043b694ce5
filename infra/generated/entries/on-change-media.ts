// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeMedia as consume } from "#functions/on-change/files.ts";
import { log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { publishedFiles, quarantineFiles } from "#functions/connect/object-stores.ts";
import { fileKeeper } from "#functions/connect/files.ts";

export const openers = {
  log: log("on-change-media"),
  now,
  table,
  quarantineFiles,
  publishedFiles,
  fileKeeper,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
