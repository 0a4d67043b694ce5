import { hash } from "node:crypto";
import * as z from "zod";
import { below, either, isNew } from "./conditions.ts";
import { entity } from "./entity.ts";
import { type Write, put } from "./writes.ts";

/** A key that a caller chose, within one route. */
export interface IdempotencyId {
  route: string;
  caller: string;
  key: string;
}

const IdempotencyRecord = z.object({
  body_hash: z.string(),
  /** Id of what the call made. */
  made_id: z.string(),
  /** The packed answer, where a repetition gets that of the first call. */
  answer: z.string().optional(),
  expires_at: z.iso.datetime(),
});
export type IdempotencyRecord = z.output<typeof IdempotencyRecord>;

/** What a key was used for. Written together with what it names, never before. */
export const Idempotency = entity({
  name: "idempotency",
  schema: IdempotencyRecord,
  key: ({ route, caller, key }: IdempotencyId) => ({
    pk: `IDEMPOTENCY#${hash("sha256", JSON.stringify([route, caller, key]), "base64url")}`,
    sk: "IDEMPOTENCY",
  }),
  patterns: { table: [["IDEMPOTENCY#<hash of route, caller and key>", "IDEMPOTENCY"]] },
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
});

const lifetimeMs = 24 * 3_600_000;

/** Binds a key to what the call makes, for a day unless said, if it is not bound already. */
export function bindKey(
  id: IdempotencyId,
  made: { bodyHash: string; madeId: string; now: Date; forMs?: number; answer?: string },
): Write {
  const { bodyHash, madeId, now, answer, forMs = lifetimeMs } = made;
  const expires_at = new Date(now.getTime() + forMs).toISOString();
  return put(
    Idempotency,
    { ...id, body_hash: bodyHash, made_id: madeId, expires_at, ...(answer && { answer }) },
    either(isNew, below("expires_at", now.toISOString())),
  );
}

/** What the key is bound to at present; the table deletes expired records some day. */
export function boundBy(
  record: IdempotencyRecord | undefined,
  now: Date,
): IdempotencyRecord | undefined {
  return record && Date.parse(record.expires_at) > now.getTime() ? record : undefined;
}
