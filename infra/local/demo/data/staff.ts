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

/** The hashes of the passwords, because hashing them takes longer than the rest of the demo shop's records. */
export const demoPasswordHashes: Record<RoleCode, string> = {
  owner:
    "$argon2id$v=19$m=19456,t=2,p=1$gZNLL4rf6Jd6b60DK+KLNA$KqjUgWo4TD2lqzE4KttR50RFmNZIKYOSn6GlPaCL1eI",
  manager:
    "$argon2id$v=19$m=19456,t=2,p=1$TIKiClruVfk05NfOK1B63w$d6LgIkhbQ4VMNXFOpvY5QJ8YN+YCnkSGfPRPm6wwBWo",
  content_editor:
    "$argon2id$v=19$m=19456,t=2,p=1$K+7bXbGh+Q0IHWVEj5hBVQ$zQvgj5/rQXSAvrx0Etm3E3eq//1HYzBXE6nzg3lNsjg",
  catalog_editor:
    "$argon2id$v=19$m=19456,t=2,p=1$OvDszYBP8v7bh7LczrlinA$HqR6gaYswKZ2rj18hdCJa2uJO4DB9EPd1KHsFDHM2+Y",
  order_desk:
    "$argon2id$v=19$m=19456,t=2,p=1$8OYEqGLXT2EjOevDO72n6A$/bbIzMn+HNF7WzN9y+x0T0QsB76MMEnEd/sYUlZLISc",
  sales:
    "$argon2id$v=19$m=19456,t=2,p=1$IEQvxbtSe+NtdTw72wqU+Q$+x33Q1lbyQSkr/agdTc1PlL39+3Hmex5tQeZ4V7azSI",
  analyst:
    "$argon2id$v=19$m=19456,t=2,p=1$HznAWnV5PZ+urNGWXEyWBg$h2g1TMxK+HrtoEeiKsNjd3xDQGznyTg//8Ojy8iNE9A",
};

/** Roles and the users who have them. */
export function demoStaff(now: Date): Write[] {
  const users = demoLogins.map(({ role, email }): StaffUser => {
    const id = demoId("stf", role);
    const password_hash = demoPasswordHashes[role];
    return newStaffUser({ email, name: names[role], role }, { id, now, password_hash });
  });
  return [
    ...seededRoles(now).map((role) => put(Roles, role)),
    ...users.flatMap((user) => [
      addStaffUser(user),
      claimStaffEmail(user),
      ...countOwners(undefined, user),
    ]),
  ];
}
