import type { Shop } from "#shared/application/shop.ts";
import {
  customerAccounts,
  resendVerificationLink,
} from "#shared/application/customer/customer-account.ts";
import {
  mailResetLink,
  requireAccount,
  setPassword,
  useLink,
} from "#shared/application/identity/account.ts";
import { linkIsDead } from "#shared/application/identity/mail-link.ts";
import { ForgotPasswordInput, MailedTokenInput } from "#shared/domain/customer/credentials.ts";
import { ResetPasswordInput } from "#shared/domain/customer/customer.ts";
import { customerId } from "#shared/domain/request/identity.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { anyone, customer, route } from "#shared/http/route.ts";
import { openCustomers } from "#shared/storage/customer/customers.ts";
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
  async handle({ body: { email }, first: found, now }, shop) {
    await mailResetLink(customerAccounts, { email, found }, shop, now);
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
  async handle(call, shop) {
    await setPassword(customerAccounts, call, call.first, shop);
    return {
      data: { message: "Your password has been changed. Please sign in with the new one." },
    };
  },
});

export const verifyEmail = route({
  method: "POST",
  path: "/auth/verify-email",
  summary: "Verify an email address",
  description:
    "Requires the token of the mailed link. Earlier guest orders with this email are added to the " +
    "account; later ones are not. Letters about orders under the account's earlier email go to this " +
    "one. The caller must be signed in to the account whose email the " +
    "link verifies.",
  access: customer,
  limit: "verify_email",
  request: { body: MailedTokenInput },
  response: { status: 200, data: MessageResponse },
  first: ({ body, now }, { table }: Shop<"table">) =>
    findProof(table, body.token, { purpose: "verify_email", guard: "customer" }, now),
  async handle({ actor, body: { token }, first: proof, requestId, now }, shop) {
    if (proof?.subject !== customerId(actor)) throw linkIsDead();
    await useLink(customerAccounts, { token, proof, requestId, now }, shop);
    return { data: { message: "Your email is confirmed." } };
  },
});

export const resendVerification = route({
  method: "POST",
  path: "/auth/verify-email/resend",
  summary: "Resend the verification link",
  description: "Sends nothing if the email is already verified.",
  access: customer,
  request: {},
  response: { status: 200, data: MessageResponse },
  errors: ["too_many_requests"],
  first: ({ actor }, { table }: Shop<"table" | "randomBytes" | "rates">) =>
    openCustomers(table).find(customerId(actor)),
  async handle({ first, now }, shop) {
    const found = requireAccount(first);
    if (found.email_verified_at !== null) {
      return { data: { message: "Your email is already confirmed." } };
    }
    await resendVerificationLink(found, shop, now);
    return { data: { message: "We have sent you a new link." } };
  },
});

export const routes = [forgotPassword, resetPassword, verifyEmail, resendVerification];
