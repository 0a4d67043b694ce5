import { inviteStaffUser } from "#shared/application/staff/invite-staff-user.ts";
import { roleNamed } from "#shared/domain/staff/role.ts";
import { AdminStaffUser, StaffInvitation } from "#shared/domain/staff/staff.ts";
import { route, staff } from "#shared/http/route.ts";
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
    return inviteStaffUser(call, call.first, deps);
  },
});
