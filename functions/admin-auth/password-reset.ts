import { forgiveFailures } from "#shared/application/identity/login-attempts.ts";
import {
  linkIsDead,
  mailLink,
  mailNobody,
  staffAddressee,
} from "#shared/application/identity/mailed-links.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import { ForgotPasswordInput } from "#shared/domain/customer/credentials.ts";
import { StaffResetInput, type StaffUser } from "#shared/domain/staff/staff.ts";
import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import { anyone, route } from "#shared/http/route.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { rememberAddress } from "#shared/storage/customer/known-addresses.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";
import { countStaffReset } from "#shared/storage/staff/staff.ts";
import type { Write } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
import { useProof } from "#shared/application/staff/use-staff-proof.ts";

export const forgotPassword = route({
  method: "POST",
  path: "/admin/auth/forgot-password",
  summary: "Request a staff password reset",
  description:
    "Mails a single-use link, valid for one hour. Also works for a user whose invitation has expired. " +
    "The response and its timing are the same whether or not the user exists.",
  access: anyone,
  limit: "forgot_password",
  request: { body: ForgotPasswordInput.meta({ example: { email: "owner@demo.test" } }) },
  response: { status: 200, data: MessageResponse },
  first: ({ body }, { staff }: Deps) => staff.findByEmail(body.email),
  async handle({ body, first: found, now }, deps) {
    await admit(deps.rates, "account_forgot", `staff#${body.email}`, now);
    const writes =
      found?.status === "active"
        ? mailLink("staff_reset_password", staffAddressee(found), deps, now)
        : mailNobody("staff_reset_password", { guard: "staff", email: body.email }, deps, now);
    await deps.table.transact(writes);
    const message = "If an account with this email exists, we have sent it a link.";
    return { data: { message } };
  },
});

export const resetPassword = route({
  method: "POST",
  path: "/admin/auth/reset-password",
  summary: "Set a staff password",
  description:
    "Requires the token of a mailed reset or invitation link, which works once. Ends all of the user's " +
    "sessions, invalidates the user's other reset and invitation links, and lifts every " +
    "login lock of the account. Common and leaked passwords are refused.",
  access: anyone,
  limit: "reset_password",
  request: {
    body: StaffResetInput.meta({
      example: {
        token: "q3uDwM3mS1Yk0G7vY1oJ0r2bq7yXv9cT5nLxE8hZf4A",
        email: "meera@example.com",
        password: "another long password",
      },
    }),
  },
  response: { status: 200, data: MessageResponse },
  first: ({ body, now }, { staff, table }: Deps) =>
    Promise.all([
      findProof(table, body.token, { purpose: "reset_password", guard: "staff" }, now),
      staff.findEmail(body.email),
    ]),
  async handle({ body, first: [proof, claim], ip, requestId, now }, deps) {
    const { token, email, password } = body;
    if (proof?.email !== email) throw linkIsDead();
    const { guard, subject } = proof;
    const password_hash = await hashNewPassword(password, email);
    await useProof({ token, proof, requestId, now }, deps, (user) => {
      if (user.email !== email) return undefined;
      const invited = user.password_hash === null;
      return {
        action: invited ? "staff.accept_invitation" : "staff.reset_password",
        changes: { password_hash },
        writes: [
          countStaffReset(user),
          ...(invited ? [] : [notifyOfNewPassword(user, now)]),
          rememberAddress({ guard, subject, address: callerOf(ip) }, now),
        ],
      };
    });
    await forgiveFailures({ guard, ip, rates: deps.rates, now }, { email, claim });
    return { data: { message: "Your password has been set. Please sign in with it." } };
  },
});

/** The mail warns a user who did not change the password. */
function notifyOfNewPassword({ email: to, name }: StaffUser, now: Date): Write {
  const changed_at = now.toISOString();
  return publishEvent({ type: "staff_password_changed", to, name, changed_at }, now);
}

export const routes = [forgotPassword, resetPassword];
