import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectWhatsAppAccount } from "#functions/connect/whatsapp-account.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { FilePorts } from "#shared/application/inbox/fetch-message-file.ts";
import { limitPictureWork } from "#shared/files/make-picture.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { openWhatsAppFiles } from "#shared/messaging/whatsapp-files.ts";

export interface Deps extends FilePorts {
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
