import { openKeys } from "#shared/runtime/key-rings.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { whatsAppAccount } from "#shared/application/inbox/whatsapp-account.ts";
import { type FetchFile, openWhatsAppFiles } from "#shared/messaging/whatsapp-files.ts";
import type { WhatsAppAccount } from "#shared/messaging/whatsapp.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { openSecrets } from "#shared/storage/settings/secrets.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { limitPictureWork } from "../picture.ts";

export interface Deps {
  table: Pick<Table, "get" | "write">;
  files: Pick<ObjectStore, "put" | "remove">;
  fetchFile: FetchFile;
  /** Undefined while WhatsApp is off or not set up. */
  account(): Promise<WhatsAppAccount | undefined>;
  log: Pick<Log, "warn">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    INBOX_BUCKET,
    S3_ENDPOINT,
    SETTINGS_KEYS,
    SETTINGS_SECRET,
    WHATSAPP_API_URL,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "INBOX_BUCKET",
    "S3_ENDPOINT",
    "SETTINGS_KEYS",
    "SETTINGS_SECRET",
    "WHATSAPP_API_URL",
  ]);
  limitPictureWork();
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("on-change-inbox-files");
  const keys = openKeys({ keys: SETTINGS_KEYS, secret: SETTINGS_SECRET });
  const secrets = openSecrets({ table, keys, log });
  const settings = openGroups(table, ["messaging"]);
  return {
    table,
    files: openObjectStore({ bucket: INBOX_BUCKET, endpoint: S3_ENDPOINT }),
    fetchFile: openWhatsAppFiles({ apiUrl: WHATSAPP_API_URL }),
    account: () => whatsAppAccount(settings, secrets),
    log,
  };
}
