import type { AdmittedLogin } from "#shared/application/identity/login-attempts.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import type { Call } from "#shared/http/route.ts";
import { recordActivity, recordUnknownUser } from "#shared/storage/staff/activity.ts";
import type { Write } from "#shared/storage/writes.ts";

type SignInCall = Pick<Call, "ip" | "agent" | "requestId" | "now">;

/** What became of a login: it was let in, refused, or the limit of failed ones was reached. */
type Outcome = "staff.sign_in" | "staff.sign_in_refused" | "staff.sign_in_locked";

const longestAgent = 300;

/**
 * The records of a login in the activity log, with where it came from.
 *
 * @param user undefined where nobody has the email: as much is written then, where nobody reads it, so that storage
 *   works alike
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

/** What a refused login leaves in the log: that it was, and that it was the last before a limit refuses more. */
export const refusedOutcomes = ({ locksNow }: Pick<AdmittedLogin, "locksNow">): Outcome[] =>
  locksNow ? ["staff.sign_in_refused", "staff.sign_in_locked"] : ["staff.sign_in_refused"];
