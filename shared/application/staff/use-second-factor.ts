import { Secret, TOTP } from "otpauth";
import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { requireAccount } from "#shared/application/identity/account.ts";
import { requirePassword } from "#shared/application/identity/check-credentials.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { lockedUntil } from "#shared/auth/rate-limit.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { type Actor, sessionOf } from "#shared/domain/request/identity.ts";
import { type StaffUser, changedStaffUser } from "#shared/domain/staff/staff.ts";
import type { KeyRing, KeySource } from "#shared/runtime/key-ring.ts";
import { seal, unseal } from "#shared/runtime/sealed-text.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import {
  type SecondFactor,
  findSecondFactor,
  notifyOfSecondFactor,
  removeSecondFactor,
  replaceSecondFactor,
} from "#shared/storage/staff/second-factors.ts";
import { openStaff, replaceStaffUser } from "#shared/storage/staff/staff.ts";
import { carrySession } from "#shared/storage/staff/sessions.ts";
import type { TransactionWrite, Write } from "#shared/storage/writes.ts";

export const wrongCode = () => invalidField("code", "This code is wrong or has already been used.");

interface CodeCall {
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Uses up a second factor's code in one transaction with its effect. Of concurrent requests with the same code, only
 * one succeeds. Wrong codes are counted exactly, however many are sent at once: ten in a row lock the second factor,
 * and the user is mailed.
 *
 * @returns whether the code was valid; only then are the further writes stored
 * @throws AppError `too_many_requests` while the second factor is locked
 */
export async function useCode(
  user: StaffUser,
  code: string,
  { table, settingsKeys: keys }: Shop<"table" | "settingsKeys">,
  { requestId, now, writes = [] }: CodeCall & { readonly writes?: readonly Write[] },
): Promise<boolean> {
  const read = () => findSecondFactor(table, user.id);
  return retryOnConflict(await read(), read, async (before: SecondFactor | undefined) => {
    if (!before?.confirmed) return false;
    const lockEnds = lockEndOf(before, now);
    if (lockEnds) throw lockedUntil("Too many wrong codes.", wrongCodesToLock, lockEnds, now);
    const used = await usedCode(before, code, { keys, now });
    const after = used ?? withWrongCode(before, now);
    const effects = used ? writes : lockWrites(user, after, { requestId, now });
    await table.transact([replaceSecondFactor(before, after), ...effects]);
    return used !== undefined;
  });
}

/** The log record and the mail of a lock, if the wrong code before them caused one. */
function lockWrites(user: StaffUser, after: SecondFactor, { requestId, now }: CodeCall): Write[] {
  if (!lockEndOf(after, now)) return [];
  const { email: to, name } = user;
  const target = { kind: "staff", id: user.id, label: name };
  return [
    recordActivity({ actor: user, requestId, now }, "staff.second_factor_locked", target, {}),
    publishEvent(
      { type: "staff_second_factor_locked", to, name, changed_at: now.toISOString() },
      now,
    ),
  ];
}

type EnrolSecondFactorShop = Shop<
  "table" | "randomBytes" | "rates" | "settings" | "settingsKeys",
  "store"
>;

interface OwnFactor {
  readonly user: StaffUser;
  readonly factor: SecondFactor | undefined;
}

/** Reads the caller's row and second factor. */
export async function readOwnFactor(
  { actor }: { readonly actor: Actor },
  { table }: Shop<"table">,
): Promise<OwnFactor> {
  const { subject } = sessionOf(actor);
  const [user, factor] = await Promise.all([
    openStaff(table).find(subject),
    findSecondFactor(table, subject),
  ]);
  return { user: requireAccount(user), factor };
}

const alreadyEnrolled = () =>
  new AppError("already_exists", {
    message: "You already have a second factor. Remove it before you set up another.",
  });

/**
 * Writes that add or remove the caller's second factor, end the caller's other sessions, mail the user, and record it in
 * the activity log.
 */
function enrolmentWrites(
  before: StaffUser,
  change: "enrolled" | "removed",
  call: AuditedCall,
): TransactionWrite[] {
  const { actor, now } = call;
  const second_factor_at = change === "enrolled" ? now.toISOString() : null;
  const after = changedStaffUser(before, { second_factor_at }, now);
  const target = { kind: "staff", id: after.id, label: after.name };
  const action = `staff.${change === "enrolled" ? "enrol" : "remove"}_second_factor`;
  return [
    replaceStaffUser(before, after),
    {
      write: carrySession(sessionOf(actor), after.session_epoch),
      // The write is refused if the session ended during the request.
      refused: () => new AppError("unauthenticated"),
    },
    notifyOfSecondFactor(after, change, now),
    recordActivity(auditContextOf(call), action, target, { before, after }),
  ];
}

/**
 * Creates the secret of an authenticator app, which counts once its first code is confirmed. The password is required,
 * so that a stolen session cannot add an app of its own.
 *
 * @throws AppError `validation_failed` on `password`, `too_many_requests`, `already_exists`
 */
export async function setUpSecondFactor(
  { body, now }: AuditedCall & { readonly body: { readonly password: string } },
  first: OwnFactor,
  shop: EnrolSecondFactorShop,
): Promise<{ secret: string; otpauth_url: string }> {
  const { table, randomBytes, settingsKeys, settings, rates } = shop;
  const { user } = first;
  await requirePassword(body.password, "password", user, { guard: "staff", rates, now });
  const [ring, { store }] = await Promise.all([settingsKeys(), settings.current()]);
  const secret = newAppSecret(randomBytes);
  const read = () => findSecondFactor(table, user.id);
  await retryOnConflict(first.factor, read, async (before) => {
    if (before?.confirmed) throw alreadyEnrolled();
    const sealed = sealAppSecret(secret, user.id, ring);
    const pending = { staff_id: user.id, confirmed: false, last_step: 0, recovery_hashes: [] };
    const unlocked = { wrong_codes: 0, locked_until: null };
    await table.write(replaceSecondFactor(before, { ...pending, ...unlocked, sealed }));
  });
  const otpauth_url = appUrl(secret, { issuer: store.name, email: user.email });
  return { secret, otpauth_url };
}

/**
 * Confirms the second factor with its first code. The user's other sessions, for which a password was enough, end.
 *
 * @returns the recovery codes
 * @throws AppError `already_exists`, `validation_failed` on `code`
 */
export async function confirmSecondFactor(
  call: AuditedCall & { readonly body: { readonly code: string } },
  first: OwnFactor,
  shop: EnrolSecondFactorShop,
): Promise<string[]> {
  const { body, now } = call;
  const { table, randomBytes, settingsKeys: keys } = shop;
  const { codes, hashes } = newRecoveryCodes(randomBytes);
  await retryOnConflict(
    first,
    () => readOwnFactor(call, shop),
    async ({ user, factor }) => {
      if (factor?.confirmed) throw alreadyEnrolled();
      const used = factor && (await usedCode(factor, body.code, { keys, now }));
      if (!used) throw wrongCode();
      const enrolled = { ...used, confirmed: true, recovery_hashes: hashes };
      await table.transact([
        replaceSecondFactor(factor, enrolled),
        ...enrolmentWrites(user, "enrolled", call),
      ]);
    },
  );
  return codes;
}

/**
 * Removes the caller's second factor, and ends the caller's other sessions.
 *
 * @throws AppError `validation_failed` on `password` or `code`, `too_many_requests`
 */
export async function removeSecondFactorOf(
  call: AuditedCall & { readonly body: { readonly password: string; readonly code: string } },
  { user }: OwnFactor,
  shop: EnrolSecondFactorShop,
): Promise<void> {
  const { body, requestId, now } = call;
  const { rates } = shop;
  await requirePassword(body.password, "password", user, { guard: "staff", rates, now });
  if (user.second_factor_at === null) throw wrongCode();
  // The code is used up before the change is stored, so a request that is sent again needs another code.
  if (!(await useCode(user, body.code, shop, { requestId, now }))) throw wrongCode();
  await retryOnConflict(
    user,
    async () => requireAccount(await openStaff(shop.table).find(user.id)),
    (before) =>
      shop.table.transact([
        removeSecondFactor(user.id),
        ...enrolmentWrites(before, "removed", call),
      ]),
  );
}

type RandomBytes = (count: number) => Buffer;

/** The defaults of RFC 6238, which every authenticator app assumes. */
const appSettings = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** The number of earlier and later time steps whose codes are also accepted, because clocks differ. */
const tolerance = 1;

const placeOf = (staffId: string) => `staff/${staffId}/totp`;

/** A new secret for an authenticator app, in base32. @param randomBytes from a secure source */
const newAppSecret = (randomBytes: RandomBytes): string => base32(randomBytes(20));

const base32 = (bytes: Buffer): string =>
  new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;

/** The URL in the QR code that an authenticator app scans. */
const appUrl = (secret: string, { issuer, email }: { issuer: string; email: string }) =>
  new TOTP({ ...appSettings, issuer, label: email, secret: Secret.fromBase32(secret) }).toString();

const sealAppSecret = (secret: string, staffId: string, ring: KeyRing) =>
  seal(secret, ring, placeOf(staffId));

/** The app's secret, encrypted again with the current key; undefined if the current key already encrypts it. */
export function resealed({ staff_id, sealed }: SecondFactor, ring: KeyRing) {
  if (sealed.kid === ring.current.kid) return undefined;
  return sealAppSecret(unseal(sealed, ring, placeOf(staff_id)), staff_id, ring);
}

/**
 * The second factor after a code was used; undefined if the code is invalid. An app code is valid only if its time step
 * is later than that of the last accepted code. A recovery code is removed, so it works once.
 *
 * @throws Unreadable when no key decrypts the app's secret, Unavailable while the keys cannot be read
 */
async function usedCode(
  factor: SecondFactor,
  code: string,
  { keys, now }: { keys: KeySource; now: Date },
): Promise<SecondFactor | undefined> {
  const { staff_id, sealed, last_step, recovery_hashes } = factor;
  if (!/^\d{6}$/.test(code)) {
    const used = hashOf(normalizedRecoveryCode(code));
    const left = recovery_hashes.filter((kept) => kept !== used);
    if (left.length === recovery_hashes.length) return undefined;
    return { ...factor, recovery_hashes: left, wrong_codes: 0 };
  }
  const secret = Secret.fromBase32(unseal(sealed, await keys(sealed.kid), placeOf(staff_id)));
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...appSettings,
    token: code,
    secret,
    timestamp,
    window: tolerance,
  });
  if (delta === null) return undefined;
  const step = TOTP.counter({ period: appSettings.period, timestamp }) + delta;
  return step > last_step ? { ...factor, last_step: step, wrong_codes: 0 } : undefined;
}

const recoveryCount = 10;

/** Ten recovery codes of 80 random bits, to be shown once, and their hashes for storage. */
function newRecoveryCodes(randomBytes: RandomBytes): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: recoveryCount }, () =>
    base32(randomBytes(10))
      .toLowerCase()
      .replaceAll(/(.{4})(?=.)/g, "$1-"),
  );
  return { codes, hashes: codes.map((code) => hashOf(normalizedRecoveryCode(code))) };
}

const normalizedRecoveryCode = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, "");

/** Wrong codes in a row that lock a second factor. */
const wrongCodesToLock = 10;
const lockMs = 15 * 60_000;

/** A second factor after a wrong code. The tenth in a row locks it for 15 minutes, recovery codes included. */
function withWrongCode(factor: SecondFactor, now: Date): SecondFactor {
  const wrong_codes = factor.wrong_codes + 1;
  if (wrong_codes < wrongCodesToLock) return { ...factor, wrong_codes };
  const locked_until = new Date(now.getTime() + lockMs).toISOString();
  return { ...factor, wrong_codes: 0, locked_until };
}

/** When the lock of a second factor ends; undefined if it is not locked. */
function lockEndOf({ locked_until }: SecondFactor, now: Date): Date | undefined {
  const end = new Date(locked_until ?? 0);
  return end > now ? end : undefined;
}
