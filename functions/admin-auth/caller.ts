import { Grant } from "#shared/domain/staff/permission.ts";
import { type StaffProfile, type StaffUser, adminStaffUser } from "#shared/domain/staff/staff.ts";

/** A user's own profile. */
export function profileOf(user: StaffUser, permissions: readonly string[]): StaffProfile {
  return { ...adminStaffUser(user), permissions: Grant.array().parse(permissions) };
}
