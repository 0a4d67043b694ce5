import * as z from "zod";
import { requirePassword } from "#shared/application/identity/credentials.ts";
import {
  appUrl,
  newAppSecret,
  newRecoveryCodes,
  sealAppSecret,
  usedCode,
} from "#shared/application/identity/second-factor.ts";
import { TypedPassword } from "#shared/domain/customer/credentials.ts";
import {
  RecoveryCodes,
  SecondFactorCode,
  TotpConfirmation,
  TotpSetup,
} from "#shared/domain/staff/second-factor.ts";
import { type StaffUser, changedStaffUser } from "#shared/domain/staff/staff.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { sessionOf } from "#shared/http/guard.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import { type Call, route, staffBeforeEnrolment } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import {
  findSecondFactor,
  removeSecondFactor,
  replaceSecondFactor,
} from "#shared/storage/staff/second-factors.ts";
import { replaceStaffUser } from "#shared/storage/staff/staff.ts";
import type { Write } from "#shared/storage/writes.ts";
import { requireUser } from "./caller.ts";
import type { Deps } from "./deps.ts";
import { useCode, wrongCode } from "./use-code.ts";

const readOwn = async ({ actor }: Pick<Call, "actor">, { staff, table }: Deps) => {
  const { subject } = sessionOf(actor);
  const [user, factor] = await Promise.all([staff.find(subject), findSecondFactor(table, subject)]);
  return { user: requireUser(user), factor };
};

const alreadyEnrolled = () =>
  new AppError("already_exists", {
    message: "You already have a second factor. Remove it before you set up another.",
  });

/** Writes that add or remove the caller's second factor and record it in the activity log. */
function enrolmentWrites(
  before: StaffUser,
  second_factor_at: string | null,
  call: Pick<Call, "actor" | "requestId" | "now">,
): Write[] {
  const after = changedStaffUser(before, { second_factor_at }, call.now);
  const target = { kind: "staff", id: after.id, label: after.name };
  const action =
    second_factor_at === null ? "staff.remove_second_factor" : "staff.enrol_second_factor";
  return [
    replaceStaffUser(before, after),
    recordActivity(auditContextOf(call), action, target, { before, after }),
  ];
}

export const setUpTotp = route({
  method: "POST",
  path: "/admin/auth/totp",
  summary: "Set up an authenticator app",
  description:
    "Returns a new secret for the app. The second factor becomes active when `POST " +
    "/admin/auth/totp/confirm` receives a code of the app. Until then, calling this again " +
    "replaces the secret.",
  access: staffBeforeEnrolment,
  request: {},
  response: { status: 200, data: TotpSetup },
  errors: ["already_exists"],
  first: readOwn,
  async handle({ first }, deps) {
    const { table, randomBytes, settingsKeys, settings } = deps;
    const { user } = first;
    const [ring, { store }] = await Promise.all([settingsKeys(), settings.current()]);
    const secret = newAppSecret(randomBytes);
    const read = () => findSecondFactor(table, user.id);
    await retryOnConflict(first.factor, read, async (before) => {
      if (before?.confirmed) throw alreadyEnrolled();
      const sealed = sealAppSecret(secret, user.id, ring);
      const pending = { staff_id: user.id, confirmed: false, last_step: 0, recovery_hashes: [] };
      await table.write(replaceSecondFactor(before, { ...pending, sealed }));
    });
    const otpauth_url = appUrl(secret, { issuer: store.name, email: user.email });
    return { data: { secret, otpauth_url } };
  },
});

export const confirmTotp = route({
  method: "POST",
  path: "/admin/auth/totp/confirm",
  summary: "Confirm an authenticator app with its first code",
  description:
    "Signing in then requires a code. Returns ten recovery codes, which are never shown again.",
  access: staffBeforeEnrolment,
  request: { body: TotpConfirmation.meta({ example: { code: "492039" } }) },
  response: { status: 200, data: RecoveryCodes },
  errors: ["already_exists"],
  first: readOwn,
  async handle(call, deps) {
    const { body, now } = call;
    const { table, randomBytes, settingsKeys: keys } = deps;
    const { codes, hashes } = newRecoveryCodes(randomBytes);
    await retryOnConflict(
      call.first,
      () => readOwn(call, deps),
      async ({ user, factor }) => {
        if (factor?.confirmed) throw alreadyEnrolled();
        const used = factor && (await usedCode(factor, body.code, { keys, now }));
        if (!used) throw wrongCode();
        const enrolled = { ...used, confirmed: true, recovery_hashes: hashes };
        await table.transact([
          replaceSecondFactor(factor, enrolled),
          ...enrolmentWrites(user, now.toISOString(), call),
        ]);
      },
    );
    return { data: { recovery_codes: codes } };
  },
});

export const removeTotp = route({
  method: "DELETE",
  path: "/admin/auth/totp",
  summary: "Remove your second factor",
  description: "Requires the password and a code. Failed attempts are limited.",
  access: staffBeforeEnrolment,
  request: {
    body: z.strictObject({ password: TypedPassword, code: SecondFactorCode }).meta({
      example: { password: "a long enough password", code: "492039" },
    }),
  },
  response: { status: 204 },
  errors: ["too_many_requests"],
  first: readOwn,
  async handle(call, deps) {
    const { body, first, now } = call;
    const { user } = first;
    const { rates } = deps;
    await requirePassword(body.password, "password", user, { guard: "staff", rates, now });
    if (user.second_factor_at === null) throw wrongCode();
    const guesses = await admit(rates, "account_code", `staff#${user.id}`, now);
    // The code is used up before the change is stored, so a request that is sent again needs another code.
    if (!(await useCode(user.id, body.code, deps, { now }))) throw wrongCode();
    await retryOnConflict(
      user,
      async () => requireUser(await deps.staff.find(user.id)),
      (before) =>
        deps.table.transact([removeSecondFactor(user.id), ...enrolmentWrites(before, null, call)]),
    );
    await guesses.succeeded();
  },
});

export const routes = [setUpTotp, confirmTotp, removeTotp];
