import * as z from "zod";
import { RoleCode } from "../../domain/staff/role.ts";
import { StaffUser, isActiveOwner } from "../../domain/staff/staff.ts";
import { absent, atLeast, below, either, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type AccountStore, type EmailClaim, accountStore } from "./accounts.ts";
import { partitionOf } from "./sessions.ts";
import { at } from "../reads.ts";
import type { RecordPage, PageOptions } from "../pages.ts";
import type { Table } from "../table.ts";
import { type Write, check, put, remove, update } from "../writes.ts";

/** The partition of the index that lists all staff by email. */
const staffList = "STAFF";
/** All staff users, sorted by email. */
export const allStaff = { index: "gsi1", partition: staffList } as const;

export const Staff = entity({
  name: "staff",
  notExported: "internal",
  schema: StaffUser,
  key: ({ id }: { id: string }) => ({ pk: partitionOf("staff", id), sk: "PROFILE" }),
  indexes: { gsi1: ({ email }) => ({ pk: staffList, sk: email }) },
});

/** Makes emails unique, and finds their staff user and its role, so that a login reads both at once. */
export const StaffEmails = entity({
  name: "staff_email",
  notExported: "derived",
  schema: z.object({
    staff_id: z.string(),
    /** Null in rows that were stored without it. */
    role: RoleCode.nullable().default(null),
    password_resets: z.int().min(0).default(0),
  }),
  key: ({ email }: { email: string }) => ({ pk: `EMAIL#staff#${email}`, sk: "EMAIL" }),
});

/** The number of active owners, so that the write that would remove the last one is refused. */
export const ActiveOwners = entity({
  name: "active_owners",
  notExported: "derived",
  schema: z.object({ count: z.int().min(0) }),
  key: (_id: object) => ({ pk: "OWNERS", sk: "OWNERS" }),
});

export interface StaffEmailClaim extends EmailClaim {
  /** Null if the row does not name it. */
  readonly role: RoleCode | null;
}

export interface StaffStore extends AccountStore<StaffUser, StaffEmailClaim> {
  /** The existing users with these ids. */
  findMany(ids: readonly string[]): Promise<StaffUser[]>;
  /** One page, sorted by email. The index may lack writes of the last second. */
  list(page: PageOptions<StaffUser, StaffUser>): Promise<RecordPage<StaffUser>>;
}

export function openStaff(table: Table): StaffStore {
  const accounts = accountStore<StaffUser, StaffEmailClaim>({
    find: (id) => table.get(Staff, { id }),
    async findEmail(email) {
      const row = await table.get(StaffEmails, { email });
      return row && { id: row.staff_id, role: row.role, password_resets: row.password_resets };
    },
  });
  return {
    ...accounts,
    async findMany(ids) {
      const { users } = await table.getMany({ users: ids.map((id) => at(Staff, { id })) });
      return users.filter((user) => user !== undefined);
    },
    list: (page) => table.page(Staff, allStaff, page),
  };
}

/** Claims an email for a staff user. The write is refused if another user has the email. */
export function claimStaffEmail({
  id,
  email,
  role,
}: Pick<StaffUser, "id" | "email" | "role">): Write {
  return put(StaffEmails, { email, staff_id: id, role, password_resets: 0 }, isNew);
}

/** Stores a user's new role beside the email. Include it in the transaction that changes the role. */
export function moveRole(before: StaffUser, { id, email, role }: StaffUser): Write[] {
  if (before.role === role) return [];
  return [update(StaffEmails, { email }, { set: { role } }, is("staff_id", id))];
}

/** Counts a password reset, if the user still holds the email. */
export function countStaffReset({ id, email }: Pick<StaffUser, "id" | "email">): Write {
  return update(StaffEmails, { email }, { add: { password_resets: 1 } }, is("staff_id", id));
}

/** Releases an email, if this user still holds it. */
export function releaseStaffEmail({ id, email }: Pick<StaffUser, "id" | "email">): Write {
  return remove(StaffEmails, { email }, is("staff_id", id));
}

/** Stores a new user. Include `claimStaffEmail` and `countOwners` in the same transaction. */
export function addStaffUser(user: StaffUser): Write {
  return put(Staff, user, isNew);
}

/**
 * Stores a user, if it is unchanged since it was read. If the change can add or remove an active owner, include
 * `countOwners` in the same transaction.
 */
export function replaceStaffUser(before: StaffUser, after: StaffUser): Write {
  return put(Staff, after, is("version", before.version));
}

/**
 * Updates the number of active owners. The write is refused if it would remove the last active owner, also under
 * concurrent changes.
 *
 * @param before undefined for a new user
 * @returns no write if the number does not change
 */
export function countOwners(before: StaffUser | undefined, after: StaffUser): Write[] {
  const difference = Number(isActiveOwner(after)) - Number(before ? isActiveOwner(before) : false);
  if (difference === 0) return [];
  const entityName = { set: { entity: ActiveOwners.name } };
  const changes = { ...entityName, add: { count: difference } };
  return [update(ActiveOwners, {}, changes, difference < 0 ? atLeast("count", 2) : undefined)];
}

/** Makes a transaction conditional on having no active owner. */
export function noOwnerYet(): Write {
  return check(ActiveOwners, {}, either(absent("pk"), below("count", 1)));
}
