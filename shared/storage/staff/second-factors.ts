import * as z from "zod";
import { SealedText } from "../../runtime/sealed-text.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { partitionOf } from "./sessions.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/** A staff user's authenticator app. */
const SecondFactor = z.object({
  staff_id: z.string(),
  /** The app's secret, encrypted with the settings' keys. */
  sealed: SealedText,
  /** False until the user has shown a code of the app. */
  confirmed: z.boolean(),
  /** The time step of the newest code that was used: it and those before count no more. */
  last_step: z.int().min(0),
  /** Hashes of the recovery codes that are left. */
  recovery_hashes: z.array(z.string()),
  version: z.int().min(1),
});
export type SecondFactor = z.output<typeof SecondFactor>;

export const SecondFactors = entity({
  name: "second_factor",
  schema: SecondFactor,
  key: ({ staff_id }: { staff_id: string }) => ({ pk: partitionOf("staff", staff_id), sk: "TOTP" }),
});

export const findSecondFactor = (table: Table, staff_id: string) =>
  table.get(SecondFactors, { staff_id });

/** Stores a second factor over the one that was read; refused when somebody wrote it since. */
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

/** Takes a second factor away. That there is none does no harm. */
export const removeSecondFactor = (staff_id: string): Write => remove(SecondFactors, { staff_id });
