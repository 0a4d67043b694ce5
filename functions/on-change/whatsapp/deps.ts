import { connectConsumer } from "#functions/connect/consumer.ts";
import { connectWhatsAppAccount } from "#functions/connect/whatsapp-account.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { SendPorts } from "#shared/application/inbox/send-message.ts";
import { openWhatsApp } from "#shared/messaging/whatsapp.ts";
import { openOutgoingMessages } from "#shared/storage/inbox/outgoing-messages.ts";

export interface Deps extends SendPorts {
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-change-whatsapp");
  return {
    ...consumer,
    outgoing: openOutgoingMessages(consumer.table),
    whatsApp: openWhatsApp({ apiUrl: readVariable(environment, "WHATSAPP_API_URL") }),
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
    account: connectWhatsAppAccount(environment, consumer),
  };
}
