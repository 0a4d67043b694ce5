import { whatsAppAccount } from "#shared/application/inbox/read-whatsapp-account.ts";
import type { WhatsAppAccount } from "#shared/messaging/whatsapp.ts";
import type { Log } from "#shared/runtime/log.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { connectSecrets } from "./secrets.ts";

/** Reads the shop's WhatsApp account; undefined while WhatsApp is off or not set up. */
export function connectWhatsAppAccount(
  environment: NodeJS.ProcessEnv,
  deps: { table: Table; log: Log },
): () => Promise<WhatsAppAccount | undefined> {
  const secrets = connectSecrets(environment, deps);
  const settings = openGroups(deps.table, ["messaging"]);
  return () => whatsAppAccount(settings, secrets);
}
