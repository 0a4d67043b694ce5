import { lacking, type Grant } from "#shared/domain/staff/permission.ts";
import { type Role, maxDiscountOf } from "#shared/domain/staff/role.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";

/** What a staff user may do. */
export interface StaffCaller {
  readonly permissions: readonly string[];
  readonly maxDiscountBps: number;
}

/**
 * Refuses to grant, revoke or change permissions that the caller does not have.
 *
 * @throws AppError `forbidden`, naming the first missing permission
 */
export function requirePermissionsOf(
  { permissions, maxDiscountBps }: StaffCaller,
  ...wanted: readonly Pick<Role, "permissions" | "max_discount_bps">[]
): void {
  const permission: Grant | undefined = lacking(
    permissions,
    wanted.flatMap((role) => role.permissions),
  );
  const isDearer = wanted.some((role) => maxDiscountOf(role) > maxDiscountBps);
  if (permission === undefined && isDearer) {
    throw new AppError("forbidden", {
      message: "You cannot grant or change a higher discount than your own.",
      details: { max_discount_bps: maxDiscountBps },
    });
  }
  if (permission === undefined) return;
  throw new AppError("forbidden", {
    message: "You cannot grant or change permissions that you do not have.",
    details: { permission },
  });
}

export const unknownRole = () => invalidField("role", "The selected role is invalid.");
