import { openKeys } from "#shared/auth/key-rings.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type Inbox, openInbox } from "#shared/storage/inbox.ts";
import { type SecretStore, openSecrets } from "#shared/storage/secrets.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  inbox: Inbox;
  secrets: Pick<SecretStore, "reveal">;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, SETTINGS_KEYS, SETTINGS_SECRET } = readEnvironment(
    environment,
    ["TABLE_NAME", "DYNAMODB_ENDPOINT", "SETTINGS_KEYS", "SETTINGS_SECRET"],
  );
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("webhooks");
  const keys = openKeys({ keys: SETTINGS_KEYS, secret: SETTINGS_SECRET });
  return { table, log, inbox: openInbox(table), secrets: openSecrets({ table, keys, log }) };
}
