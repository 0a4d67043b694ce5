import { newId } from "#shared/domain/base/ids.ts";
import { type StaffUser, newStaffUser } from "#shared/domain/staff/staff.ts";
import { addStaffUser, claimStaffEmail, countOwners } from "#shared/storage/staff/staff.ts";
import type { Write } from "#shared/storage/writes.ts";
import { aPasswordHash } from "./customers.ts";

/** A stored staff user with a unique id and email. Default: an owner who signs in with `aPassword`. */
export function aStaffUser(overrides: Partial<StaffUser> = {}): StaffUser {
  const now = new Date();
  const id = newId("stf", now);
  const user = newStaffUser(
    { name: "Meera Iyer", email: `${id.toLowerCase()}@example.com`, role: "owner" },
    { id, now, password_hash: aPasswordHash },
  );
  return { ...user, ...overrides };
}

/** The writes of a new user. */
export const addStaff = (user: StaffUser): Write[] => [
  addStaffUser(user),
  claimStaffEmail(user),
  ...countOwners(undefined, user),
];
