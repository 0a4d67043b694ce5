// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeStaffIndex as consume } from "#functions/on-change/indexes.ts";
import { log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIndexWriter } from "#functions/connect/index-writers.ts";

export const openers = {
  log: log("on-change-staff-index"),
  table,
  staffIndexWriter,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
