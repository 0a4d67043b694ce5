import { openStaff } from "#shared/storage/staff/staff.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { requireAccount, useLink } from "#shared/application/identity/account.ts";
import { linkIsDead } from "#shared/application/identity/mail-link.ts";
import { changeOwnProfile, staffAccounts } from "#shared/application/staff/staff-account.ts";
import { MailedTokenInput } from "#shared/domain/customer/credentials.ts";
import { sessionOf } from "#shared/domain/request/identity.ts";
import { StaffProfile, StaffProfileInput, staffProfile } from "#shared/domain/staff/staff.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, route, staff } from "#shared/http/route.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";

export const verifyNewEmail = route({
  method: "POST",
  path: "/admin/auth/verify-email",
  summary: "Confirm a staff user's new email",
  description:
    "Requires the token of the link mailed to the new address. The user then signs in with the " +
    "new email; the old address is notified. Sessions continue.",
  access: anyone,
  limit: "verify_email",
  request: { body: MailedTokenInput },
  response: { status: 200, data: MessageResponse },
  first: ({ body, now }, { table }: Shop<"table">) =>
    findProof(table, body.token, { purpose: "verify_email", guard: "staff" }, now),
  async handle({ body: { token }, first: proof, requestId, now }, shop) {
    if (!proof) throw linkIsDead();
    await useLink(staffAccounts, { token, proof, requestId, now }, shop);
    return { data: { message: "Your email has been changed." } };
  },
});

export const changeProfile = route({
  method: "PATCH",
  path: "/admin/auth/profile",
  summary: "Update your name, phone, email or password",
  description:
    "A new email or password requires the current password. A new email is stored as " +
    "`pending_email` until the link mailed to it is followed; sending the current email cancels " +
    "the change. A new password ends every other session. Common and leaked passwords are " +
    "refused.",
  access: staff(null),
  request: {
    headers: z.object({ "if-match": IfMatch }),
    body: StaffProfileInput.meta({ example: { name: "Meera Iyer" } }),
  },
  response: { status: 200, data: StaffProfile },
  errors: ["version_mismatch", "too_many_requests"],
  first: ({ actor }, { table }: Shop<"table" | "randomBytes" | "rates" | "settings", "security">) =>
    openStaff(table).find(sessionOf(actor).subject),
  async handle(call, shop) {
    const saved = await changeOwnProfile(call, requireAccount(call.first), shop);
    return { data: staffProfile(saved, call.permissions), version: saved.version };
  },
});

export const routes = [verifyNewEmail, changeProfile];
