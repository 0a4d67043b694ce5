import type { Shop } from "#shared/application/shop.ts";
import type * as z from "zod";
import { forgiveFailures } from "#shared/application/identity/login-attempts.ts";
import { mailLink, mailNobody } from "#shared/application/identity/mailed-links.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import {
  type Customer,
  type ResetPasswordInput,
  endingSessions,
} from "#shared/domain/customer/customer.ts";
import { countReset } from "#shared/storage/customer/customers.ts";
import { rememberAddress } from "#shared/storage/customer/known-addresses.ts";
import type { Proof } from "#shared/storage/customer/proofs.ts";
import { linkFor, notifyOfNewPassword, useProof } from "./use-mailed-proof.ts";

/**
 * Mails a link that resets the password. Takes the same time if there is no account.
 *
 * @param found the account with this email
 */
export async function mailResetLink(
  email: string,
  found: Customer | undefined,
  shop: Shop<"table" | "randomBytes">,
  now: Date,
): Promise<void> {
  const writes =
    found?.status === "active"
      ? mailLink("reset_password", linkFor(found), shop, now)
      : mailNobody("reset_password", { guard: "customer", email }, shop, now);
  await shop.table.transact(writes);
}

interface ResetCall {
  readonly body: z.output<typeof ResetPasswordInput>;
  readonly proof: Proof;
  /** The claim of the email, which counts the account's failed logins. */
  readonly claim: Parameters<typeof forgiveFailures>[1]["claim"];
  readonly ip: string;
  readonly now: Date;
}

/**
 * Sets a new password with a mailed token, ends the customer's sessions and lifts the login locks.
 *
 * @throws AppError `validation_failed` on `token` or `password`
 */
export async function resetCustomerPassword(
  { body, proof, claim, ip, now }: ResetCall,
  shop: Shop<"table" | "rates">,
): Promise<void> {
  const { guard, subject, email } = proof;
  const password_hash = await hashNewPassword(body.password, body.email);
  await useProof({ token: body.token, proof, now }, shop, (customer) => ({
    customer: { ...endingSessions(customer), password_hash },
    writes: [
      countReset(customer),
      notifyOfNewPassword(customer, now),
      rememberAddress({ guard, subject, address: callerOf(ip) }, now),
    ],
  }));
  await forgiveFailures({ guard, ip, rates: shop.rates, now }, { email, claim });
}

/**
 * Mails a signed-in customer another verification link.
 *
 * @throws AppError `too_many_requests`
 */
export async function resendVerificationLink(
  found: Customer,
  shop: Shop<"table" | "randomBytes" | "rates">,
  now: Date,
): Promise<void> {
  await admit(shop.rates, "account_verification", found.email, now);
  await shop.table.transact(mailLink("verify_email", linkFor(found), shop, now));
}
