import { Grant } from "#shared/domain/staff/permission.ts";
import { type StaffProfile, type StaffUser, staffView } from "#shared/domain/staff/staff.ts";
import { AppError } from "#shared/domain/request/app-error.ts";

/** The caller's own row: whose session counts is known, so it is there. */
export function stillThere(user: StaffUser | undefined): StaffUser {
  if (!user) throw new AppError("unauthenticated");
  return user;
}

/** What a user sees of themselves. */
export function profileOf(user: StaffUser, permissions: readonly string[]): StaffProfile {
  return { ...staffView(user), permissions: Grant.array().parse(permissions) };
}
