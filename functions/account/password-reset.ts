import { openCustomers } from "#shared/storage/customer/customers.ts";
import type { Shop } from "#shared/application/shop.ts";
import {
  mailResetLink,
  resetCustomerPassword,
} from "#shared/application/customer/reset-password.ts";
import { linkIsDead } from "#shared/application/identity/mailed-links.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import { ForgotPasswordInput } from "#shared/domain/customer/credentials.ts";
import { ResetPasswordInput } from "#shared/domain/customer/customer.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, route } from "#shared/http/route.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";

export const forgotPassword = route({
  method: "POST",
  path: "/auth/forgot-password",
  summary: "Request a password reset",
  description:
    "Mails a single-use link, valid for one hour. The response and its timing are the same " +
    "whether or not the account exists.",
  access: anyone,
  limit: "forgot_password",
  request: { body: ForgotPasswordInput.meta({ example: { email: "asha@example.com" } }) },
  response: { status: 200, data: MessageResponse },
  first: ({ body }, { table }: Shop<"table" | "randomBytes" | "rates">) =>
    openCustomers(table).findByEmail(body.email),
  async handle({ body, first: found, now }, shop) {
    await admit(shop.rates, "account_forgot", body.email, now);
    await mailResetLink(body.email, found, shop, now);
    const message = "If an account with this email exists, we have sent it a link.";
    return { data: { message } };
  },
});

export const resetPassword = route({
  method: "POST",
  path: "/auth/reset-password",
  summary: "Reset the password",
  description:
    "Requires the token of the mailed link. Ends all of the customer's sessions, verifies the " +
    "email and lifts every login lock of the account. If a token is sent twice concurrently, " +
    "only one request succeeds. Common and leaked passwords are refused.",
  access: anyone,
  limit: "reset_password",
  request: {
    body: ResetPasswordInput.meta({
      example: {
        token: "q3uDwM3mS1Yk0G7vY1oJ0r2bq7yXv9cT5nLxE8hZf4A",
        email: "asha@example.com",
        password: "another long password",
      },
    }),
  },
  response: { status: 200, data: MessageResponse },
  first: ({ body, now }, { table }: Shop<"table" | "rates">) =>
    Promise.all([
      findProof(table, body.token, { purpose: "reset_password", guard: "customer" }, now),
      openCustomers(table).findEmail(body.email),
    ]),
  async handle({ body, first: [proof, claim], ip, now }, shop) {
    if (proof?.email !== body.email) throw linkIsDead();
    await resetCustomerPassword({ body, proof, claim, ip, now }, shop);
    return {
      data: { message: "Your password has been changed. Please sign in with the new one." },
    };
  },
});

export const routes = [forgotPassword, resetPassword];
