import { newId } from "../domain/ids.ts";
import { startSession } from "../storage/sessions.ts";
import type { Write } from "../storage/writes.ts";
import type { Guard } from "./claims.ts";
import type { KeySource } from "./key-rings.ts";
import { mintToken } from "./tokens.ts";

/**
 * A token and the session it stands on. The token is good once `write` is stored, by itself or in the
 * transaction that makes the account.
 *
 * @param lifetime in seconds; that of the guard unless given
 * @throws Unavailable when there is no key to sign with
 */
export async function signIn(
  who: { guard: Guard; subject: string; epoch: number; role: string | null },
  keys: KeySource,
  now: Date,
  lifetime?: number,
): Promise<{ token: string; expires_at: string; session: string; write: Write }> {
  const { guard, subject, epoch, role } = who;
  const session = newId("ses", now);
  const { token, expires_at } = await mintToken(
    { guard, subject, session, role },
    keys,
    now,
    lifetime,
  );
  const write = startSession(
    { guard, subject, session },
    { epoch, created_at: now.toISOString(), expires_at },
  );
  return { token, expires_at, session, write };
}
