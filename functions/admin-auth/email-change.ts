import { linkIsDead } from "#shared/application/identity/mailed-links.ts";
import { MailedTokenInput } from "#shared/domain/customer/credentials.ts";
import { anyone, route } from "#shared/http/route.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";
import { claimStaffEmail, releaseStaffEmail } from "#shared/storage/staff/staff.ts";
import type { Deps } from "./deps.ts";
import { useProof } from "#shared/application/staff/use-staff-proof.ts";

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
  first: ({ body, now }, { table }: Deps) =>
    findProof(table, body.token, { purpose: "verify_email", guard: "staff" }, now),
  async handle({ body: { token }, first: proof, requestId, now }, deps) {
    if (!proof) throw linkIsDead();
    const { email } = proof;
    await useProof({ token, proof, requestId, now }, deps, (user) => {
      if (user.pending_email !== email) return undefined;
      const { id, email: to, name } = user;
      return {
        action: "staff.change_email",
        changes: { email, pending_email: null },
        writes: [
          // This write is refused if another user has taken the email since the link was mailed.
          claimStaffEmail({ id, email }),
          releaseStaffEmail(user),
          publishEvent(
            { type: "staff_email_changed", to, name, changed_at: now.toISOString() },
            now,
          ),
        ],
      };
    });
    return { data: { message: "Your email has been changed." } };
  },
});

export const routes = [verifyNewEmail];
