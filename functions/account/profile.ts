import * as z from "zod";
import { requirePassword } from "#shared/application/identity/credentials.ts";
import { mailLink } from "#shared/application/identity/mailed-links.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import {
  type Customer,
  Preferences,
  ProfileInput,
  PublicCustomer,
  changedProfile,
  preferenceProblems,
  withPreferences,
} from "#shared/domain/customer/customer.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { AppError, invalidFields, requireVersion } from "#shared/domain/request/app-error.ts";
import { sessionOf } from "#shared/http/guard.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { admit } from "#shared/auth/rate-limit.ts";
import { customer, route } from "#shared/http/route.ts";
import {
  claimEmail,
  movePhone,
  releaseEmail,
  replaceCustomer,
} from "#shared/storage/customer/customers.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { carrySession } from "#shared/storage/staff/sessions.ts";
import { type SessionId } from "#shared/domain/request/identity.ts";
import type { TransactionWrite } from "#shared/storage/writes.ts";
import { customerId, requireCustomer } from "./caller.ts";
import type { Deps } from "./deps.ts";
import { linkFor, provenName, notifyOfNewPassword } from "./mailed-proof.ts";
import { emailTaken } from "./register.ts";

const form = editForm(ProfileInput, PublicCustomer);
const WriteHeaders = z.object({ "if-match": IfMatch });

export const replaceProfile = route({
  method: "PUT",
  path: "/account/profile",
  summary: "Update name, phone, email or password",
  description:
    "A new email or password requires the current password. A new email must be verified " +
    "again; both addresses are notified. A new password ends every other session. Common and " +
    "leaked passwords are refused.",
  access: customer,
  request: {
    headers: WriteHeaders,
    body: form.put.meta({
      example: {
        name: "Asha Rao",
        phone: "+919812345678",
        email: "asha.rao@example.com",
        current_password: "a long enough password",
      },
    }),
  },
  response: { status: 200, data: PublicCustomer },
  errors: ["version_mismatch", "too_many_requests"],
  first: ({ actor }, { customers }: Deps) => customers.find(customerId(actor)),
  async handle({ actor, body, headers, first, now }, deps) {
    const found = requireCustomer(first);
    const input = form.replaced(body, found);
    const { email = found.email, password, current_password } = input;
    if (email !== found.email || password !== undefined) {
      const attempt = { guard: "customer", rates: deps.rates, now } as const;
      await requirePassword(current_password, "current_password", found, attempt);
    }
    if (email !== found.email) {
      // Rate-limited, because a change mails two addresses and reveals whether an email is taken.
      await admit(deps.rates, "account_verification", found.id, now);
      if (await deps.customers.findByEmail(email)) throw emailTaken();
      // The change also counts against the limit of the new email, but not if an account has that email: strangers must
      // not use up the limit of its owner.
      await admit(deps.rates, "account_verification", email, now);
    }
    const password_hash = password === undefined ? null : await hashNewPassword(password, email);

    const saved = await retryOnConflict(
      found,
      async () => requireCustomer(await deps.customers.find(found.id)),
      async (before) => {
        requireVersion(headers["if-match"], before.version);
        // The password has changed since this request checked it, so the check is no longer valid.
        if (before.session_epoch !== found.session_epoch) throw new AppError("unauthenticated");
        const after = changedProfile(before, { ...input, password_hash }, now);
        if (isUnchanged(before, after)) return before;
        await saveProfile(before, after, { session: sessionOf(actor), now }, deps);
        return after;
      },
    );
    return { data: saved, version: saved.version };
  },
});

async function saveProfile(
  before: Customer,
  after: Customer,
  { session, now }: { session: SessionId; now: Date },
  deps: Deps,
): Promise<void> {
  const newEmail = before.email !== after.email;
  const newPassword = before.session_epoch !== after.session_epoch;
  const changed_at = now.toISOString();
  const writes: TransactionWrite[] = [replaceCustomer(before, after)];
  if (before.phone !== after.phone) {
    const { country } = (await deps.settings.current()).store;
    writes.push(...movePhone(before, after, country));
  }
  if (newEmail) {
    const [to, name] = [before.email, provenName(before)];
    writes.push(
      { write: claimEmail(after), refused: emailTaken },
      releaseEmail(before),
      publishEvent({ type: "email_changed", to, name, changed_at }, now),
    );
    writes.push(...mailLink("verify_email", linkFor(after), deps, now));
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
  await deps.table.transact(writes);
}

export const replacePreferences = route({
  method: "PUT",
  path: "/account/preferences",
  summary: "Update language, currency and marketing preferences",
  description: "Refuses locales and currencies that the store does not list.",
  access: customer,
  request: {
    headers: WriteHeaders,
    body: Preferences.meta({
      example: { locale: "en-IN", currency: "INR", newsletter: false, whatsapp_updates: true },
    }),
  },
  response: { status: 200, data: PublicCustomer },
  errors: ["version_mismatch"],
  first: ({ actor }, { customers, settings }: Deps) =>
    Promise.all([customers.find(customerId(actor)), settings.current()]),
  async handle({ body, headers, first: [customer, { store }], now }, { customers, table }) {
    const found = requireCustomer(customer);
    const problems = preferenceProblems(body, store);
    if (problems.length > 0) throw invalidFields(problems);
    const saved = await retryOnConflict(
      found,
      async () => requireCustomer(await customers.find(found.id)),
      async (before) => {
        requireVersion(headers["if-match"], before.version);
        const after = withPreferences(before, body, now);
        if (isUnchanged(before, after)) return before;
        await table.write(replaceCustomer(before, after));
        return after;
      },
    );
    return { data: saved, version: saved.version };
  },
});

export const routes = [replaceProfile, replacePreferences];
