import * as z from "zod";

const SigningKey = z.object({
  kid: z.string().min(1),
  secret: z.base64url().refine((text) => Buffer.from(text, "base64url").length >= 32, {
    message: "A signing key has at least 32 bytes.",
  }),
});

/** A guard's keys: what signs now and, while it is rotated, what signed before. Base64url, at least 32 bytes each. */
export const KeyRing = z.object({ current: SigningKey, previous: SigningKey.optional() });
export type KeyRing = z.output<typeof KeyRing>;

/**
 * Gives the keys that count now.
 *
 * @param kid of the key that a token names; where it is unknown the source looks for newer keys
 * @throws Unavailable when there is none to give
 */
export type KeySource = (kid?: string) => Promise<KeyRing>;

export function keyNamed(kid: string, { current, previous }: KeyRing) {
  return [current, previous].find((key) => key?.kid === kid);
}
