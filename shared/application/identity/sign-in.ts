import { newId } from "../../domain/base/ids.ts";
import { callerOf } from "../../auth/rate-limit.ts";
import { rememberAddress } from "../../storage/customer/known-addresses.ts";
import { startSession } from "../../storage/staff/sessions.ts";
import type { Write } from "../../storage/writes.ts";
import type { Guard } from "../../domain/request/identity.ts";
import type { KeySource } from "../../runtime/key-ring.ts";
import { mintToken } from "../../auth/tokens.ts";

/** Of a browser's `User-Agent`, so many characters are kept. */
export const longestAgent = 300;

/** The IP address, browser and time of a sign-in. */
interface SignInContext {
  readonly ip: string;
  readonly agent?: string | null;
  readonly now: Date;
  /** In seconds; defaults to the usual token lifetime of the guard. */
  readonly lifetime?: number;
}

/**
 * Creates a session and its token. The token is valid once `writes` are stored, alone or in the transaction that
 * creates the account. The writes also make the IP address a known address of the account, so that strangers' failed
 * logins cannot lock its owner out.
 *
 * @throws Unavailable when there is no signing key
 */
export async function signIn(
  who: { guard: Guard; subject: string; epoch: number; role: string | null },
  keys: KeySource,
  { ip, agent, now, lifetime }: SignInContext,
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
        // Staff see address and browser in the list of their sessions. Customers have no such list, so neither is
        // stored for them.
        address: guard === "staff" ? ip : null,
        agent: guard === "staff" ? (agent?.slice(0, longestAgent) ?? null) : null,
      },
    ),
    rememberAddress({ guard, subject, address: callerOf(ip) }, now),
  ];
  return { token, expires_at, session, writes };
}
