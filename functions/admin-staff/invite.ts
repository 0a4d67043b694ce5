import { mailLink, staffAddressee } from "#shared/auth/mailed-links.ts";
import { emailElsewhere, staffEmailAllowed } from "#shared/domain/further-settings.ts";
import { newId } from "#shared/domain/ids.ts";
import { type Role, roleNamed } from "#shared/domain/role.ts";
import {
  StaffInvitation,
  type StaffUser,
  StaffUserView,
  newStaffUser,
  staffView,
} from "#shared/domain/staff.ts";
import { AppError, invalidField } from "#shared/http/errors.ts";
import { type Call, apiPrefix, route, staff } from "#shared/http/route.ts";
import { doingOf } from "#shared/http/staff-call.ts";
import { recordActivity } from "#shared/storage/activity.ts";
import { Idempotency, bindKey, boundBy } from "#shared/storage/idempotency.ts";
import { onFresh } from "#shared/storage/on-fresh.ts";
import { unchangedRole } from "#shared/storage/roles.ts";
import { addStaffUser, claimStaffEmail } from "#shared/storage/staff.ts";
import { refusedBy } from "#shared/storage/writes.ts";
import { requireHolding, unknownRole } from "./amplification.ts";
import type { Deps } from "./deps.ts";

export const inviteUser = route({
  method: "POST",
  path: "/admin/users",
  summary: "Invite a staff user",
  description:
    "Mails a link that works once, for seven days, and lets the user choose a password. The caller must hold all that " +
    "the role grants.",
  access: staff("staff.edit"),
  request: {
    body: StaffInvitation.meta({
      example: { email: "meera@example.com", name: "Meera Iyer", role: "content_editor" },
    }),
  },
  response: { status: 201, data: StaffUserView },
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
    const earlier = await onFresh(
      found,
      () => deps.roles.get(code),
      (role) => {
        requireHolding(permissions, role);
        return invite(user, role, call, deps);
      },
    );
    const invited = earlier ?? user;
    return {
      data: staffView(invited),
      version: invited.version,
      headers: {
        Location: `${apiPrefix}/admin/users/${invited.id}`,
        ...(earlier && { "Idempotent-Replayed": "true" }),
      },
    };
  },
});

type InvitingCall = Pick<Call, "actor" | "requestId" | "now" | "idempotencyKey" | "bodyHash">;

/**
 * Stores and mails an invitation.
 *
 * @returns the user whom the same request invited before, in place of this one
 * @throws AppError `validation_failed` when the email is taken, `idempotency_key_reused`
 */
async function invite(
  user: StaffUser,
  role: Role,
  call: InvitingCall,
  deps: Deps,
): Promise<StaffUser | undefined> {
  const { bodyHash, now } = call;
  const doing = doingOf(call);
  const claim = claimStaffEmail(user);
  const key = call.idempotencyKey && {
    route: "POST /admin/users",
    caller: doing.actor.id,
    key: call.idempotencyKey,
  };
  const binding = key ? [bindKey(key, { bodyHash, madeId: user.id, now })] : [];
  const target = { kind: "staff", id: user.id, label: user.name };
  try {
    await deps.table.transact([
      claim,
      addStaffUser(user),
      unchangedRole(role),
      ...mailLink("staff_invitation", staffAddressee(user), deps, now),
      ...binding,
      recordActivity(doing, "staff.invite", target, { after: user }),
    ]);
    return undefined;
  } catch (error) {
    if (key && refusedBy(error, ...binding)) {
      const bound = boundBy(await deps.table.get(Idempotency, key), now);
      if (bound && bound.body_hash !== bodyHash) throw new AppError("idempotency_key_reused");
      const earlier = bound && (await deps.staff.find(bound.made_id));
      if (earlier) return earlier;
    }
    throw refusedBy(error, claim)
      ? invalidField("email", "The email has already been taken.")
      : error;
  }
}
