import type * as z from "zod";
import { type Condition, absent, below, either, every, is } from "./conditions.ts";
import { type Entity, recordOf } from "./entity.ts";
import type { Table } from "./table.ts";
import { Refused, unlessRefused, update } from "./writes.ts";

/**
 * How long a claim lasts: longer than a consumer may run. So a claim that has expired belongs to a worker that died.
 */
const claimMs = 60_000;

/**
 * The result of an attempt to claim a record: `settled` needs no more work; `busy` means that another worker holds the
 * claim.
 */
export type Claim<Record> =
  | { readonly kind: "claimed"; readonly record: Record }
  | { readonly kind: "settled" }
  | { readonly kind: "busy" };

/** The condition that the time in a member has passed or was never set. */
export const hasPassed = (member: string, now: Date): Condition =>
  either(absent(member), is(member, null), below(member, now.toISOString()));

/** The members of records that one worker at a time processes. `claimed_until` is the end of the claim. */
type Claimable = z.ZodObject<{
  state: z.ZodType<string | null>;
  attempts: z.ZodType<number>;
  claimed_until: z.ZodType<string | null>;
}>;

/**
 * Claims a record for one minute, while it is in this state, and counts the attempt.
 *
 * @param state in which the record waits for a worker
 */
export async function claim<Schema extends Claimable, Id>(
  table: Pick<Table, "write">,
  of: Entity<Schema, Id>,
  id: Id,
  { state, now }: { state: string; now: Date },
): Promise<Claim<z.output<Schema>>> {
  const set = { claimed_until: new Date(now.getTime() + claimMs).toISOString() };
  const isFree = every(is("state", state), hasPassed("claimed_until", now));
  try {
    const row = await table.write(update(of, id, { set, add: { attempts: 1 } }, isFree));
    return { kind: "claimed", record: recordOf(of, row ?? {}) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // No row means that the record has expired.
    return { kind: error.first.conflictingItem?.["state"] === state ? "busy" : "settled" };
  }
}

/**
 * Releases a claim, so that the next attempt can start before the claim expires.
 *
 * @param set what the next attempt must know
 */
export async function releaseClaim<Schema extends Claimable, Id>(
  table: Pick<Table, "write">,
  of: Entity<Schema, Id>,
  record: Id & { readonly claimed_until: string | null },
  set: Partial<z.output<Schema>> = {},
): Promise<void> {
  const own = is("claimed_until", record.claimed_until);
  const released = { ...set, claimed_until: null };
  await unlessRefused(table.write(update(of, record, { set: released }, own)));
}
