import { openKeys } from "../../runtime/key-rings.ts";
import { readEnvironment } from "../../runtime/environment.ts";
import type { Log } from "../../runtime/log.ts";
import { openSecrets } from "../../storage/settings/secrets.ts";
import type { SettingsStore } from "../../storage/settings/settings.ts";
import type { Table } from "../../storage/table.ts";
import { type Gateways, openGateways } from "./open-gateway.ts";

/**
 * Connects the gateways of a function. Reads STRIPE_API_URL, SETTINGS_KEYS and SETTINGS_SECRET from its environment.
 */
export function connectGateways(
  environment: NodeJS.ProcessEnv,
  { table, settings, log }: { table: Table; settings: SettingsStore<"payments">; log: Log },
): Gateways {
  const { STRIPE_API_URL, SETTINGS_KEYS, SETTINGS_SECRET } = readEnvironment(environment, [
    "STRIPE_API_URL",
    "SETTINGS_KEYS",
    "SETTINGS_SECRET",
  ]);
  const keys = openKeys({ keys: SETTINGS_KEYS, secret: SETTINGS_SECRET });
  const secrets = openSecrets({ table, keys, log });
  return openGateways({ settings, secrets, endpoint: STRIPE_API_URL, log });
}
