import * as z from "zod";

const SigningKey = z.object({
  kid: z.string().min(1),
  secret: z.base64url().refine((text) => Buffer.from(text, "base64url").length >= 32, {
    message: "A signing key must have at least 32 bytes.",
  }),
});

/**
 * A guard's keys: the current one signs, the previous one is still accepted during a rotation. Base64url, at least 32
 * bytes each.
 */
export const KeyRing = z.object({ current: SigningKey, previous: SigningKey.optional() });
export type KeyRing = z.output<typeof KeyRing>;

/**
 * Returns the current keys.
 *
 * @param kid of the key that a token names; an unknown one makes the source reload its keys
 * @throws Unavailable when no keys can be read
 */
export type KeySource = (kid?: string) => Promise<KeyRing>;

export function keyNamed(kid: string, { current, previous }: KeyRing) {
  return [current, previous].find((key) => key?.kid === kid);
}
