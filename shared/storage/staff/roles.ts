import { covers, type Grant } from "../../domain/staff/permission.ts";
import { Role, type RoleCode, seededRoles } from "../../domain/staff/role.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { Staff } from "./staff.ts";
import type { Table } from "../table.ts";
import { type Write, check, put, unlessRefused } from "../writes.ts";

/** All roles are in one partition, so that the list is read with strong consistency, like a single role. */
export const Roles = entity({
  name: "role",
  notExported: "internal",
  schema: Role,
  key: ({ code }: { code: string }) => ({ pk: "ROLES", sk: code }),
});

export interface RoleStore {
  /** @throws Error when the roles were never stored: see `ensureRoles` */
  get(code: RoleCode): Promise<Role>;
  list(): Promise<Role[]>;
}

export function openRoles(table: Table): RoleStore {
  return {
    async get(code) {
      const role = await table.get(Roles, { code });
      if (!role) throw new Error(`The role ${code} was never stored`);
      return role;
    },
    async list() {
      return (await table.page(Roles, { partition: "ROLES" })).records;
    },
  };
}

/** Whether a user is active and its current role grants a permission. */
export async function isActiveWith(
  table: Pick<Table, "get" | "getPartition">,
  id: string,
  permission: Grant,
): Promise<boolean> {
  const [user, { roles }] = await Promise.all([
    table.get(Staff, { id }),
    table.getPartition("ROLES", { roles: Roles }),
  ]);
  const role = roles.find(({ code }) => code === user?.role);
  return user?.status === "active" && role !== undefined && covers(role.permissions, permission);
}

/** Stores a role, if it is unchanged since it was read. */
export function replaceRole(before: Role, after: Role): Write {
  return put(Roles, after, is("version", before.version));
}

/** Makes a transaction conditional on a role being unchanged since it was read. */
export function unchangedRole({ code, version }: Role): Write {
  return check(Roles, { code }, is("version", version));
}

/** Stores the default roles that a shop lacks. Existing roles stay unchanged. */
export async function ensureRoles(table: Table, now: Date): Promise<void> {
  const stored = seededRoles(now).map((role) => table.write(put(Roles, role, isNew)));
  await Promise.all(stored.map(unlessRefused));
}
