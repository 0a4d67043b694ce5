import { mailLink, staffAddressee } from "#shared/application/identity/mailed-links.ts";
import { emailElsewhere, staffEmailAllowed } from "#shared/domain/settings/further-settings.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type Role, roleNamed } from "#shared/domain/staff/role.ts";
import {
  StaffInvitation,
  type StaffUser,
  AdminStaffUser,
  newStaffUser,
  adminStaffUser,
} from "#shared/domain/staff/staff.ts";
import { type Binding, answerOnce } from "#shared/application/create-once.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { unchangedRole } from "#shared/storage/staff/roles.ts";
import { addStaffUser, claimStaffEmail } from "#shared/storage/staff/staff.ts";
import { requirePermissionsOf, unknownRole } from "./privilege-escalation.ts";
import type { Deps } from "./deps.ts";

export const inviteUser = route({
  method: "POST",
  path: "/admin/users",
  summary: "Invite a staff user",
  description:
    "Mails a single-use link, valid for seven days, with which the user sets a password. The " +
    "caller must have every permission that the role grants.",
  access: staff("staff.edit"),
  request: {
    body: StaffInvitation.meta({
      example: { email: "meera@example.com", name: "Meera Iyer", role: "content_editor" },
    }),
  },
  response: { status: 201, data: AdminStaffUser },
  idempotent: true,
  async first({ body }, { roles, settings }: Deps) {
    const code = roleNamed(body.role);
    const [role, { security }] = await Promise.all([code && roles.get(code), settings.current()]);
    return { role, security };
  },
  async handle(call, deps) {
    const { body, permissions, now } = call;
    const { role: found, security } = call.first;
    if (!found) throw unknownRole();
    const { email, name } = body;
    if (!staffEmailAllowed(email, security)) throw invalidField("email", emailElsewhere(security));
    const { code } = found;
    const user = newStaffUser({ email, name, role: code }, { id: newId("stf", now), now });
    const creation = { route: "POST /admin/users", id: user.id, at: pathOf };
    let role: Role | undefined = found;
    return answerOnce(creation, call, deps.table, async (bind) => {
      const current = role ?? (await deps.roles.get(code));
      // A retry reads the role again.
      role = undefined;
      requirePermissionsOf(permissions, current);
      const answer = { data: adminStaffUser(user), version: user.version };
      await invite(user, current, { audit: auditContextOf(call), binding: bind(answer) }, deps);
      return answer;
    });
  },
});

const pathOf = (id: string) => `/admin/users/${id}`;

/**
 * Stores and mails an invitation.
 *
 * @throws AppError `validation_failed` when the email is taken; Refused when the role has changed, or another request
 *   has used the idempotency key
 */
async function invite(
  user: StaffUser,
  role: Role,
  { audit, binding }: { audit: AuditContext; binding: Binding },
  deps: Deps,
): Promise<void> {
  const target = { kind: "staff", id: user.id, label: user.name };
  await deps.table.transact([
    // These writes precede the claim of the email, because the first refused write decides the error. If an identical
    // concurrent request has taken the email, this request must return the same response as that one, not an error.
    ...binding,
    {
      write: claimStaffEmail(user),
      refused: () => invalidField("email", "The email has already been taken."),
    },
    addStaffUser(user),
    unchangedRole(role),
    ...mailLink("staff_invitation", staffAddressee(user), deps, audit.now),
    recordActivity(audit, "staff.invite", target, { after: user }),
  ]);
}
