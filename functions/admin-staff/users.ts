import type { Shop } from "#shared/application/shop.ts";
import {
  StaffUser,
  AdminStaffUser,
  StaffPatch,
  StaffStatus,
  adminStaffUser,
  StaffInvitation,
} from "#shared/domain/staff/staff.ts";
import { listRoute } from "#functions/list-route.ts";
import { staff, route } from "#shared/http/route.ts";
import { allStaff, openStaff } from "#shared/storage/staff/staff.ts";
import { openRoles } from "#shared/storage/staff/roles.ts";
import * as z from "zod";
import {
  changeStaffUser,
  known,
  resetSecondFactorOf,
} from "#shared/application/staff/change-staff-user.ts";
import { RoleCode, roleNamed } from "#shared/domain/staff/role.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { inviteStaffUser } from "#shared/application/staff/invite-staff-user.ts";

const Colleague = StaffUser.pick({ id: true, name: true }).meta({ id: "Colleague" });

export const listColleagues = listRoute({
  path: "/admin/colleagues",
  summary: "List the staff users whom leads, quotes and sales can name",
  description: "Active users, sorted by email. Pages may be shorter than `per_page`.",
  access: staff("leads.edit", "orders.create"),
  row: Colleague,
  list: (_call, { table }: Shop<"table">) => ({
    range: allStaff,
    page: (at) => openStaff(table).list({ ...at, matches: ({ status }) => status === "active" }),
  }),
});

const inviteUser = route({
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
  async first(
    { body },
    { table, settings }: Shop<"table" | "randomBytes" | "settings", "security">,
  ) {
    const code = roleNamed(body.role);
    const [role, { security }] = await Promise.all([
      code && openRoles(table).get(code),
      settings.current(),
    ]);
    return { role, security };
  },
  async handle(call, shop) {
    return inviteStaffUser(call, call.first, shop);
  },
});

const Params = z.object({ id: z.string().max(60) });

export const listUsers = listRoute({
  path: "/admin/users",
  summary: "List staff users, sorted by email",
  description: "With filters, pages may be shorter than `per_page`.",
  access: staff("staff.view"),
  query: CursorPage.extend({ role: RoleCode.optional(), status: StaffStatus.optional() }),
  row: AdminStaffUser,
  list({ query: { role, status } }, { table }: Shop<"table">) {
    const matches = (stored: StaffUser) => {
      const user = adminStaffUser(stored);
      return (role ?? user.role) === user.role && (status ?? user.status) === user.status;
    };
    return { range: allStaff, page: (at) => openStaff(table).list({ ...at, matches }) };
  },
  shown: (users) => users.map(adminStaffUser),
});

export const getUser = route({
  method: "GET",
  path: "/admin/users/{id}",
  summary: "Get a staff user",
  description: "Includes role, status and whether a second factor is set up.",
  access: staff("staff.view"),
  request: { params: Params },
  response: { status: 200, data: AdminStaffUser },
  first: ({ params }, { table }: Shop<"table">) => openStaff(table).find(params.id),
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
  first: ({ params }, { table }: Shop<"table">) => openStaff(table).find(params.id),
  async handle(call, shop) {
    const user = await changeStaffUser(call, call.first, shop);
    return { data: adminStaffUser(user), version: user.version };
  },
});

export const resetSecondFactor = route({
  method: "DELETE",
  path: "/admin/users/{id}/totp",
  summary: "Reset another staff user's second factor",
  description:
    "Helps a user who has lost the authenticator app. The caller must have every permission of " +
    "the user's role. All sessions of the user end. Your own second factor is removed with `DELETE /admin/auth/totp`.",
  access: staff("staff.edit"),
  request: {
    params: Params,
    headers: z.object({ "if-match": IfMatch }),
  },
  response: { status: 204 },
  errors: ["version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => openStaff(table).find(params.id),
  async handle(call, shop) {
    await resetSecondFactorOf(call, call.first, shop);
  },
});

export const routes = [
  listColleagues,
  listUsers,
  inviteUser,
  getUser,
  changeUser,
  resetSecondFactor,
];
