import type { Log } from "#shared/runtime/log.ts";
import { type SecretStore, openSecrets } from "#shared/storage/settings/secrets.ts";
import type { Table } from "#shared/storage/table.ts";
import { connectKeys } from "./keys.ts";

/** The secrets of the settings, which the table stores encrypted. */
export const connectSecrets = (
  environment: NodeJS.ProcessEnv,
  deps: { table: Table; log: Log },
): SecretStore => openSecrets({ ...deps, keys: connectKeys(environment, "SETTINGS") });
