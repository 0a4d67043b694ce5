import { gunzipSync, gzipSync } from "node:zlib";
import {
  Idempotency,
  type IdempotencyId,
  type IdempotencyRecord,
  bindKey,
  boundBy,
} from "../storage/idempotency.ts";
import { retryOnConflict } from "../storage/retry-on-conflict.ts";
import type { Table } from "../storage/table.ts";
import type { Write } from "../storage/writes.ts";
import { AppError } from "../domain/request/app-error.ts";
import { locationHeaders } from "./location.ts";
import type { Actor } from "../domain/request/identity.ts";

interface CreatingCall {
  readonly actor: Actor;
  readonly ip: string;
  readonly now: Date;
  /** Null if the caller sent none. */
  readonly idempotencyKey: string | null;
  readonly bodyHash: string;
}

/**
 * The writes that bind the caller's key, for the transaction that creates the record; none if the caller sent no key.
 */
export type Binding = Write[];

/**
 * Creates a record once. If the `Idempotency-Key` was used before, it returns the existing record's id instead, and
 * the caller answers with the record's current state.
 *
 * @param id of the record to create
 * @param make stores the record together with the writes it receives; throws Refused on a conflict
 * @throws AppError `idempotency_key_reused`, and what `make` throws
 */
export async function createOnce(
  route: string,
  call: CreatingCall,
  table: Table,
  id: string,
  make: (binding: Binding) => Promise<unknown>,
): Promise<{ id: string; replayed: boolean }> {
  const { record } = await once(route, call, table, (key) =>
    make(key ? [bindKey(key, { ...boundOf(call), madeId: id })] : []),
  );
  return { id: record?.made_id ?? id, replayed: record !== undefined };
}

/** The response to a creation. */
interface Created<Data> {
  data: Data;
  version?: number;
}

/**
 * Creates a record and answers with it. If the `Idempotency-Key` was used before, it replays the first response, even
 * if the record has changed since. For creations by staff.
 *
 * @param of.at the path of a record by its id, below the API prefix
 * @param make stores the record together with the writes that `bind` returns for its response; throws Refused on a
 * conflict
 * @throws AppError `idempotency_key_reused`, and what `make` throws
 */
export async function answerOnce<Data>(
  of: { route: string; id: string; at: (id: string) => string },
  call: CreatingCall,
  table: Table,
  make: (bind: (answer: Created<Data>) => Binding) => Promise<Created<Data>>,
): Promise<Created<Data> & { headers: Record<string, string> }> {
  const { record, result } = await once(of.route, call, table, (key) =>
    make((answer) => {
      if (!key) return [];
      const bound = { ...boundOf(call), madeId: of.id, answer: packed(answer) };
      return [bindKey(key, bound)];
    }),
  );
  const answer = (record ? unpacked(record) : result) as Created<Data>;
  const path = of.at(record?.made_id ?? of.id);
  return { ...answer, headers: locationHeaders(path, record !== undefined) };
}

const boundOf = ({ bodyHash, now }: CreatingCall) => ({ bodyHash, now });

/** Runs the creation unless the caller's key was used before. */
async function once<Result>(
  route: string,
  call: CreatingCall,
  table: Table,
  make: (key: IdempotencyId | null) => Promise<Result>,
): Promise<{ record?: IdempotencyRecord; result?: Result }> {
  const { actor, ip, idempotencyKey, bodyHash, now } = call;
  const caller = actor.kind === "guest" ? `ip#${ip}` : actor.id;
  const key = idempotencyKey === null ? null : { route, key: idempotencyKey, caller };

  async function findExisting(): Promise<IdempotencyRecord | undefined> {
    if (!key) return undefined;
    const bound = boundBy(await table.get(Idempotency, key), now);
    if (bound && bound.body_hash !== bodyHash) throw new AppError("idempotency_key_reused");
    return bound;
  }

  return retryOnConflict(await findExisting(), findExisting, async (earlier) => {
    if (earlier !== undefined) return { record: earlier };
    try {
      return { result: await make(key) };
    } catch (error) {
      // The conflicting item may have been created a moment ago with the same key.
      const existing = isTaken(error) ? await findExisting() : undefined;
      if (existing === undefined) throw error;
      return { record: existing };
    }
  });
}

const isTaken = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === "already_exists" || error.code === "version_mismatch");

/** Packed, because responses with large records would exceed DynamoDB's 400 KB per item. */
const packed = (answer: unknown): string => gzipSync(JSON.stringify(answer)).toString("base64");

function unpacked({ answer }: IdempotencyRecord): unknown {
  if (answer === undefined) throw new TypeError("The idempotency key is bound to no answer");
  return JSON.parse(gunzipSync(Buffer.from(answer, "base64")).toString("utf8"));
}
