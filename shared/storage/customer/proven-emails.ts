import { ProvenEmail } from "../../domain/customer/customer.ts";
import type { Log } from "../../runtime/log.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

export const ProvenEmails = entity({
  name: "proven_email",
  notExported: "personal",
  schema: ProvenEmail,
  key: ({ email }: { email: string }) => ({ pk: `PROVENEMAIL#${email}`, sk: "PROVENEMAIL" }),
});

export const isEmailProven = async (table: Pick<Table, "get">, email: string): Promise<boolean> =>
  (await table.get(ProvenEmails, { email })) !== undefined;

/** Stores that an address is proven. A failure is logged, because the caller's own answer does not depend on it. */
export async function proveEmail(
  { table, log }: { table: Pick<Table, "get" | "write">; log: Pick<Log, "error"> },
  email: string,
  now: Date,
): Promise<void> {
  try {
    if (await isEmailProven(table, email)) return;
    await table.write(put(ProvenEmails, { email, proven_at: now.toISOString() }));
  } catch (cause) {
    log.error("Proof of an email not stored", { cause });
  }
}

/** Deletes the proof of an address. Also succeeds if there is none. */
export const removeEmailProof = (email: string): Write => remove(ProvenEmails, { email });
