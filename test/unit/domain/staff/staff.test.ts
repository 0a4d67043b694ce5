import { describe, expect, test } from "vitest";
import { lacking } from "#shared/domain/staff/permission.ts";
import { Role, RoleCode, RoleInput, roleNamed, seededRoles } from "#shared/domain/staff/role.ts";
import {
  StaffResetInput,
  StaffUser,
  changedStaffUser,
  isActiveOwner,
  adminStaffUser,
} from "#shared/domain/staff/staff.ts";
import { aStaffUser } from "#test/support/people/staff.ts";

const now = new Date("2026-11-21T09:00:00.000Z");

describe("the default staff roles", () => {
  const roles = seededRoles(now);

  test("are complete, have unique ids and can be found by code and id", () => {
    for (const role of roles) expect(Role.parse(role)).toEqual(role);
    expect(new Set(roles.map(({ id }) => id)).size).toBe(RoleCode.options.length);
    for (const { id, code } of roles)
      expect([roleNamed(id), roleNamed(code)]).toEqual([code, code]);
    for (const name of ["", "emperor", "role_", "__proto__"]) {
      expect(roleNamed(name)).toBeUndefined();
    }
  });

  test("include one role with all permissions, the owner role, so that only owners can create owners", () => {
    for (const { code, permissions } of roles) {
      expect([code, lacking(permissions, ["*"])]).toEqual([
        code,
        code === "owner" ? undefined : "*",
      ]);
    }
  });

  test("contain each permission once, sorted", () => {
    const input = { name: "Sales", permissions: ["orders.view", "leads", "orders.view"] };
    expect(RoleInput.parse(input)).toEqual({
      name: "Sales",
      description: null,
      permissions: ["leads", "orders.view"],
      requires_second_factor: false,
      max_discount_bps: 0,
    });
  });
});

describe("a change of a staff user", () => {
  const user = aStaffUser({ pending_email: "new@example.com" });

  test("increments the version and keeps omitted members", () => {
    const after = changedStaffUser(user, { name: "Asha" }, now);
    expect(StaffUser.parse(after)).toEqual({
      ...user,
      name: "Asha",
      version: 2,
      updated_at: now.toISOString(),
    });
  });

  test.each([{ password_hash: "$argon2id$other" }, { status: "disabled" as const }])(
    "invalidates sessions and links if it sets %j",
    (changes) => {
      const after = changedStaffUser(user, changes, now);
      expect(after).toMatchObject({ session_epoch: 2, pending_email: null });
    },
  );

  test.each([
    { role: "sales" as const },
    { status: "active" as const },
    { email: "new@example.com", pending_email: null },
  ])("keeps sessions and links valid if it sets %j", (changes) => {
    expect(changedStaffUser(user, changes, now).session_epoch).toBe(1);
  });
});

test("a staff user counts as an active owner only with the owner role, a password and active status", () => {
  const owner = aStaffUser();
  expect(isActiveOwner(owner)).toBe(true);
  expect(isActiveOwner({ ...owner, role: "manager" })).toBe(false);
  expect(isActiveOwner({ ...owner, status: "disabled" })).toBe(false);
  expect(isActiveOwner({ ...owner, password_hash: null })).toBe(false);
});

test("a staff user without a password is shown as invited, unless the user is disabled", () => {
  const invited = aStaffUser({ password_hash: null });
  expect(adminStaffUser(aStaffUser()).status).toBe("active");
  expect(adminStaffUser(invited).status).toBe("invited");
  expect(adminStaffUser({ ...invited, status: "disabled" }).status).toBe("disabled");
});

test.each([
  [11, false],
  [12, true],
  [128, true],
  [129, false],
])("a staff password of %i characters is accepted: %s", (length, taken) => {
  const input = { token: "a".repeat(43), email: "a@example.com", password: "x".repeat(length) };
  expect(StaffResetInput.safeParse(input).success).toBe(taken);
});
