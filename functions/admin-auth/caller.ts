import { Grant } from "#shared/domain/staff/permission.ts";
import { type StaffProfile, type StaffUser, adminStaffUser } from "#shared/domain/staff/staff.ts";
import { AppError } from "#shared/domain/request/app-error.ts";

/**
 * Returns the caller's row.
 *
 * @throws AppError `unauthenticated` if there is no row, although a caller with a valid session should have one
 */
export function requireUser(user: StaffUser | undefined): StaffUser {
  if (!user) throw new AppError("unauthenticated");
  return user;
}

/** A user's own profile. */
export function profileOf(user: StaffUser, permissions: readonly string[]): StaffProfile {
  return { ...adminStaffUser(user), permissions: Grant.array().parse(permissions) };
}
