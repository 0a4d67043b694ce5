import * as z from "zod";
import { Email } from "#shared/domain/base/text.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { sentAs } from "#shared/mail/letter.ts";
import { simulatorAddress } from "#shared/mail/simulator.ts";
import { settingsTestLetter } from "#shared/mail/staff-letters.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import type { Deps } from "./deps.ts";
import { reasonOf } from "./mail-failure.ts";
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
  async handle(call, deps: Deps) {
    const { table, mailer, mailFrom, log } = deps;
    const { actor, requestId, now } = auditContextOf(call);
    const [user, { store, email }] = await Promise.all([
      table.get(Staff, { id: actor.id }),
      readSettings(table, ["store", "email"]),
    ]);
    if (!user) throw new AppError("unauthenticated");
    const { email: own, name } = user;
    const to = call.query.to === "simulator" ? simulatorAddress : own;
    const letter = settingsTestLetter(store, { name, sent_at: now.toISOString() });
    try {
      await mailer.send({ ...letter, ...sentAs(letter, email), to, dedupe: `test#${requestId}` });
    } catch (cause) {
      log.warn("Test mail not sent", { cause });
      return { data: { sent: false, to, message: reasonOf(cause, mailFrom) } };
    }
    return {
      data: {
        sent: true,
        to,
        message:
          `The mail server has accepted a mail from ${mailFrom} to ${to}. It should arrive ` +
          "within minutes.",
      },
    };
  },
});

export const routes = [testEmail];
