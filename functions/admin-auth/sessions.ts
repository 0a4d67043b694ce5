import * as z from "zod";
import { requireCredentials } from "#shared/application/identity/credentials.ts";
import { signIn } from "#shared/application/identity/sign-in.ts";
import { StaffLoginInput } from "#shared/domain/staff/second-factor.ts";
import { StaffProfile, type StaffUser } from "#shared/domain/staff/staff.ts";
import { Timestamp } from "#shared/domain/base/text.ts";
import { sessionOf } from "#shared/domain/request/identity.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { type Call, anyone, route, staffBeforeEnrolment } from "#shared/http/route.ts";
import { endSession } from "#shared/storage/staff/sessions.ts";
import type { Write } from "#shared/storage/writes.ts";
import { requireUser, useCode, wrongCode } from "#shared/application/staff/use-second-factor.ts";
import { profileOf } from "./caller.ts";
import type { Deps } from "./deps.ts";
import { refusedOutcomes, signInRecords } from "#shared/application/staff/record-sign-in.ts";

const SignedIn = z.object({
  token: z.string().meta({ description: "Send it as `Authorization: Bearer …`" }),
  token_type: z.literal("Bearer"),
  expires_at: Timestamp,
  user: StaffProfile,
});

export const logIn = route({
  method: "POST",
  path: "/admin/auth/login",
  summary: "Sign in to the back office",
  description:
    "A wrong password, an unknown email and a disabled user get the same response with the same " +
    "timing. Failed logins are limited per IP address, and per account and IP address. After many " +
    "failures an account accepts logins only from IP addresses of earlier logins. A completed " +
    "password reset lifts the limits of the account. A user with a second factor also sends its " +
    "`code`; without it a correct password returns 401 `second_factor_required` and counts as a failure. The " +
    "settings determine how long the token is valid. It is not accepted by customer routes.",
  access: anyone,
  limit: "login",
  parsesEarly: true,
  request: {
    body: StaffLoginInput.meta({
      example: { email: "owner@demo.test", password: "owner-demo-password" },
    }),
  },
  response: { status: 200, data: SignedIn, headers: ["ETag"] },
  errors: ["second_factor_required"],
  first: ({ body }, { staff, settings }: Deps) =>
    Promise.all([staff.findEmail(body.email), settings.current()]),
  async handle(call, deps) {
    const { body, ip, agent, now } = call;
    const [claim, { security }] = call.first;
    const { rates, keys, roles, staff, table } = deps;
    const { account: user, admission } = await requireCredentials(
      body,
      {
        claim,
        find: staff.find,
        refused: (admitted, found) =>
          table.transact(signInRecords(found, refusedOutcomes(admitted), call, "credentials")),
      },
      { guard: "staff", ip, rates, table, now },
    );
    const { id: subject, session_epoch: epoch, role } = user;
    const lifetime = security.staff_session_hours * 3_600;
    const who = { guard: "staff", subject, epoch, role } as const;
    const session = await signIn(who, keys, { ip, agent, now, lifetime });
    const writes = [...session.writes, ...signInRecords(user, ["staff.sign_in"], call)];
    const refused = (reason: "code_missing" | "code_wrong") =>
      table.transact(signInRecords(user, refusedOutcomes(admission), call, reason));
    const succeeded = () => Promise.all([admission.succeeded(), call.admission?.succeeded()]);
    const [{ permissions }] = await Promise.all([
      roles.get(role),
      signInWith(user, body.code, { call, deps, writes, refused, succeeded }),
    ]);
    const { token, expires_at } = session;
    return {
      data: {
        token,
        token_type: "Bearer" as const,
        expires_at,
        user: profileOf(user, permissions),
      },
      version: user.version,
    };
  },
});

/**
 * Stores a sign-in together with the use of the second factor's code, if the user has one.
 *
 * @throws AppError `second_factor_required`, `validation_failed` on `code`
 */
async function signInWith(
  user: StaffUser,
  code: string | undefined,
  {
    call: { now },
    deps,
    writes,
    refused,
    succeeded,
  }: {
    call: Pick<Call, "now">;
    deps: Deps;
    writes: readonly Write[];
    refused: (reason: "code_missing" | "code_wrong") => Promise<void>;
    /** Removes the login from the counters of failed logins after it succeeded. */
    succeeded: () => Promise<unknown>;
  },
): Promise<void> {
  if (user.second_factor_at === null) {
    await Promise.all([deps.table.transact(writes), succeeded()]);
    return;
  }
  if (code === undefined) {
    await refused("code_missing");
    throw new AppError("second_factor_required");
  }
  if (!(await useCode(user.id, code, deps, { now, writes }))) {
    await refused("code_wrong");
    throw wrongCode();
  }
  await succeeded();
}

export const logOut = route({
  method: "POST",
  path: "/admin/auth/logout",
  summary: "Sign out of the back office",
  description: "The token stops working immediately. Other sessions continue.",
  access: staffBeforeEnrolment,
  request: {},
  response: { status: 204 },
  async handle({ actor }, { table }: Deps) {
    await table.write(endSession(sessionOf(actor)));
  },
});

export const me = route({
  method: "GET",
  path: "/admin/auth/me",
  summary: "Get the signed-in staff user",
  description:
    "Includes the user's current permissions. Also works before a required second factor is set up.",
  access: staffBeforeEnrolment,
  request: {},
  response: { status: 200, data: StaffProfile },
  first: ({ actor }, { staff }: Deps) => staff.find(sessionOf(actor).subject),
  async handle({ first, permissions }) {
    const user = requireUser(first);
    return { data: profileOf(user, permissions), version: user.version };
  },
});

export const routes = [logIn, logOut, me];
