import type { Shop } from "#shared/application/shop.ts";
import {
  type ExpectedVersion,
  AppError,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import type * as z from "zod";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { type Role, roleNamed } from "#shared/domain/staff/role.ts";
import {
  type StaffPatch,
  type StaffUser,
  adminStaffUser,
  changedStaffUser,
} from "#shared/domain/staff/staff.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { endPreviews } from "#shared/storage/content/previews.ts";
import { openRoles, unchangedRole } from "#shared/storage/staff/roles.ts";
import { notifyOfSecondFactor, removeSecondFactor } from "#shared/storage/staff/second-factors.ts";
import { openStaff, countOwners, moveRole, replaceStaffUser } from "#shared/storage/staff/staff.ts";
import { type StaffCaller, requirePermissionsOf, unknownRole } from "./privilege-escalation.ts";

interface ChangeCall extends AuditedCall, StaffCaller {
  readonly params: { readonly id: string };
  readonly headers: { readonly "if-match"?: ExpectedVersion };
}

/**
 * Changes a staff user's name, role or status. Disabling a user ends the preview links that the user made.
 *
 * @param first the user, as the request has read it
 * @throws AppError `not_found`, `validation_failed`, `forbidden`, `version_mismatch`, `last_owner`
 */
export async function changeStaffUser(
  call: ChangeCall & { readonly body: z.output<typeof StaffPatch> },
  first: StaffUser | undefined,
  shop: Shop<"table">,
): Promise<StaffUser> {
  const { params, headers, body, now } = call;
  const role = body.role === undefined ? undefined : roleNamed(body.role);
  if (role === undefined && body.role !== undefined) throw unknownRole();
  const changes = { ...body, role };
  return retryOnConflict(
    first,
    () => openStaff(shop.table).find(params.id),
    async (found) => {
      const before = known(found);
      const after = changedStaffUser(before, changes, now);
      const codes = [...new Set([before.role, after.role])];
      const roles = await Promise.all(codes.map((code) => openRoles(shop.table).get(code)));
      requirePermissionsOf(call, ...roles);
      requireVersion(headers["if-match"], before.version);
      if (isUnchanged(before, after)) return before;
      await save(before, after, { roles, audit: auditContextOf(call) }, shop);
      return after;
    },
  );
}

/**
 * Removes the second factor of another staff user, and ends all of that user's sessions.
 *
 * @param first the user, as the request has read it
 * @throws AppError `forbidden`, `not_found`, `version_mismatch`
 */
export async function resetSecondFactorOf(
  call: ChangeCall,
  first: StaffUser | undefined,
  shop: Shop<"table">,
): Promise<void> {
  const audit = auditContextOf(call);
  if (call.params.id === audit.actor.id) {
    throw new AppError("forbidden", {
      message: "Remove your own second factor with your password and a code.",
    });
  }
  await retryOnConflict(
    first,
    () => openStaff(shop.table).find(call.params.id),
    async (found) => {
      const before = known(found);
      const role = await openRoles(shop.table).get(before.role);
      requirePermissionsOf(call, role);
      requireVersion(call.headers["if-match"], before.version);
      if (before.second_factor_at === null) return;
      const after = changedStaffUser(before, { second_factor_at: null }, call.now);
      const target = { kind: "staff", id: after.id, label: after.name };
      await shop.table.transact([
        removeSecondFactor(before.id),
        replaceStaffUser(before, after),
        unchangedRole(role),
        notifyOfSecondFactor(after, "reset", call.now),
        recordActivity(audit, "staff.reset_second_factor", target, { before, after }),
      ]);
    },
  );
}

/**
 * @param of.roles the roles against which the change was checked; the change is refused if one of these roles has
 *   been modified since
 */
async function save(
  before: StaffUser,
  after: StaffUser,
  { roles, audit }: { roles: readonly Role[]; audit: AuditContext },
  { table }: Shop<"table">,
): Promise<void> {
  const target = { kind: "staff", id: after.id, label: after.name };
  await table.transact([
    // This write precedes the count of owners, because the first refused write determines the error. If another request
    // has changed the user meanwhile, the count is stale too.
    replaceStaffUser(before, after),
    ...moveRole(before, after),
    ...countOwners(before, after).map((write) => ({
      write,
      refused: () => new AppError("last_owner"),
    })),
    ...roles.map(unchangedRole),
    ...(after.status === "disabled"
      ? [endPreviews({ kind: "staff", id: after.id }, audit.now)]
      : []),
    recordActivity(audit, "staff.update", target, {
      before: adminStaffUser(before),
      after: adminStaffUser(after),
    }),
  ]);
}

export function known(user: StaffUser | undefined): StaffUser {
  if (!user) throw new AppError("not_found", { message: "There is no staff user with this id." });
  return user;
}
