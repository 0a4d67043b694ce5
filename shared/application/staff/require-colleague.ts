import { invalidField } from "#shared/domain/request/app-error.ts";
import type { Permission } from "#shared/domain/staff/permission.ts";
import { isActiveWith } from "#shared/storage/staff/roles.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Requires that `id` is that of an active staff user with a permission, to whom something can be assigned. Nobody, null
 * or undefined, is allowed.
 *
 * @param field the path of the id in the request
 * @throws AppError `validation_failed`
 */
export async function requireColleague(
  table: Table,
  id: string | null | undefined,
  { field, permission }: { readonly field: string; readonly permission: Permission },
): Promise<void> {
  if (id === undefined || id === null || (await isActiveWith(table, id, permission))) return;
  const message = `The ${field} field must name an active staff user with the permission ${permission}.`;
  throw invalidField(field, message);
}
