import type { SecretStore } from "../../storage/settings/secrets.ts";
import type { SettingsStore } from "../../storage/settings/settings.ts";
import type { WhatsAppAccount } from "../../messaging/whatsapp.ts";

/** The shop's WhatsApp account from the settings; undefined while it is switched off or incomplete. */
export async function readWhatsAppAccount(
  settings: SettingsStore<"messaging">,
  secrets: Pick<SecretStore, "reveal">,
): Promise<WhatsAppAccount | undefined> {
  const [{ messaging }, access_token] = await Promise.all([
    settings.current(),
    secrets.reveal("messaging", "whatsapp.access_token"),
  ]);
  const { enabled, phone_number_id, api_version } = messaging.whatsapp;
  if (!enabled || phone_number_id === null || access_token === null) return undefined;
  return { phone_number_id, access_token, api_version };
}
