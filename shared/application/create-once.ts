import { gunzipSync, gzipSync } from "node:zlib";
import {
  Idempotency,
  type IdempotencyId,
  type IdempotencyRecord,
  bindKey,
  freeKey,
} from "../storage/idempotency.ts";
import type { Table } from "../storage/table.ts";
import type { Write } from "../storage/writes.ts";
import { earlierUse, once } from "./once.ts";
import { locationHeaders, replayHeaders } from "#shared/domain/request/api-path.ts";
import type { AppError } from "#shared/domain/request/app-error.ts";
import type { Actor } from "../domain/request/identity.ts";

export interface CreatingCall {
  readonly actor: Actor;
  readonly ip: string;
  readonly now: Date;
  /** Null if the caller sent no key. */
  readonly idempotencyKey: string | null;
  readonly bodyHash: string;
}

/**
 * The writes that bind the caller's idempotency key to the new record, for the transaction that creates it; empty if
 * the caller sent no key.
 */
export type Binding = Write[];

/** The id of the new record, and the route for which the caller's idempotency key is valid. */
interface Creation {
  readonly route: string;
  readonly id: string;
  /** As in `once`. */
  readonly mayMeanDone?: (error: AppError) => boolean;
}

/**
 * Creates a record once. If the `Idempotency-Key` was used before, `createOnce` returns the existing record's id
 * instead, and the route responds with the record's current state.
 *
 * @param make stores the record together with the writes it receives; throws Refused on a conflict
 * @throws AppError `idempotency_key_reused`, and what `make` throws
 */
export async function createOnce(
  { route, id, mayMeanDone }: Creation,
  call: CreatingCall,
  table: Table,
  make: (binding: Binding) => Promise<unknown>,
): Promise<{ id: string; replayed: boolean }> {
  return onceByKey<undefined, { id: string; replayed: boolean }>(route, call, table, {
    ...(mayMeanDone && { mayMeanDone }),
    async make(key) {
      await make(key ? [bindKey(key, { ...boundOf(call), madeId: id })] : []);
      return { id, replayed: false };
    },
    replay: async ({ made_id }) => ({ id: made_id, replayed: true }),
  });
}

interface AnsweredCreation<Read> extends Creation {
  /** The path of the record by its id, below the API prefix; left out by a call that creates no record. */
  at?(id: string): string;
  /**
   * The stored data that the creation depends on: `first` was read before the first attempt, and `again` reads it for
   * each later attempt.
   */
  readonly known?: { readonly first: Read; again(): Promise<Read> };
}

/** The response to a creation. */
interface Created<Data> {
  data: Data;
  version?: number;
}

/**
 * Creates a record for staff and responds with it. If the `Idempotency-Key` was used before, the first response is
 * replayed, even if the record has changed since.
 *
 * @param make stores the record together with the writes that `bind` returns for its response; throws Refused on a
 * conflict
 * @throws AppError `idempotency_key_reused`, and what `make` throws
 */
export async function answerOnce<Data, Read = undefined>(
  { route, id, at, known, mayMeanDone }: AnsweredCreation<Read>,
  call: CreatingCall,
  table: Table,
  make: (bind: (answer: Created<Data>) => Binding, read: Read) => Promise<Created<Data>>,
): Promise<Created<Data> & { headers: Record<string, string> }> {
  const headersOf = (created: string, replayed: boolean): Record<string, string> =>
    at ? locationHeaders(at(created), replayed) : replayHeaders(replayed);
  return onceByKey(route, call, table, {
    known,
    ...(mayMeanDone && { mayMeanDone }),
    async make(key, read) {
      const bind = (created: Created<Data>) =>
        key ? [bindKey(key, { ...boundOf(call), madeId: id, answer: packed(created) })] : [];
      const answer = await make(bind, read);
      return { ...answer, headers: headersOf(id, false) };
    },
    replay: async (record) => ({
      // An earlier call of the same route stored this response, so it has the type of the route's responses.
      ...(unpacked(record) as Created<Data>),
      headers: headersOf(record.made_id, true),
    }),
  });
}

const boundOf = ({ bodyHash, now }: CreatingCall) => ({ bodyHash, now });

type KeyedCall = Pick<CreatingCall, "actor" | "ip" | "idempotencyKey">;

function keyOf(route: string, { actor, ip, idempotencyKey }: KeyedCall): IdempotencyId | null {
  const caller = actor.kind === "guest" ? `ip#${ip}` : actor.id;
  return idempotencyKey === null ? null : { route, key: idempotencyKey, caller };
}

/**
 * The writes that free the caller's idempotency key for another attempt, refused if it is bound to another record. Only
 * successful requests bind a key.
 */
export function unbound(route: string, call: KeyedCall, madeId: string): Write[] {
  const key = keyOf(route, call);
  return key ? [freeKey(key, madeId)] : [];
}

/** Runs a creation unless the caller's key was used before. */
async function onceByKey<Read, Result>(
  route: string,
  call: CreatingCall,
  table: Table,
  creation: {
    readonly known?: AnsweredCreation<Read>["known"];
    readonly mayMeanDone?: (error: AppError) => boolean;
    make(key: IdempotencyId | null, read: Read): Promise<Result>;
    replay(earlier: IdempotencyRecord): Promise<Result>;
  },
): Promise<Result> {
  const key = keyOf(route, call);
  const { known, mayMeanDone } = creation;
  const usedBefore = async () => (key ? table.get(Idempotency, key) : undefined);
  return once({
    first: { used: await usedBefore(), read: async () => known?.first },
    readAgain: async () => ({ used: await usedBefore(), read: async () => known?.again() }),
    earlier: ({ used }) => earlierUse(used, call),
    // `read` is undefined only for a creation without `known`, whose `Read` is undefined too.
    make: async ({ read }) => creation.make(key, (await read()) as Read),
    replay: creation.replay,
    ...(mayMeanDone && { mayMeanDone }),
  });
}

/** Compresses a response, because responses with large records would exceed DynamoDB's 400 KB per item. */
const packed = (answer: unknown): string => gzipSync(JSON.stringify(answer)).toString("base64");

function unpacked({ answer }: IdempotencyRecord): unknown {
  if (answer === undefined) throw new TypeError("The idempotency record has no response");
  return JSON.parse(gunzipSync(Buffer.from(answer, "base64")).toString("utf8"));
}
