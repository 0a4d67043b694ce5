import { openStaff } from "#shared/storage/staff/staff.ts";
import type { Shop } from "#shared/application/shop.ts";
import { mailResetLink, setPassword } from "#shared/application/identity/account.ts";
import { staffAccounts } from "#shared/application/staff/staff-account.ts";
import { ForgotPasswordInput } from "#shared/domain/customer/credentials.ts";
import { StaffResetInput } from "#shared/domain/staff/staff.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, route } from "#shared/http/route.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";

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
  first: ({ body }, { table }: Shop<"table" | "randomBytes" | "rates">) =>
    openStaff(table).findByEmail(body.email),
  async handle({ body: { email }, first: found, now }, shop) {
    await mailResetLink(staffAccounts, { email, found }, shop, now);
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
  first: ({ body, now }, { table }: Shop<"table" | "rates">) =>
    Promise.all([
      findProof(table, body.token, { purpose: "reset_password", guard: "staff" }, now),
      openStaff(table).findEmail(body.email),
    ]),
  async handle(call, shop) {
    await setPassword(staffAccounts, call, call.first, shop);
    return { data: { message: "Your password has been set. Please sign in with it." } };
  },
});

export const routes = [forgotPassword, resetPassword];
