import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { sendTestMail } from "#shared/application/settings/send-test-mail.ts";
import { Email } from "#shared/domain/base/text.ts";
import { route, staff } from "#shared/http/route.ts";
import { testOutcome } from "./test-outcome.ts";

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

export const routes = [testEmail];
