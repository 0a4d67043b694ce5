import {
  type ExpectedVersion,
  AppError,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { type Role, type RoleInput, replacedRole } from "#shared/domain/staff/role.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { replaceRole } from "#shared/storage/staff/roles.ts";
import type { Table } from "#shared/storage/table.ts";
import { type StaffCaller, requirePermissionsOf } from "./privilege-escalation.ts";

interface RoleCall extends AuditedCall, StaffCaller {
  readonly headers: { readonly "if-match"?: ExpectedVersion };
}

/**
 * Changes a role's name and permissions.
 *
 * @param before the role, as the request has read it
 * @param edited returns the new content of the role
 * @throws AppError `not_found`, `role_fixed`, `forbidden`, `version_mismatch`
 */
export async function changeRole(
  call: RoleCall,
  before: Role | undefined,
  edited: (before: Role) => RoleInput,
  table: Table,
): Promise<Role> {
  const { headers, now } = call;
  if (!before) throw new AppError("not_found", { message: "There is no role with this id." });
  if (before.code === "owner") throw new AppError("role_fixed");
  const input = edited(before);
  requirePermissionsOf(call, before, input);
  requireVersion(headers["if-match"], before.version);
  const after = replacedRole(before, input, now);
  if (isUnchanged(before, after)) return before;
  const target = { kind: "role", id: after.id, label: after.name };
  await table.transact([
    {
      write: replaceRole(before, after),
      // There is no retry, because a retry could overwrite a concurrent change by another user.
      refused: () => new AppError("version_mismatch"),
    },
    recordActivity(auditContextOf(call), "role.update", target, { before, after }),
  ]);
  return after;
}
