import type { Shop } from "#shared/application/shop.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidFields,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { requirePassword } from "#shared/application/identity/check-credentials.ts";
import { mailLink } from "#shared/application/identity/mailed-links.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import {
  type Customer,
  type Preferences,
  type ProfileInput,
  changedProfile,
  preferenceProblems,
  withPreferences,
} from "#shared/domain/customer/customer.ts";
import { type Actor, type SessionId, sessionOf } from "#shared/domain/request/identity.ts";
import type { CommerceGroup, Settings } from "#shared/domain/settings/settings.ts";
import {
  openCustomers,
  claimEmail,
  movePhone,
  releaseEmail,
  replaceCustomer,
} from "#shared/storage/customer/customers.ts";
import { moveName } from "#shared/storage/customer/customer-names.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { carrySession } from "#shared/storage/staff/sessions.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";
import { emailTaken } from "./register-customer.ts";
import { linkFor, notifyOfNewPassword, provenName, requireCustomer } from "./use-mailed-proof.ts";

type ChangeProfileShop = Shop<"table" | "randomBytes" | "rates" | "settings", CommerceGroup>;

interface ProfileCall {
  readonly headers: { readonly "if-match"?: ExpectedVersion };
  readonly now: Date;
}

/**
 * Changes name, phone, email or password. A new email or password requires the current password.
 *
 * @param found the customer, as the request has read it
 * @throws AppError `validation_failed`, `version_mismatch`, `too_many_requests`
 */
export async function changeProfile(
  {
    input,
    actor,
    headers,
    now,
  }: ProfileCall & { readonly input: ProfileInput; readonly actor: Actor },
  found: Customer,
  shop: ChangeProfileShop,
): Promise<Customer> {
  const { email = found.email, password, current_password } = input;
  if (email !== found.email || password !== undefined) {
    const attempt = { guard: "customer", rates: shop.rates, now } as const;
    await requirePassword(current_password, "current_password", found, attempt);
  }
  if (email !== found.email) {
    // Rate-limited, because a change mails two addresses and reveals whether an email is taken.
    await admit(shop.rates, "account_verification", found.id, now);
    if (await openCustomers(shop.table).findByEmail(email)) throw emailTaken();
    // The change also counts against the limit of the new email, but not if an account has that email: strangers must
    // not use up the limit of its owner.
    await admit(shop.rates, "account_verification", email, now);
  }
  const password_hash = password === undefined ? null : await hashNewPassword(password, email);

  return retryOnConflict(
    found,
    async () => requireCustomer(await openCustomers(shop.table).find(found.id)),
    async (before) => {
      requireVersion(headers["if-match"], before.version);
      // The password has changed since this request checked it, so the check is no longer valid.
      if (before.session_epoch !== found.session_epoch) throw new AppError("unauthenticated");
      const after = changedProfile(before, { ...input, password_hash }, now);
      if (isUnchanged(before, after)) return before;
      await saveProfile(before, after, { session: sessionOf(actor), now }, shop);
      return after;
    },
  );
}

async function saveProfile(
  before: Customer,
  after: Customer,
  { session, now }: { session: SessionId; now: Date },
  shop: ChangeProfileShop,
): Promise<void> {
  const newEmail = before.email !== after.email;
  const newPassword = before.session_epoch !== after.session_epoch;
  const changed_at = now.toISOString();
  const writes: TransactionWrite[] = [replaceCustomer(before, after), ...moveName(before, after)];
  if (before.phone !== after.phone) {
    const { country } = (await shop.settings.current()).store;
    writes.push(...movePhone(before, after, country));
  }
  if (newEmail) {
    const [to, name] = [before.email, provenName(before)];
    writes.push(
      { write: claimEmail(after), refused: emailTaken },
      releaseEmail(before),
      publishEvent({ type: "email_changed", to, name, changed_at }, now),
    );
    writes.push(...mailLink("verify_email", linkFor(after), shop, now));
  }
  if (newPassword) {
    writes.push(
      {
        write: carrySession(session, after.session_epoch),
        // The write is refused if the session ended during the request.
        refused: () => new AppError("unauthenticated"),
      },
      notifyOfNewPassword(after, now),
    );
  }
  await shop.table.transact(writes);
}

/**
 * Changes language, currency and marketing preferences.
 *
 * @throws AppError `validation_failed` for a locale or currency that the store does not list, `version_mismatch`
 */
export async function changePreferences(
  { body, headers, now }: ProfileCall & { readonly body: Preferences },
  { found, store }: { readonly found: Customer; readonly store: Settings["store"] },
  { table }: Shop<"table">,
): Promise<Customer> {
  const problems = preferenceProblems(body, store);
  if (problems.length > 0) throw invalidFields(problems);
  return retryOnConflict(
    found,
    async () => requireCustomer(await openCustomers(table).find(found.id)),
    async (before) => {
      requireVersion(headers["if-match"], before.version);
      const after = withPreferences(before, body, now);
      if (isUnchanged(before, after)) return before;
      await table.write(replaceCustomer(before, after));
      return after;
    },
  );
}
