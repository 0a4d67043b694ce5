import { hashPassword } from "#shared/auth/passwords.ts";
import { RoleCode, seededRoles } from "#shared/domain/staff/role.ts";
import { type StaffUser, newStaffUser } from "#shared/domain/staff/staff.ts";
import { Roles } from "#shared/storage/staff/roles.ts";
import { addStaffUser, claimStaffEmail, countOwners } from "#shared/storage/staff/staff.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { demoId } from "../identity.ts";

/** How the demo shop's staff sign in: one user per role. */
export const demoLogins = RoleCode.options.map((role) => ({
  role,
  email: `${role}@demo.test`,
  password: `${role}-demo-password`,
}));

const names: Record<RoleCode, string> = {
  owner: "Ananya Deshmukh",
  manager: "Farhan Qureshi",
  content_editor: "Meera Iyer",
  catalog_editor: "Joseph Kurien",
  order_desk: "Lakshmi Gowda",
  sales: "Rohan Bhatia",
  analyst: "Tenzin Dolma",
};

/** Roles and the users who have them. */
export async function demoStaff(now: Date): Promise<Write[]> {
  const users = await Promise.all(
    demoLogins.map(async ({ role, email, password }): Promise<StaffUser> => {
      const password_hash = await hashPassword(password);
      const id = demoId("stf", role);
      return newStaffUser({ email, name: names[role], role }, { id, now, password_hash });
    }),
  );
  return [
    ...seededRoles(now).map((role) => put(Roles, role)),
    ...users.flatMap((user) => [
      addStaffUser(user),
      claimStaffEmail(user),
      ...countOwners(undefined, user),
    ]),
  ];
}
