import * as z from "zod";
import { Timestamp } from "../../domain/base/text.ts";
import type { StaffUser } from "../../domain/staff/staff.ts";
import { SealedText } from "../../runtime/sealed-text.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { publishEvent } from "../outbox.ts";
import { partitionOf } from "./sessions.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/** A staff user's authenticator app. */
const SecondFactor = z.object({
  staff_id: z.string(),
  /** The app's secret, encrypted with the settings' keys. */
  sealed: SealedText,
  /** False until the user has entered a code from the app. */
  confirmed: z.boolean(),
  /** The time step of the last code used. Codes of this and earlier steps are refused. */
  last_step: z.int().min(0),
  /** Hashes of the unused recovery codes. */
  recovery_hashes: z.array(z.string()),
  /** Wrong codes since the last right one, or since the last lock ended. */
  wrong_codes: z.int().min(0).default(0),
  /** Until then no code is accepted. */
  locked_until: Timestamp.nullable().default(null),
  version: z.int().min(1),
});
export type SecondFactor = z.output<typeof SecondFactor>;

export const SecondFactors = entity({
  name: "second_factor",
  notExported: "credential",
  schema: SecondFactor,
  key: ({ staff_id }: { staff_id: string }) => ({ pk: partitionOf("staff", staff_id), sk: "TOTP" }),
});

export const findSecondFactor = (table: Table, staff_id: string) =>
  table.get(SecondFactors, { staff_id });

/** Stores a second factor, if it is unchanged since it was read. */
export function replaceSecondFactor(
  before: SecondFactor | undefined,
  after: Omit<SecondFactor, "version">,
): Write {
  return put(
    SecondFactors,
    { ...after, version: (before?.version ?? 0) + 1 },
    before ? is("version", before.version) : isNew,
  );
}

/** Deletes a second factor. Also succeeds if there is none. */
export const removeSecondFactor = (staff_id: string): Write => remove(SecondFactors, { staff_id });

/** The mail warns a user who did not change the second factor. */
export function notifyOfSecondFactor(
  { email: to, name }: StaffUser,
  change: "enrolled" | "removed" | "reset",
  now: Date,
): Write {
  const changed_at = now.toISOString();
  return publishEvent({ type: "staff_second_factor_changed", to, name, change, changed_at }, now);
}
