import type { Shop } from "#shared/application/shop.ts";
import { confirmNewEmail } from "#shared/application/staff/change-own-profile.ts";
import { MailedTokenInput } from "#shared/domain/customer/credentials.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, route } from "#shared/http/route.ts";
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
    await confirmNewEmail({ token, requestId, now }, proof, shop);
    return { data: { message: "Your email has been changed." } };
  },
});

export const routes = [verifyNewEmail];
