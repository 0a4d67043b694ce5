import {
  type AccountKind,
  type ProfileCall,
  type ProfileChange,
  addresseeOf,
  changeAccount,
  emailTaken,
  requireAccount,
  requireFreeEmail,
} from "#shared/application/identity/account.ts";
import { change } from "#shared/application/edit.ts";
import { mailLink } from "#shared/application/identity/mail-link.ts";
import type { Shop } from "#shared/application/shop.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import {
  type Customer,
  type Preferences,
  type ProfileInput,
  changedProfile,
  endingSessions,
  preferenceProblems,
  withPreferences,
  withVerifiedEmail,
} from "#shared/domain/customer/customer.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import { moveName } from "#shared/storage/customer/customer-names.ts";
import {
  claimEmail,
  countReset,
  movePhone,
  openCustomers,
  releaseEmail,
  replaceCustomer,
} from "#shared/storage/customer/customers.ts";
import { removeEmailProof } from "#shared/storage/customer/proven-emails.ts";
import { followEmail, joinGuestOrders } from "#shared/storage/order/customer-orders.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";

/** An unverified email may belong to a stranger, who must not receive text that somebody else typed. */
const nameOf = ({ name, email_verified_at }: Customer) =>
  email_verified_at === null ? null : name;

/**
 * The accounts of customers. Any mailed link verifies the email. First, the account's orders under its earlier emails
 * move to it, and earlier guest orders with it are assigned to the account.
 */
export const customerAccounts: AccountKind<Customer> = {
  guard: "customer",
  open: openCustomers,
  replace: replaceCustomer,
  countReset,
  letters: { reset: "reset_password", newPassword: "password_changed" },
  nameOf,
  limitKey: (of) => of,
  // A link is valid only for the address it was mailed to, and a new password invalidates earlier reset links.
  stillHolds: ({ purpose, email, epoch }, customer) =>
    customer.email === email && (purpose !== "reset_password" || customer.session_epoch === epoch),
  async effectOfLink(before, { password_hash, now }, { table }) {
    const changed =
      password_hash === undefined ? before : { ...endingSessions(before), password_hash };
    // Orders change before the transaction: if that fails, the link still works, and changing them again does no harm.
    await followEmail(table, before);
    await joinGuestOrders(table, before);
    return {
      after: withVerifiedEmail(changed, now),
      // The account forgets its earlier emails here, and could not remove their proofs later.
      writes: before.earlier_emails.map(removeEmailProof),
    };
  },
};

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
  const addressee = addresseeOf(customerAccounts, found);
  await shop.table.transact(mailLink("verify_email", addressee, shop, now));
}

/**
 * Changes name, phone, email or password.
 *
 * @param found the customer, as the request has read it
 * @throws AppError as `changeAccount`
 */
export function changeProfile(
  call: ProfileCall<ProfileInput>,
  found: Customer,
  shop: Shop<"table" | "randomBytes" | "rates" | "settings", CommerceGroup>,
): Promise<Customer> {
  const { body, now } = call;
  const profile: ProfileChange<Customer> = {
    found,
    async requireEmail(email) {
      await requireFreeEmail(customerAccounts, { id: found.id, email }, shop, now);
      // The change also counts against the limit of the new email, but not if an account has that email: strangers
      // must not use up the limit of its owner.
      await admit(shop.rates, "account_verification", email, now);
    },
    changed: (before, password_hash) =>
      changedProfile(before, { ...body, password_hash: password_hash ?? null }, now),
    async writes(before, after) {
      const writes: TransactionWrite[] = [...moveName(before, after)];
      if (before.phone !== after.phone) {
        const { country } = (await shop.settings.current()).store;
        writes.push(...movePhone(before, after, country));
      }
      if (before.email !== after.email) {
        const [to, name, changed_at] = [before.email, nameOf(before), now.toISOString()];
        writes.push(
          { write: claimEmail(after), refused: emailTaken },
          releaseEmail(before),
          publishEvent({ type: "email_changed", to, name, changed_at }, now),
          ...mailLink("verify_email", addresseeOf(customerAccounts, after), shop, now),
        );
      }
      return writes;
    },
  };
  return changeAccount(customerAccounts, call, profile, shop);
}

/**
 * Changes language, currency and marketing preferences.
 *
 * @throws AppError `validation_failed` for a locale or currency that the store does not list, `version_mismatch`
 */
export async function changePreferences(
  { body, headers, now }: Omit<ProfileCall<Preferences>, "actor">,
  { found, store }: { readonly found: Customer; readonly store: Settings["store"] },
  { table }: Shop<"table">,
): Promise<Customer> {
  const problems = preferenceProblems(body, store);
  if (problems.length > 0) throw invalidFields(problems);
  const readAgain = async () => requireAccount(await openCustomers(table).find(found.id));
  return change(found, readAgain, headers["if-match"], {
    change: (before) => withPreferences(before, body, now),
    save: (before, after) => table.write(replaceCustomer(before, after)),
  });
}
