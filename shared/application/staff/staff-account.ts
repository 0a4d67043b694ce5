import {
  type AccountKind,
  type ProfileCall,
  type ProfileChange,
  addresseeOf,
  changeAccount,
  requireFreeEmail,
} from "#shared/application/identity/account.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { mailLink } from "#shared/application/identity/mail-link.ts";
import type { Shop } from "#shared/application/shop.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { emailElsewhere, staffEmailAllowed } from "#shared/domain/settings/further-settings.ts";
import {
  type StaffProfileInput,
  type StaffUser,
  changedStaffUser,
} from "#shared/domain/staff/staff.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import {
  claimStaffEmail,
  countOwners,
  countStaffReset,
  openStaff,
  releaseStaffEmail,
  replaceStaffUser,
} from "#shared/storage/staff/staff.ts";
import type { Write } from "#shared/storage/writes.ts";

const targetOf = ({ id, name }: StaffUser) => ({ kind: "staff", id, label: name });

/**
 * The accounts of staff users. The activity log names the user as the author of what a mailed link does. A new password
 * or disabling the user invalidates every earlier link.
 */
export const staffAccounts: AccountKind<StaffUser> = {
  guard: "staff",
  open: openStaff,
  replace: replaceStaffUser,
  countReset: countStaffReset,
  letters: { reset: "staff_reset_password", newPassword: "staff_password_changed" },
  nameOf: ({ name }) => name,
  limitKey: (of) => `staff#${of}`,
  stillHolds: ({ purpose, email, epoch }, user) =>
    user.session_epoch === epoch &&
    email === (purpose === "reset_password" ? user.email : user.pending_email),
  async effectOfLink(before, { proof, password_hash, requestId, now }) {
    if (password_hash === undefined) return withNewEmail(before, proof.email, { requestId, now });
    const after = changedStaffUser(before, { password_hash }, now);
    const action =
      before.password_hash === null ? "staff.accept_invitation" : "staff.reset_password";
    const audit = { actor: after, requestId, now };
    return {
      after,
      writes: [
        ...countOwners(before, after),
        recordActivity(audit, action, targetOf(after), { before, after }),
      ],
    };
  },
};

/** Makes a pending email the user's email. */
function withNewEmail(
  before: StaffUser,
  email: string,
  { requestId, now }: { readonly requestId: string; readonly now: Date },
): { after: StaffUser; writes: Write[] } {
  const after = changedStaffUser(before, { email, pending_email: null }, now);
  const { email: to, name } = before;
  const changed_at = now.toISOString();
  const audit = { actor: after, requestId, now };
  return {
    after,
    writes: [
      // This write is refused if another user has taken the email since the link was mailed.
      claimStaffEmail(after),
      releaseStaffEmail(before),
      publishEvent({ type: "staff_email_changed", to, name, changed_at }, now),
      recordActivity(audit, "staff.change_email", targetOf(after), { before, after }),
    ],
  };
}

/**
 * Changes the caller's name, phone, email or password. A new email is pending until its owner follows the mailed link.
 *
 * @param found the caller's row, as the request has read it
 * @throws AppError as `changeAccount`
 */
export function changeOwnProfile(
  call: ProfileCall<StaffProfileInput> & AuditedCall,
  found: StaffUser,
  shop: Shop<"table" | "randomBytes" | "rates" | "settings", "security">,
): Promise<StaffUser> {
  const { body, now } = call;
  const { name, phone, email } = body;
  // Sending the current email cancels the change to another one.
  const pending_email = email === found.email ? null : email;
  const profile: ProfileChange<StaffUser> = {
    found,
    async requireEmail(newEmail) {
      const { security } = await shop.settings.current();
      if (!staffEmailAllowed(newEmail, security)) {
        throw invalidField("email", emailElsewhere(security));
      }
      // The check is not final: the first user who follows a mailed link gets the email.
      await requireFreeEmail(staffAccounts, { id: found.id, email: newEmail }, shop, now);
    },
    changed: (before, password_hash) =>
      changedStaffUser(before, { name, phone, pending_email, password_hash }, now),
    async writes(before, after) {
      const activity = recordActivity(
        auditContextOf(call),
        "staff.update_profile",
        targetOf(after),
        { before, after },
      );
      const { pending_email: to } = after;
      if (to === null || to === before.pending_email) return [activity];
      const addressee = addresseeOf(staffAccounts, after, to);
      return [activity, ...mailLink("staff_verify_email", addressee, shop, now)];
    },
  };
  return changeAccount(staffAccounts, call, profile, shop);
}
