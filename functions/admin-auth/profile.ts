import * as z from "zod";
import { requirePassword } from "#shared/application/identity/credentials.ts";
import { mailLink, staffAddressee } from "#shared/application/identity/mailed-links.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import { emailElsewhere, staffEmailAllowed } from "#shared/domain/settings/further-settings.ts";
import {
  StaffProfile,
  StaffProfileInput,
  type StaffUser,
  changedStaffUser,
} from "#shared/domain/staff/staff.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { AppError, invalidField, requireVersion } from "#shared/domain/request/app-error.ts";
import { sessionOf, type SessionId } from "#shared/domain/request/identity.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { carrySession } from "#shared/storage/staff/sessions.ts";
import { replaceStaffUser } from "#shared/storage/staff/staff.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";
import { requireUser } from "#shared/application/staff/use-second-factor.ts";
import { profileOf } from "./caller.ts";
import type { Deps } from "./deps.ts";

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
  first: ({ actor }, { staff }: Deps) => staff.find(sessionOf(actor).subject),
  async handle(call, deps) {
    const { actor, body, headers, first, permissions, now } = call;
    const found = requireUser(first);
    const { name, phone, email, password, current_password } = body;
    const newEmail = email !== undefined && email !== found.email ? email : undefined;
    if (newEmail !== undefined || password !== undefined) {
      const attempt = { guard: "staff", rates: deps.rates, now } as const;
      await requirePassword(current_password, "current_password", found, attempt);
    }
    if (newEmail !== undefined) await requireFreeEmail(newEmail, found, deps, now);
    const password_hash =
      password === undefined ? undefined : await hashNewPassword(password, email ?? found.email);
    const pending_email = email === undefined ? undefined : (newEmail ?? null);

    const saved = await retryOnConflict(
      found,
      async () => requireUser(await deps.staff.find(found.id)),
      async (before) => {
        requireVersion(headers["if-match"], before.version);
        // The password has changed since this request checked it, so the check is no longer valid.
        if (before.session_epoch !== found.session_epoch) throw new AppError("unauthenticated");
        const after = changedStaffUser(before, { name, phone, pending_email, password_hash }, now);
        if (isUnchanged(before, after)) return before;
        await save(before, after, { audit: auditContextOf(call), session: sessionOf(actor) }, deps);
        return after;
      },
    );
    return { data: profileOf(saved, permissions), version: saved.version };
  },
});

/**
 * Refuses a taken email before the mail is sent. The check is not final: the first user who follows a mailed link gets
 * the email.
 */
async function requireFreeEmail(
  email: string,
  { id }: StaffUser,
  { staff, rates, settings }: Deps,
  now: Date,
): Promise<void> {
  const { security } = await settings.current();
  if (!staffEmailAllowed(email, security)) throw invalidField("email", emailElsewhere(security));
  await admit(rates, "account_verification", `staff#${id}`, now);
  if (await staff.findByEmail(email)) {
    throw invalidField("email", "The email has already been taken.");
  }
}

async function save(
  before: StaffUser,
  after: StaffUser,
  { audit, session }: { audit: AuditContext; session: SessionId },
  deps: Deps,
): Promise<void> {
  const { now } = audit;
  const { id, name, email: to, pending_email } = after;
  const target = { kind: "staff", id, label: name };
  const writes: TransactionWrite[] = [
    replaceStaffUser(before, after),
    recordActivity(audit, "staff.update_profile", target, { before, after }),
  ];
  if (pending_email !== null && pending_email !== before.pending_email) {
    const addressee = staffAddressee(after, pending_email);
    writes.push(...mailLink("staff_verify_email", addressee, deps, now));
  }
  if (before.session_epoch !== after.session_epoch) {
    const changed_at = now.toISOString();
    writes.push(
      {
        write: carrySession(session, after.session_epoch),
        // The write is refused if the session ended during the request.
        refused: () => new AppError("unauthenticated"),
      },
      publishEvent({ type: "staff_password_changed", to, name, changed_at }, now),
    );
  }
  await deps.table.transact(writes);
}

export const routes = [changeProfile];
