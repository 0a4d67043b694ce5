import * as z from "zod";
import { type Role, RoleCode, roleNamed } from "#shared/domain/staff/role.ts";
import {
  StaffPatch,
  StaffStatus,
  type StaffUser,
  AdminStaffUser,
  changedStaffUser,
  adminStaffUser,
} from "#shared/domain/staff/staff.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { AppError, requireVersion } from "#shared/domain/request/app-error.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { unchangedRole } from "#shared/storage/staff/roles.ts";
import { countOwners, replaceStaffUser, staffList } from "#shared/storage/staff/staff.ts";
import { requirePermissionsOf, unknownRole } from "./privilege-escalation.ts";
import type { Deps } from "./deps.ts";
import { inviteUser } from "./invite.ts";

const Params = z.object({ id: z.string().max(60) });

export const listUsers = route({
  method: "GET",
  path: "/admin/users",
  summary: "List staff users, sorted by email",
  description: "With filters, pages may be shorter than `per_page`.",
  access: staff("staff.view"),
  request: {
    query: CursorPage.extend({ role: RoleCode.optional(), status: StaffStatus.optional() }),
  },
  response: { status: 200, data: z.array(AdminStaffUser), meta: CursorMeta },
  async handle({ query: { per_page, cursor, role, status } }, deps: Deps) {
    const list = { attribute: "gsi1pk", value: staffList };
    const after = keyOfCursor(cursor, list);
    const { records, next } = await deps.staff.list({ limit: per_page, after });
    const users = records
      .map(adminStaffUser)
      .filter((user) => (role ?? user.role) === user.role)
      .filter((user) => (status ?? user.status) === user.status);
    return { data: users, meta: { per_page, next_cursor: cursorOf(next, list) } };
  },
});

export const getUser = route({
  method: "GET",
  path: "/admin/users/{id}",
  summary: "Get a staff user",
  description: "Includes role, status and whether a second factor is set up.",
  access: staff("staff.view"),
  request: { params: Params },
  response: { status: 200, data: AdminStaffUser },
  first: ({ params }, { staff }: Deps) => staff.find(params.id),
  async handle({ first }) {
    const user = known(first);
    return { data: adminStaffUser(user), version: user.version };
  },
});

export const changeUser = route({
  method: "PATCH",
  path: "/admin/users/{id}",
  summary: "Update a staff user",
  description:
    "Changes name, role or status. The caller must have every permission of the user's " +
    "current and new role. Disabling a user ends their sessions at the next request. The " +
    "last active owner cannot be demoted or disabled.",
  access: staff("staff.edit"),
  request: {
    params: Params,
    headers: z.object({ "if-match": IfMatch }),
    body: StaffPatch.meta({ example: { role: "catalog_editor" } }),
  },
  response: { status: 200, data: AdminStaffUser },
  errors: ["last_owner", "version_mismatch"],
  first: ({ params }, { staff }: Deps) => staff.find(params.id),
  async handle(call, deps) {
    const { params, headers, body, first, permissions, now } = call;
    const role = body.role === undefined ? undefined : roleNamed(body.role);
    if (role === undefined && body.role !== undefined) throw unknownRole();
    const changes = { ...body, role };
    const user = await retryOnConflict(
      first,
      () => deps.staff.find(params.id),
      async (found) => {
        const before = known(found);
        const after = changedStaffUser(before, changes, now);
        const codes = [...new Set([before.role, after.role])];
        const roles = await Promise.all(codes.map((code) => deps.roles.get(code)));
        requirePermissionsOf(permissions, ...roles);
        requireVersion(headers["if-match"], before.version);
        if (isUnchanged(before, after)) return before;
        await save(before, after, { roles, audit: auditContextOf(call) }, deps);
        return after;
      },
    );
    return { data: adminStaffUser(user), version: user.version };
  },
});

/**
 * @param of.roles the roles against which the change was checked; the change is refused if one of these roles has
 *   been modified since
 */
async function save(
  before: StaffUser,
  after: StaffUser,
  { roles, audit }: { roles: readonly Role[]; audit: AuditContext },
  { table }: Pick<Deps, "table">,
): Promise<void> {
  const target = { kind: "staff", id: after.id, label: after.name };
  await table.transact([
    // This write precedes the count of owners, because the first refused write determines the error. If another request
    // has changed the user meanwhile, the count is stale too.
    replaceStaffUser(before, after),
    ...countOwners(before, after).map((write) => ({
      write,
      refused: () => new AppError("last_owner"),
    })),
    ...roles.map(unchangedRole),
    recordActivity(audit, "staff.update", target, { before, after }),
  ]);
}

export function known(user: StaffUser | undefined): StaffUser {
  if (!user) throw new AppError("not_found", { message: "There is no staff user with this id." });
  return user;
}

export const routes = [listUsers, inviteUser, getUser, changeUser];
