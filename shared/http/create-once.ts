import { Idempotency, bindKey, boundBy } from "../storage/idempotency.ts";
import { onFresh } from "../storage/on-fresh.ts";
import type { Table } from "../storage/table.ts";
import type { Write } from "../storage/writes.ts";
import { AppError } from "./errors.ts";
import type { Call } from "./route.ts";

type CreatingCall = Pick<Call, "actor" | "ip" | "now" | "idempotencyKey" | "bodyHash">;

/**
 * Makes something, or with an `Idempotency-Key` that made something before, names that.
 *
 * @param id of what is to be made
 * @param make stores it together with the writes it is given; throws Refused when what it read no longer holds
 * @throws AppError `idempotency_key_reused`, and what `make` throws
 */
export async function createOnce(
  route: string,
  call: CreatingCall,
  table: Table,
  id: string,
  make: (binding: { write: Write }[]) => Promise<unknown>,
): Promise<{ id: string; replayed: boolean }> {
  const { actor, ip, idempotencyKey, bodyHash, now } = call;
  const caller = actor.kind === "guest" ? `ip#${ip}` : actor.id;
  const key = idempotencyKey === null ? null : { route, key: idempotencyKey, caller };

  async function madeBefore(): Promise<string | undefined> {
    if (!key) return undefined;
    const bound = boundBy(await table.get(Idempotency, key), now);
    if (bound && bound.body_hash !== bodyHash) throw new AppError("idempotency_key_reused");
    return bound?.made_id;
  }

  return onFresh(await madeBefore(), madeBefore, async (earlier) => {
    if (earlier !== undefined) return { id: earlier, replayed: true };
    try {
      await make(key ? [{ write: bindKey(key, { bodyHash, madeId: id, now }) }] : []);
      return { id, replayed: false };
    } catch (error) {
      // What stands in its way may have been made by the same key a moment ago.
      const twin = isTaken(error) ? await madeBefore() : undefined;
      if (twin === undefined) throw error;
      return { id: twin, replayed: true };
    }
  });
}

const isTaken = (error: unknown): boolean =>
  error instanceof AppError && error.code === "already_exists";

/** Headers of the answer to a POST that creates. */
export const creationHeaders = (
  path: string,
  { id, replayed }: { id: string; replayed: boolean },
): Record<string, string> => ({
  Location: `${path}/${id}`,
  ...(replayed && { "Idempotent-Replayed": "true" }),
});
