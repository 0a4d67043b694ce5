import { hash } from "node:crypto";
import * as z from "zod";
import type { Guard } from "../../domain/request/identity.ts";
import { Email, Timestamp } from "../../domain/base/text.ts";
import { isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

export const ProofPurpose = z.enum(["verify_email", "reset_password"]);
export type ProofPurpose = z.output<typeof ProofPurpose>;

const Proof = z.object({
  purpose: ProofPurpose,
  guard: z.enum(["customer", "staff"]) satisfies z.ZodType<Guard>,
  /** Id of the customer or staff user; for marketing mail, what the link confirms. */
  subject: z.string(),
  /** The address that the link was mailed to, and that it proves. */
  email: Email,
  /**
   * The account's `session_epoch` when the token was created. A new password raises it, so the token becomes invalid.
   * For a subscription it is the subscription's own `epoch`.
   */
  epoch: z.int().min(1),
  expires_at: Timestamp,
});
export type Proof = z.output<typeof Proof>;

/** The action that the token of a mailed link allows. The token itself is only in the mail. */
export const Proofs = entity({
  name: "proof",
  notExported: "credential",
  schema: Proof,
  key: ({ token_hash }: { token_hash: string }) => ({ pk: `PROOF#${token_hash}`, sk: "PROOF" }),
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
});

const named = (token: string) => ({ token_hash: hash("sha256", token, "base64url") });

export function keepProof(token: string, proof: Proof): Write {
  return put(Proofs, { ...named(token), ...proof }, isNew);
}

/**
 * Spends a token. The write is refused if the token was spent before. Include it in the transaction that the token
 * allows.
 */
export function spendProof(token: string): Write {
  return remove(Proofs, named(token), present("pk"));
}

/** The valid proof of a token; undefined if it is unknown, spent, expired or for another purpose. */
export async function findProof(
  table: Table,
  token: string,
  { purpose, guard }: Pick<Proof, "purpose" | "guard">,
  now: Date,
): Promise<Proof | undefined> {
  const proof = await table.get(Proofs, named(token));
  const counts =
    proof?.purpose === purpose &&
    proof.guard === guard &&
    Date.parse(proof.expires_at) > now.getTime();
  return counts ? proof : undefined;
}
