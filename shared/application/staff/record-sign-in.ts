import type { AdmittedLogin } from "#shared/application/identity/login-attempts.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import { recordActivity, recordUnknownUser } from "#shared/storage/staff/activity.ts";
import type { Write } from "#shared/storage/writes.ts";

interface SignInCall {
  readonly ip: string;
  readonly agent: string | null;
  readonly requestId: string;
  readonly now: Date;
}

/** Outcome of a login: signed in, refused, or the limit of failed logins was reached. */
type Outcome = "staff.sign_in" | "staff.sign_in_refused" | "staff.sign_in_locked";

const longestAgent = 300;

/**
 * Activity log records of a login, with its IP address and user agent.
 *
 * @param user undefined for an unknown email. In that case the writes store a record of the same kind that nobody
 *   reads. So the response time does not reveal whether the user exists
 */
export function signInRecords(
  user: Pick<StaffUser, "id" | "name"> | undefined,
  outcomes: readonly Outcome[],
  { ip, agent, requestId, now }: SignInCall,
  reason?: "credentials" | "code_missing" | "code_wrong",
): Write[] {
  const browser = agent?.slice(0, longestAgent) ?? null;
  const after = { address: ip, agent: browser, ...(reason && { reason }) };
  return outcomes.map((outcome) => {
    if (!user) return recordUnknownUser({ requestId, now }, outcome, after);
    const target = { kind: "staff", id: user.id, label: user.name };
    return recordActivity({ actor: user, requestId, now }, outcome, target, { after });
  });
}

/** Outcomes to record for a refused login: the refusal, and the lock if this failure reaches the limit. */
export const refusedOutcomes = ({ locksNow }: Pick<AdmittedLogin, "locksNow">): Outcome[] =>
  locksNow ? ["staff.sign_in_refused", "staff.sign_in_locked"] : ["staff.sign_in_refused"];
