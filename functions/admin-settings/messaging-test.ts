import type { Shop } from "#shared/application/shop.ts";
import { sendTestMessage } from "#shared/application/settings/send-test-message.ts";
import { Phone } from "#shared/domain/base/text.ts";
import { route, staff } from "#shared/http/route.ts";
import { testOutcome } from "./test-outcome.ts";

export const testMessaging = route({
  method: "POST",
  path: "/admin/settings/messaging/test",
  summary: "Send a test WhatsApp message",
  description:
    "Sends to the phone number in the caller's profile with the current settings. Also works " +
    "while WhatsApp is switched off in the settings.",
  access: staff("settings.edit"),
  limit: "settings_test",
  request: {},
  response: { status: 200, data: testOutcome(Phone.nullable()) },
  handle: async (call, shop: Shop<"table" | "log" | "secrets" | "whatsApp">) => ({
    data: await sendTestMessage(call, shop),
  }),
});

export const routes = [testMessaging];
