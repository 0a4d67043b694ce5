import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectWhatsAppAccount } from "#functions/connect/whatsapp-account.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { type FetchFile, openWhatsAppFiles } from "#shared/messaging/whatsapp-files.ts";
import type { WhatsAppAccount } from "#shared/messaging/whatsapp.ts";
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
  limitPictureWork();
  const consumer = connectConsumer(environment, "on-change-inbox-files");
  return {
    ...consumer,
    files: openObjectStore(bucketOf(environment, "INBOX_BUCKET")),
    fetchFile: openWhatsAppFiles({ apiUrl: readVariable(environment, "WHATSAPP_API_URL") }),
    account: connectWhatsAppAccount(environment, consumer),
  };
}
