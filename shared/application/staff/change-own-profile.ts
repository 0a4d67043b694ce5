import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { requirePassword } from "#shared/application/identity/check-credentials.ts";
import { linkIsDead, mailLink, staffAddressee } from "#shared/application/identity/mailed-links.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { sessionOf } from "#shared/domain/request/identity.ts";
import { emailElsewhere, staffEmailAllowed } from "#shared/domain/settings/further-settings.ts";
import {
  type StaffProfileInput,
  type StaffUser,
  changedStaffUser,
} from "#shared/domain/staff/staff.ts";
import type { Proof } from "#shared/storage/customer/proofs.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { carrySession } from "#shared/storage/staff/sessions.ts";
import {
  openStaff,
  claimStaffEmail,
  releaseStaffEmail,
  replaceStaffUser,
} from "#shared/storage/staff/staff.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";
import type * as z from "zod";
import { notifyOfNewPassword } from "./reset-staff-password.ts";
import { requireUser } from "./use-second-factor.ts";
import { useProof } from "./use-staff-proof.ts";

type ChangeOwnProfileShop = Shop<"table" | "randomBytes" | "rates" | "settings", "security">;

interface ProfileCall extends AuditedCall {
  readonly body: z.output<typeof StaffProfileInput>;
  readonly headers: { readonly "if-match"?: ExpectedVersion };
}

/**
 * Changes the caller's name, phone, email or password. A new email is pending until its owner follows the mailed link;
 * a new password ends the caller's other sessions.
 *
 * @param found the caller's row, as the request has read it
 * @throws AppError `validation_failed`, `version_mismatch`, `too_many_requests`, `unauthenticated`
 */
export async function changeOwnProfile(
  call: ProfileCall,
  found: StaffUser,
  shop: ChangeOwnProfileShop,
): Promise<StaffUser> {
  const { body, headers, now } = call;
  const { name, phone, email, password, current_password } = body;
  const newEmail = email !== undefined && email !== found.email ? email : undefined;
  if (newEmail !== undefined || password !== undefined) {
    const attempt = { guard: "staff", rates: shop.rates, now } as const;
    await requirePassword(current_password, "current_password", found, attempt);
  }
  if (newEmail !== undefined) await requireFreeEmail(newEmail, found, shop, now);
  const password_hash =
    password === undefined ? undefined : await hashNewPassword(password, email ?? found.email);
  const pending_email = email === undefined ? undefined : (newEmail ?? null);

  return retryOnConflict(
    found,
    async () => requireUser(await openStaff(shop.table).find(found.id)),
    async (before) => {
      requireVersion(headers["if-match"], before.version);
      // The password has changed since this request checked it, so the check is no longer valid.
      if (before.session_epoch !== found.session_epoch) throw new AppError("unauthenticated");
      const after = changedStaffUser(before, { name, phone, pending_email, password_hash }, now);
      if (isUnchanged(before, after)) return before;
      await save(before, after, call, shop);
      return after;
    },
  );
}

/**
 * Refuses a taken email before the mail is sent. The check is not final: the first user who follows a mailed link gets
 * the email.
 */
async function requireFreeEmail(
  email: string,
  { id }: StaffUser,
  { table, rates, settings }: ChangeOwnProfileShop,
  now: Date,
): Promise<void> {
  const { security } = await settings.current();
  if (!staffEmailAllowed(email, security)) throw invalidField("email", emailElsewhere(security));
  await admit(rates, "account_verification", `staff#${id}`, now);
  if (await openStaff(table).findByEmail(email)) {
    throw invalidField("email", "The email has already been taken.");
  }
}

async function save(
  before: StaffUser,
  after: StaffUser,
  call: ProfileCall,
  shop: ChangeOwnProfileShop,
): Promise<void> {
  const { actor, now } = call;
  const { id, name, pending_email } = after;
  const target = { kind: "staff", id, label: name };
  const writes: TransactionWrite[] = [
    replaceStaffUser(before, after),
    recordActivity(auditContextOf(call), "staff.update_profile", target, { before, after }),
  ];
  if (pending_email !== null && pending_email !== before.pending_email) {
    const addressee = staffAddressee(after, pending_email);
    writes.push(...mailLink("staff_verify_email", addressee, shop, now));
  }
  if (before.session_epoch !== after.session_epoch) {
    writes.push(
      {
        write: carrySession(sessionOf(actor), after.session_epoch),
        // The write is refused if the session ended during the request.
        refused: () => new AppError("unauthenticated"),
      },
      notifyOfNewPassword(after, now),
    );
  }
  await shop.table.transact(writes);
}

/**
 * Makes a pending email the user's email, with the token of the link mailed to it.
 *
 * @throws AppError `validation_failed` on `token`
 */
export async function confirmNewEmail(
  { token, requestId, now }: { token: string; requestId: string; now: Date },
  proof: Proof | undefined,
  shop: Shop<"table">,
): Promise<void> {
  if (!proof) throw linkIsDead();
  const { email } = proof;
  await useProof({ token, proof, requestId, now }, shop, (user) => {
    if (user.pending_email !== email) return undefined;
    const { email: to, name } = user;
    const changed_at = now.toISOString();
    return {
      action: "staff.change_email",
      changes: { email, pending_email: null },
      writes: [
        // This write is refused if another user has taken the email since the link was mailed.
        claimStaffEmail({ ...user, email }),
        releaseStaffEmail(user),
        publishEvent({ type: "staff_email_changed", to, name, changed_at }, now),
      ],
    };
  });
}
