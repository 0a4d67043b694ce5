import { openRoles } from "#shared/storage/staff/roles.ts";
import type { Shop } from "#shared/application/shop.ts";
import { listRoute } from "#functions/list-route.ts";
import { changeRole } from "#shared/application/staff/change-role.ts";
import * as z from "zod";
import { Role, RoleInput, RoleName, roleNamed } from "#shared/domain/staff/role.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { WholeList } from "#shared/http/paging.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route, staff } from "#shared/http/route.ts";

const form = editForm(RoleInput, Role);

export const listRoles = listRoute({
  path: "/admin/roles",
  summary: "List roles and their permissions",
  description: "Returns all roles unless `per_page` is sent.",
  access: staff("staff.view"),
  query: WholeList,
  row: Role,
  list: async (_call, { table }: Shop<"table">) => ({
    name: "roles",
    entries: await openRoles(table).list(),
    nameOf: ({ code }) => code,
  }),
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
  async first({ params }, { table }: Shop<"table">) {
    const code = roleNamed(params.role);
    return code && openRoles(table).get(code);
  },
  async handle(call, { table }) {
    const edited = (before: Role) => form.replaced(call.body, before);
    const role = await changeRole(call, call.first, edited, table);
    return { data: role, version: role.version };
  },
});

export const routes = [listRoles, replaceRole];
