import { readWhatsAppAccount as readAccount } from "#shared/application/inbox/read-whatsapp-account.ts";
import type { Opener, Parts, Shop } from "#shared/application/shop.ts";
import { openWhatsAppFiles } from "#shared/messaging/whatsapp-files.ts";
import { openWhatsApp } from "#shared/messaging/whatsapp.ts";
import { readVariable } from "#shared/runtime/environment.ts";

const apiUrl = (environment: NodeJS.ProcessEnv) => readVariable(environment, "WHATSAPP_API_URL");

export const whatsApp: Opener<Parts["whatsApp"]> = (environment) =>
  openWhatsApp({ apiUrl: apiUrl(environment) });

export const fetchWhatsAppFile: Opener<Parts["fetchWhatsAppFile"]> = (environment) =>
  openWhatsAppFiles({ apiUrl: apiUrl(environment) });

export const whatsAppAccount: Opener<
  Parts["whatsAppAccount"],
  Shop<"messagingSettings" | "secrets">
> =
  (_environment, { messagingSettings, secrets }) =>
  () =>
    readAccount(messagingSettings, secrets);
