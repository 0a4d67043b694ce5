import { Secret, TOTP } from "otpauth";
import type { SecondFactor } from "../../storage/staff/second-factors.ts";
import type { KeyRing, KeySource } from "../../runtime/key-ring.ts";
import { hashOf } from "../../auth/opaque-tokens.ts";
import { seal, unseal } from "../../runtime/sealed-text.ts";

type RandomBytes = (count: number) => Buffer;

/** The defaults of RFC 6238, which every authenticator app assumes. */
const appSettings = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** The number of earlier and later time steps whose codes are also accepted, because clocks differ. */
const tolerance = 1;

const placeOf = (staffId: string) => `staff/${staffId}/totp`;

/** A new secret for an authenticator app, in base32. @param randomBytes from a secure source */
export const newAppSecret = (randomBytes: RandomBytes): string => base32(randomBytes(20));

const base32 = (bytes: Buffer): string =>
  new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;

/** The URL in the QR code that an authenticator app scans. */
export const appUrl = (secret: string, { issuer, email }: { issuer: string; email: string }) =>
  new TOTP({ ...appSettings, issuer, label: email, secret: Secret.fromBase32(secret) }).toString();

export const sealAppSecret = (secret: string, staffId: string, ring: KeyRing) =>
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
export async function usedCode(
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
export function newRecoveryCodes(randomBytes: RandomBytes): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: recoveryCount }, () =>
    base32(randomBytes(10))
      .toLowerCase()
      .replaceAll(/(.{4})(?=.)/g, "$1-"),
  );
  return { codes, hashes: codes.map((code) => hashOf(normalizedRecoveryCode(code))) };
}

const normalizedRecoveryCode = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, "");

/** Wrong codes in a row that lock a second factor. */
export const wrongCodesToLock = 10;
const lockMs = 15 * 60_000;

/** A second factor after a wrong code. The tenth in a row locks it for 15 minutes, recovery codes included. */
export function withWrongCode(factor: SecondFactor, now: Date): SecondFactor {
  const wrong_codes = factor.wrong_codes + 1;
  if (wrong_codes < wrongCodesToLock) return { ...factor, wrong_codes };
  const locked_until = new Date(now.getTime() + lockMs).toISOString();
  return { ...factor, wrong_codes: 0, locked_until };
}

/** When the lock of a second factor ends; undefined if it is not locked. */
export function lockEndOf({ locked_until }: SecondFactor, now: Date): Date | undefined {
  const end = new Date(locked_until ?? 0);
  return end > now ? end : undefined;
}
