import { connectConsumer } from "#functions/connect/consumer.ts";
import { connectWhatsAppAccount } from "#functions/connect/whatsapp-account.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type WhatsApp, type WhatsAppAccount, openWhatsApp } from "#shared/messaging/whatsapp.ts";
import {
  type OutgoingMessages,
  openOutgoingMessages,
} from "#shared/storage/inbox/outgoing-messages.ts";

export interface Deps {
  table: Pick<Table, "get">;
  outgoing: OutgoingMessages;
  whatsApp: WhatsApp;
  /** Public URL of the media library, which WhatsApp reads too; without a trailing slash. */
  mediaBaseUrl: string;
  /** Undefined while WhatsApp is off or not set up. */
  account(): Promise<WhatsAppAccount | undefined>;
  log: Log;
  now(): Date;
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
