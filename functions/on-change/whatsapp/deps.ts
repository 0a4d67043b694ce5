import { bucketOf } from "#functions/connect/bucket.ts";
import { connectConsumer } from "#functions/connect/consumer.ts";
import { connectWhatsAppAccount } from "#functions/connect/whatsapp-account.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { MovePorts } from "#shared/application/inbox/move-messages.ts";
import type { SendPorts } from "#shared/application/inbox/send-message.ts";
import { openCopyObject } from "#shared/files/copy-object.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { openWhatsApp } from "#shared/messaging/whatsapp.ts";
import { openOutgoingMessages } from "#shared/storage/inbox/outgoing-messages.ts";
import type { Table } from "#shared/storage/table.ts";

export interface Deps extends SendPorts, MovePorts {
  table: Table;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-change-whatsapp");
  const bucket = bucketOf(environment, "INBOX_BUCKET");
  return {
    ...consumer,
    outgoing: openOutgoingMessages(consumer.table),
    whatsApp: openWhatsApp({ apiUrl: readVariable(environment, "WHATSAPP_API_URL") }),
    files: openObjectStore(bucket),
    copyFile: openCopyObject(bucket),
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
    account: connectWhatsAppAccount(environment, consumer),
  };
}
