import { type Gateways, openGateways } from "#shared/application/payment/open-gateway.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { SettingsStore } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { connectSecrets } from "./secrets.ts";

/** The payment gateways, with the shop's settings and secrets. */
export const connectGateways = (
  environment: NodeJS.ProcessEnv,
  deps: { table: Table; settings: SettingsStore<"payments">; log: Log },
): Gateways =>
  openGateways({
    ...deps,
    secrets: connectSecrets(environment, deps),
    endpoint: readVariable(environment, "STRIPE_API_URL"),
  });
