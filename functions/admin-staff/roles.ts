import * as z from "zod";
import { Role, RoleInput, RoleName, replacedRole, roleNamed } from "#shared/domain/staff/role.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { AppError, requireVersion } from "#shared/domain/request/app-error.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { replaceRole as storeRole } from "#shared/storage/staff/roles.ts";
import { requirePermissionsOf } from "./privilege-escalation.ts";
import type { Deps } from "./deps.ts";

const form = editForm(RoleInput, Role);

export const listRoles = route({
  method: "GET",
  path: "/admin/roles",
  summary: "List roles and their permissions",
  description: "Returns all roles unless `per_page` is sent.",
  access: staff("staff.view"),
  request: { query: WholeList },
  response: { status: 200, data: z.array(Role), meta: CursorMeta },
  first: (_call, { roles }: Deps) => roles.list(),
  handle: async ({ first, query }) => sliceOf(first, "roles", ({ code }) => code, query),
});

export const replaceRole = route({
  method: "PUT",
  path: "/admin/roles/{role}",
  summary: "Replace a role's permissions",
  description:
    "Applies from the next request of each user with the role. The caller must have every " +
    "permission that the role grants before or after the change. The owner role cannot be changed.",
  access: staff("staff.edit"),
  request: {
    params: z.object({ role: RoleName }),
    headers: z.object({ "if-match": IfMatch }),
    body: form.put.meta({
      example: { name: "Content editor", permissions: ["content.*", "media.view"] },
    }),
  },
  response: { status: 200, data: Role },
  errors: ["role_fixed", "version_mismatch"],
  async first({ params }, { roles }: Deps) {
    const code = roleNamed(params.role);
    return code && roles.get(code);
  },
  async handle(call, { table }) {
    const { body, headers, first: before, permissions, now } = call;
    if (!before) throw new AppError("not_found", { message: "There is no role with this id." });
    if (before.code === "owner") throw new AppError("role_fixed");
    const input = form.replaced(body, before);
    requirePermissionsOf(permissions, before, input);
    requireVersion(headers["if-match"], before.version);
    const after = replacedRole(before, input, now);
    if (isUnchanged(before, after)) return { data: before, version: before.version };
    const target = { kind: "role", id: after.id, label: after.name };
    await table.transact([
      {
        write: storeRole(before, after),
        // There is no retry, because a retry could overwrite a concurrent change by another user.
        refused: () => new AppError("version_mismatch"),
      },
      recordActivity(auditContextOf(call), "role.update", target, { before, after }),
    ]);
    return { data: after, version: after.version };
  },
});

export const routes = [listRoles, replaceRole];
