// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onScheduleTokenKeys as consume } from "#functions/on-schedule/schedules.ts";
import { log, now, randomBytes } from "#functions/connect/runtime.ts";
import { secretsManager, tokenSecrets } from "#functions/connect/token-secrets.ts";

export const openers = {
  log: log("on-schedule-token-keys"),
  now,
  randomBytes,
  tokenSecrets,
  secretsManager,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
