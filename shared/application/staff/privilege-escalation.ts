import { lacking } from "#shared/domain/staff/covers.ts";
import type { Grant } from "#shared/domain/staff/permission.ts";
import type { Role } from "#shared/domain/staff/role.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";

/**
 * Refuses to grant, revoke or change permissions that the caller does not have.
 *
 * @throws AppError `forbidden`, naming the first missing permission
 */
export function requirePermissionsOf(
  permissions: readonly string[],
  ...wanted: readonly Pick<Role, "permissions">[]
): void {
  const permission: Grant | undefined = lacking(
    permissions,
    wanted.flatMap((role) => role.permissions),
  );
  if (permission === undefined) return;
  throw new AppError("forbidden", {
    message: "You cannot grant or change permissions that you do not have.",
    details: { permission },
  });
}

export const unknownRole = () => invalidField("role", "The selected role is invalid.");
