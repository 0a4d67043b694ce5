import { gunzipSync, gzipSync } from "node:zlib";
import { locationHeaders, replayHeaders } from "../domain/request/api-path.ts";
import { AppError } from "../domain/request/app-error.ts";
import type { Actor } from "../domain/request/identity.ts";
import {
  Idempotency,
  type IdempotencyId,
  type IdempotencyRecord,
  bindKey,
  boundBy,
  freeKey,
} from "../storage/idempotency.ts";
import { retryOnConflict } from "../storage/retry-on-conflict.ts";
import type { Table } from "../storage/table.ts";
import type { Write } from "../storage/writes.ts";

/** A call that may have an idempotency key. */
export interface CreatingCall {
  readonly actor: Actor;
  readonly ip: string;
  readonly now: Date;
  /** Null if the caller sent no key. */
  readonly idempotencyKey: string | null;
  readonly bodyHash: string;
}

/** A request whose effect happens once, however often it is sent. */
interface OnceRequest<Read, Result> {
  /** The route for which the caller's key is valid. */
  readonly route: string;
  /** Id of the record that the request creates. */
  readonly id: string;
  /** The path of the record by its id, below the API prefix; left out by a call that creates no record. */
  at?(id: string): string;
  /**
   * The response to a repeated request: the first answer, even if the record has changed since, or what this function
   * reads of the record by its id.
   */
  readonly replay: "answer" | ((id: string) => Promise<Result>);
  /**
   * The stored data that the effect depends on: `first` was read before the first attempt, and `again` reads it for each
   * later attempt.
   */
  readonly known?: { readonly first: Read; again(): Promise<Read> };
  /** A key that is not scoped to route and caller, with its record in what was read. */
  readonly key?: {
    readonly id: IdempotencyId | null;
    used(read: Read): IdempotencyRecord | undefined;
  };
  /** Id of the record of an earlier request that is recognized without the key. */
  earlier?(read: Read): string | undefined;
  /**
   * Whether the error may mean that a concurrent identical request has succeeded. The slower of two such requests finds
   * the slug taken or the version changed by the faster one. Default: `already_exists` and `version_mismatch`.
   */
  mayMeanDone?(error: AppError): boolean;
}

/** The writes that bind the caller's key to the new record; empty if the caller sent no key. */
export type Bind<Result> = (answer?: Result) => Write[];

/** An answer that is replayed. */
export interface Answered<Data> {
  readonly data: Data;
  readonly version: number;
}

/** What a request has made, or an earlier one with its key. */
export type Once<Result> = Result & {
  readonly id: string;
  readonly replayed: boolean;
  readonly headers: Record<string, string>;
};

/**
 * Runs a request once per idempotency key. Repeated and concurrent identical requests get the result that `replay` says.
 *
 * @param make stores the effect in one transaction with the writes of `bind`, which takes the answer where it is
 *   replayed; throws Refused on a conflict
 * @throws AppError `idempotency_key_reused` if the earlier request had another body, and what `make` throws
 */
export async function once<Result extends object, Read = undefined>(
  request: OnceRequest<Read, Result>,
  call: CreatingCall,
  table: Pick<Table, "get">,
  make: (bind: Bind<Result>, read: Read) => Promise<Result>,
): Promise<Once<Result>> {
  const { route, id, at, replay, known, earlier, mayMeanDone = isTaken } = request;
  const { bodyHash, now } = call;
  const key = request.key ? request.key.id : keyOf(route, call);
  const bind: Bind<Result> = (answer) => {
    const made = { bodyHash, now, madeId: id };
    if (!key) return [];
    return [bindKey(key, replay === "answer" ? { ...made, answer: packed(answer) } : made)];
  };
  const onceOf = (result: Result, made: string, replayed: boolean): Once<Result> => ({
    ...result,
    id: made,
    replayed,
    headers: at ? locationHeaders(at(made), replayed) : replayHeaders(replayed),
  });
  async function seen(read: Read) {
    if (request.key) return { read, used: request.key.used(read) };
    return { read, used: key ? await table.get(Idempotency, key) : undefined };
  }
  // Only a request without `known` has no data, and its `Read` is undefined.
  const seenAgain = async () => seen((await known?.again()) as Read);

  async function repeated({ read, used }: Awaited<ReturnType<typeof seen>>) {
    const bound = boundBy(used, now);
    if (bound && bound.body_hash !== bodyHash) throw new AppError("idempotency_key_reused");
    const made = bound?.made_id ?? earlier?.(read);
    if (made === undefined) return undefined;
    // An earlier call of the same route stored the answer, so it has the type of the route's answers.
    const result = replay === "answer" ? (unpacked(bound) as Result) : await replay(made);
    return onceOf(result, made, true);
  }

  return retryOnConflict(await seen(known?.first as Read), seenAgain, async (current) => {
    const before = await repeated(current);
    if (before) return before;
    try {
      return onceOf(await make(bind, current.read), id, false);
    } catch (error) {
      if (!(error instanceof AppError) || !mayMeanDone(error)) throw error;
      const concurrent = await repeated(await seenAgain());
      if (!concurrent) throw error;
      return concurrent;
    }
  });
}

const isTaken = ({ code }: AppError): boolean =>
  code === "already_exists" || code === "version_mismatch";

function keyOf(
  route: string,
  { actor, ip, idempotencyKey }: Pick<CreatingCall, "actor" | "ip" | "idempotencyKey">,
): IdempotencyId | null {
  const caller = actor.kind === "guest" ? `ip#${ip}` : actor.id;
  return idempotencyKey === null ? null : { route, key: idempotencyKey, caller };
}

/**
 * The writes that free the caller's key for another attempt, refused if it is bound to another record. Only successful
 * requests bind a key.
 */
export function unbound(route: string, call: CreatingCall, madeId: string): Write[] {
  const key = keyOf(route, call);
  return key ? [freeKey(key, madeId)] : [];
}

/** Compresses an answer, because answers with large records would exceed DynamoDB's 400 KB per item. */
const packed = (answer: unknown): string => gzipSync(JSON.stringify(answer)).toString("base64");

function unpacked(record: IdempotencyRecord | undefined): unknown {
  if (record?.answer === undefined) throw new TypeError("The idempotency record has no answer");
  return JSON.parse(gunzipSync(Buffer.from(record.answer, "base64")).toString("utf8"));
}
