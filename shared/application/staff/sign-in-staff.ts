import type { Shop } from "#shared/application/shop.ts";
import { requireCredentials } from "#shared/application/identity/check-credentials.ts";
import type { AdmittedLogin } from "#shared/application/identity/login-attempts.ts";
import { longestAgent, signIn } from "#shared/application/identity/sign-in.ts";
import type { Admission } from "#shared/auth/rate-limit.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import type { Role, RoleCode } from "#shared/domain/staff/role.ts";
import type { StaffLoginInput } from "#shared/domain/staff/second-factor.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import { uncount } from "#shared/storage/rate-counters.ts";
import { at } from "#shared/storage/reads.ts";
import { recordActivity, recordUnknownUser } from "#shared/storage/staff/activity.ts";
import { openRoles, Roles } from "#shared/storage/staff/roles.ts";
import { Staff, type StaffEmailClaim } from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import type * as z from "zod";
import { useCode, wrongCode } from "./use-second-factor.ts";

type SignInStaffShop = Shop<"table" | "rates" | "settingsKeys" | "staffKeys">;

interface LoginCall {
  readonly body: z.output<typeof StaffLoginInput>;
  readonly ip: string;
  readonly agent: string | null;
  readonly requestId: string;
  readonly now: Date;
  /** The count of the request against the limit of its IP address. */
  readonly admission: Admission | undefined;
}

interface ReadForLogin {
  /** The claim of the email in the request. */
  readonly claim: StaffEmailClaim | undefined;
  readonly security: AllSettings["security"];
}

interface SignedInUser {
  readonly token: string;
  readonly expires_at: string;
  readonly user: StaffUser;
  readonly permissions: readonly string[];
}

/**
 * Signs a staff user in. Each outcome is recorded in the activity log.
 *
 * @throws AppError `validation_failed` on `email` or `code`, `second_factor_required`, `too_many_requests`
 */
export async function signInStaffUser(
  call: LoginCall,
  { claim, security }: ReadForLogin,
  shop: SignInStaffShop,
): Promise<SignedInUser> {
  const { body, ip, agent, now } = call;
  const { rates, staffKeys: keys, table } = shop;
  let roleOfClaim: Role | undefined;
  const { account: user, admission } = await requireCredentials(
    body,
    {
      claim,
      async find(id) {
        const found = await findWithRole(id, claim?.role ?? "owner", table);
        roleOfClaim = found.role;
        return found.user;
      },
      refused: (admitted, found) =>
        table.transact(signInRecords(found, refusedOutcomes(admitted), call, "credentials")),
    },
    { guard: "staff", ip, rates, table, now },
  );
  const { id: subject, session_epoch: epoch, role } = user;
  const lifetime = security.staff_session_hours * 3_600;
  const who = { guard: "staff", subject, epoch, role } as const;
  const { token, expires_at, writes } = await signIn(who, keys, { ip, agent, now, lifetime });
  const counters = [...admission.counters, ...(call.admission?.takeCounters() ?? [])];
  const effect: SignInEffect = {
    writes: [...writes, ...uncount(counters), ...signInRecords(user, ["staff.sign_in"], call)],
    refused: (reason) =>
      table.transact(signInRecords(user, refusedOutcomes(admission), call, reason)),
  };
  const [{ permissions }] = await Promise.all([
    roleOfClaim?.code === role ? roleOfClaim : openRoles(table).get(role),
    storeSignIn(user, call, effect, shop),
  ]);
  return { token, expires_at, user, permissions };
}

/** Reads a user and a role in one request. For an unknown email it reads as much, so that timing does not reveal it. */
async function findWithRole(
  id: string,
  code: RoleCode,
  { getMany }: Pick<Table, "getMany">,
): Promise<{ user: StaffUser | undefined; role: Role | undefined }> {
  const { users, roles } = await getMany({
    users: [at(Staff, { id })],
    roles: [at(Roles, { code })],
  });
  return { user: users[0], role: roles[0] };
}

interface SignInEffect {
  readonly writes: readonly Write[];
  refused(reason: "code_missing" | "code_wrong"): Promise<void>;
}

/** Stores a sign-in together with the use of the second factor's code, if the user has one. */
async function storeSignIn(
  user: StaffUser,
  { body: { code }, requestId, now }: LoginCall,
  { writes, refused }: SignInEffect,
  shop: SignInStaffShop,
): Promise<void> {
  if (user.second_factor_at === null) {
    await shop.table.transact(writes);
    return;
  }
  if (code === undefined) {
    await refused("code_missing");
    throw new AppError("second_factor_required");
  }
  if (!(await useCode(user, code, shop, { requestId, now, writes }))) {
    await refused("code_wrong");
    throw wrongCode();
  }
}

/** Outcome of a login: signed in, refused, or the limit of failed logins was reached. */
type Outcome = "staff.sign_in" | "staff.sign_in_refused" | "staff.sign_in_locked";

/**
 * Activity log records of a login, with its IP address and user agent.
 *
 * @param user undefined for an unknown email. In that case the writes store a record of the same kind that nobody
 *   reads. So the response time does not reveal whether the user exists
 */
function signInRecords(
  user: Pick<StaffUser, "id" | "name"> | undefined,
  outcomes: readonly Outcome[],
  { ip, agent, requestId, now }: LoginCall,
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
const refusedOutcomes = ({ locksNow }: Pick<AdmittedLogin, "locksNow">): Outcome[] =>
  locksNow ? ["staff.sign_in_refused", "staff.sign_in_locked"] : ["staff.sign_in_refused"];
