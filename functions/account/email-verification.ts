import type { Shop } from "#shared/application/shop.ts";
import { openCustomers } from "#shared/storage/customer/customers.ts";
import { resendVerificationLink } from "#shared/application/customer/reset-password.ts";
import { linkIsDead } from "#shared/application/identity/mailed-links.ts";
import { MailedTokenInput } from "#shared/domain/customer/credentials.ts";
import { customer, route } from "#shared/http/route.ts";
import { MessageResponse } from "#shared/http/message-response.ts";
import { findProof } from "#shared/storage/customer/proofs.ts";
import { customerId } from "#shared/domain/request/identity.ts";
import { requireCustomer, useProof } from "#shared/application/customer/use-mailed-proof.ts";

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
  async handle({ actor, body: { token }, first: proof, now }, shop) {
    if (proof?.subject !== customerId(actor)) throw linkIsDead();
    await useProof({ token, proof, now }, shop, (found) => ({ customer: found, writes: [] }));
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
    const found = requireCustomer(first);
    if (found.email_verified_at !== null) {
      return { data: { message: "Your email is already confirmed." } };
    }
    await resendVerificationLink(found, shop, now);
    return { data: { message: "We have sent you a new link." } };
  },
});

export const routes = [verifyEmail, resendVerification];
