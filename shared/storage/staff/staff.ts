import * as z from "zod";
import { StaffUser, isActiveOwner } from "../../domain/staff/staff.ts";
import { absent, atLeast, below, either, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { partitionOf } from "./sessions.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, check, put, remove, update } from "../writes.ts";

/** Everybody's place in the list, by email. */
export const staffList = "STAFF";

export const Staff = entity({
  name: "staff",
  schema: StaffUser,
  key: ({ id }: { id: string }) => ({ pk: partitionOf("staff", id), sk: "PROFILE" }),
  indexes: { gsi1: ({ email }) => ({ pk: staffList, sk: email }) },
});

/** Makes emails unique and finds whose they are. */
export const StaffEmails = entity({
  name: "staff_email",
  schema: z.object({ staff_id: z.string() }),
  key: ({ email }: { email: string }) => ({ pk: `EMAIL#staff#${email}`, sk: "EMAIL" }),
});

/** How many active owners there are, so that the last one can be told in the write that would end it. */
export const ActiveOwners = entity({
  name: "active_owners",
  schema: z.object({ count: z.int().min(0) }),
  key: (_id: object) => ({ pk: "OWNERS", sk: "OWNERS" }),
});

export interface StaffStore {
  find(id: string): Promise<StaffUser | undefined>;
  /** In two steps, whether or not there is one: how long it takes tells nobody. */
  findByEmail(email: string): Promise<StaffUser | undefined>;
  /** The users of these ids that there are, in one step. */
  findMany(ids: readonly string[]): Promise<StaffUser[]>;
  /** One page, by email. It may lag behind the last second's writes. */
  list(page: {
    limit: number;
    after: Record<string, unknown> | undefined;
  }): Promise<{ records: StaffUser[]; next: Record<string, unknown> | undefined }>;
}

export function openStaff(table: Table): StaffStore {
  const find: StaffStore["find"] = (id) => table.get(Staff, { id });
  return {
    find,
    async findByEmail(email) {
      const row = await table.get(StaffEmails, { email });
      const user = await find(row?.staff_id ?? "nobody");
      // The row was read before the user, whose email may have changed in between.
      return user?.email === email ? user : undefined;
    },
    async findMany(ids) {
      const { users } = await table.getMany({ users: ids.map((id) => at(Staff, { id })) });
      return users.filter((user) => user !== undefined);
    },
    list: (page) => table.query(Staff, { index: "gsi1", partition: staffList, ...page }),
  };
}

/** Takes an email for a user; refused where somebody has it. */
export function claimStaffEmail({ id, email }: Pick<StaffUser, "id" | "email">): Write {
  return put(StaffEmails, { email, staff_id: id }, isNew);
}

/** Gives an email back, if it is still this user's. */
export function releaseStaffEmail({ id, email }: Pick<StaffUser, "id" | "email">): Write {
  return remove(StaffEmails, { email }, is("staff_id", id));
}

/** Stores a user for the first time; belongs into one transaction with `claimStaffEmail` and `countOwners`. */
export function addStaffUser(user: StaffUser): Write {
  return put(Staff, user, isNew);
}

/**
 * Stores a user over the one that was read, if nobody wrote it since. Where that can make or unmake an active owner it
 * belongs into one transaction with `countOwners`.
 */
export function replaceStaffUser(before: StaffUser, after: StaffUser): Write {
  return put(Staff, after, is("version", before.version));
}

/**
 * Keeps count of the active owners over a change of users. Two changes at once cannot both take what looks like one of
 * two: the write is refused when the last active owner would go.
 *
 * @param before undefined: a new user
 * @returns no write where the change makes no difference
 */
export function countOwners(before: StaffUser | undefined, after: StaffUser): Write[] {
  const difference = Number(isActiveOwner(after)) - Number(before ? isActiveOwner(before) : false);
  if (difference === 0) return [];
  const entityName = { set: { entity: ActiveOwners.name } };
  const changes = { ...entityName, add: { count: difference } };
  return [update(ActiveOwners, {}, changes, difference < 0 ? atLeast("count", 2) : undefined)];
}

/** Holds a transaction to there being no active owner. */
export function noOwnerYet(): Write {
  return check(ActiveOwners, {}, either(absent("pk"), below("count", 1)));
}
