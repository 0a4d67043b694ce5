import { hash } from "node:crypto";
import * as z from "zod";
import { hasPassed } from "./claims.ts";
import { is } from "./conditions.ts";
import { entity } from "./entity.ts";
import { type Write, put, remove } from "./writes.ts";

/** An idempotency key of a caller, scoped to one route. */
export interface IdempotencyId {
  route: string;
  caller: string;
  key: string;
}

const IdempotencyRecord = z.object({
  body_hash: z.string(),
  /** Id of the record that the request created. */
  made_id: z.string(),
  /** The compressed response, for routes that replay the first response. */
  answer: z.string().optional(),
  expires_at: z.iso.datetime(),
});
export type IdempotencyRecord = z.output<typeof IdempotencyRecord>;

/** The record that a request with an idempotency key created. Written in the same transaction as that record. */
export const Idempotency = entity({
  name: "idempotency",
  notExported: "transient",
  schema: IdempotencyRecord,
  key: ({ route, caller, key }: IdempotencyId) => ({
    pk: `IDEMPOTENCY#${hash("sha256", JSON.stringify([route, caller, key]), "base64url")}`,
    sk: "IDEMPOTENCY",
  }),
  patterns: { table: [["IDEMPOTENCY#<hash of route, caller and key>", "IDEMPOTENCY"]] },
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
});

const lifetimeMs = 24 * 3_600_000;

/** Binds a key to the created record if the key is not bound yet. The default lifetime is 24 hours. */
export function bindKey(
  id: IdempotencyId,
  made: { bodyHash: string; madeId: string; now: Date; forMs?: number; answer?: string },
): Write {
  const { bodyHash, madeId, now, answer, forMs = lifetimeMs } = made;
  const expires_at = new Date(now.getTime() + forMs).toISOString();
  return put(
    Idempotency,
    { ...id, body_hash: bodyHash, made_id: madeId, expires_at, ...(answer && { answer }) },
    hasPassed("expires_at", now),
  );
}

/** Frees a key whose request was refused after all, unless another request has bound it since. */
export const freeKey = (id: IdempotencyId, madeId: string): Write =>
  remove(Idempotency, id, is("made_id", madeId));

/** The binding of the key, unless it has expired. DynamoDB deletes expired records later. */
export function boundBy(
  record: IdempotencyRecord | undefined,
  now: Date,
): IdempotencyRecord | undefined {
  return record && Date.parse(record.expires_at) > now.getTime() ? record : undefined;
}
