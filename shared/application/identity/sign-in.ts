import { newId } from "../../domain/base/ids.ts";
import { callerOf } from "../../auth/rate-limit.ts";
import { rememberAddress } from "../../storage/customer/known-addresses.ts";
import { startSession } from "../../storage/staff/sessions.ts";
import type { Write } from "../../storage/writes.ts";
import type { Guard } from "../../domain/request/identity.ts";
import type { KeySource } from "../../runtime/key-ring.ts";
import { mintToken } from "../../auth/tokens.ts";

const longestAgent = 300;

/** Where and when somebody signs in. */
interface SignInPlace {
  readonly ip: string;
  readonly agent?: string | null;
  readonly now: Date;
  /** In seconds; that of the guard unless given. */
  readonly lifetime?: number;
}

/**
 * A token and the session it stands on. The token is good once `writes` are stored, in a transaction of their own or
 * in the one that makes the account. The address may sign in again whatever strangers do.
 *
 * @throws Unavailable when there is no key to sign with
 */
export async function signIn(
  who: { guard: Guard; subject: string; epoch: number; role: string | null },
  keys: KeySource,
  { ip, agent, now, lifetime }: SignInPlace,
): Promise<{ token: string; expires_at: string; session: string; writes: Write[] }> {
  const { guard, subject, epoch, role } = who;
  const session = newId("ses", now);
  const { token, expires_at } = await mintToken(
    { guard, subject, session, role },
    keys,
    now,
    lifetime,
  );
  const writes = [
    startSession(
      { guard, subject, session },
      {
        epoch,
        created_at: now.toISOString(),
        expires_at,
        // Staff may look through their sessions; of customers no more is kept than is needed.
        address: guard === "staff" ? ip : null,
        agent: guard === "staff" ? (agent?.slice(0, longestAgent) ?? null) : null,
      },
    ),
    rememberAddress({ guard, subject, address: callerOf(ip) }, now),
  ];
  return { token, expires_at, session, writes };
}
