import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { type Answered, type CreatingCall, once } from "#shared/application/once.ts";
import { addresseeOf, emailTaken } from "#shared/application/identity/account.ts";
import { mailLink } from "#shared/application/identity/mail-link.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { emailElsewhere, staffEmailAllowed } from "#shared/domain/settings/further-settings.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import type { Role } from "#shared/domain/staff/role.ts";
import {
  type StaffInvitation,
  type StaffUser,
  type AdminStaffUser,
  adminStaffUser,
  newStaffUser,
} from "#shared/domain/staff/staff.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { openRoles, unchangedRole } from "#shared/storage/staff/roles.ts";
import { addStaffUser, claimStaffEmail } from "#shared/storage/staff/staff.ts";
import type { Write } from "#shared/storage/writes.ts";
import { type StaffCaller, requirePermissionsOf, unknownRole } from "./privilege-escalation.ts";
import { staffAccounts } from "./staff-account.ts";

interface InvitingCall extends CreatingCall, AuditedCall, StaffCaller {
  readonly body: StaffInvitation;
}

/**
 * Adds a staff user and mails the invitation. A repeated request gets the first response.
 *
 * @param read the role of the new user, and the settings of who may be invited
 * @throws AppError `validation_failed` on `role` or `email`, `forbidden`
 */
export async function inviteStaffUser(
  call: InvitingCall,
  read: { readonly role: Role | undefined; readonly security: AllSettings["security"] },
  shop: Shop<"table" | "randomBytes">,
) {
  const { body, now } = call;
  const { role: found, security } = read;
  if (!found) throw unknownRole();
  const { email, name } = body;
  if (!staffEmailAllowed(email, security)) throw invalidField("email", emailElsewhere(security));
  const { code } = found;
  const user = newStaffUser({ email, name, role: code }, { id: newId("stf", now), now });
  const creation = {
    route: "POST /admin/users",
    id: user.id,
    at: (id: string) => `/admin/users/${id}`,
    known: { first: found, again: () => openRoles(shop.table).get(code) },
    replay: "answer",
  } as const;
  return once<Answered<AdminStaffUser>, Role>(creation, call, shop.table, async (bind, role) => {
    requirePermissionsOf(call, role);
    const answer = { data: adminStaffUser(user), version: user.version };
    await invite(user, role, { audit: auditContextOf(call), binding: bind(answer) }, shop);
    return answer;
  });
}

/**
 * Stores and mails an invitation.
 *
 * @throws AppError `validation_failed` when the email is taken; Refused when the role has changed, or another request
 *   has used the idempotency key
 */
async function invite(
  user: StaffUser,
  role: Role,
  { audit, binding }: { audit: AuditContext; binding: readonly Write[] },
  shop: Shop<"table" | "randomBytes">,
): Promise<void> {
  const target = { kind: "staff", id: user.id, label: user.name };
  await shop.table.transact([
    // These writes precede the claim of the email, because the first refused write decides the error. If an identical
    // concurrent request has taken the email, this request must return the same response as that one, not an error.
    ...binding,
    { write: claimStaffEmail(user), refused: emailTaken },
    addStaffUser(user),
    unchangedRole(role),
    ...mailLink("staff_invitation", addresseeOf(staffAccounts, user), shop, audit.now),
    recordActivity(audit, "staff.invite", target, { after: user }),
  ]);
}
