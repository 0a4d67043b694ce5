import * as z from "zod";
import type { Shop } from "#shared/application/shop.ts";
import { sendTestMail } from "#shared/application/settings/send-test-mail.ts";
import { Email, Phone } from "#shared/domain/base/text.ts";
import { route, staff } from "#shared/http/route.ts";
import { sendTestMessage } from "#shared/application/settings/send-test-message.ts";

/** Response of a test mail or test message. It explains a failure in words, so that staff can correct the settings. */
const testOutcome = <Address extends z.ZodType>(to: Address) =>
  z.object({
    sent: z.boolean(),
    to,
    message: z.string().meta({ description: "The outcome in words" }),
  });

const Recipient = z.strictObject({
  to: z.enum(["caller", "simulator"]).default("caller").meta({
    description: "`simulator`: SES's mailbox simulator, which accepts every mail and delivers none",
  }),
});

export const testEmail = route({
  method: "POST",
  path: "/admin/settings/email/test",
  summary: "Send a test mail",
  description:
    "Sends to the caller's own email address, or to SES's simulator, with the current settings.",
  access: staff("settings.edit"),
  limit: "settings_test",
  request: { query: Recipient },
  response: { status: 200, data: testOutcome(Email) },
  handle: async (call, shop: Shop<"table" | "log" | "mailer" | "mailFrom">) => ({
    data: await sendTestMail(call, shop),
  }),
});

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

export const routes = [testEmail, testMessaging];
