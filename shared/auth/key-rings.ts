import * as z from "zod";
import { Unavailable } from "../runtime/unavailable.ts";
import { readSecretKeys } from "./secret-keys.ts";

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

/**
 * The keys of a guard: those given in the environment as JSON, or those of a secret.
 *
 * @param options.keys a key ring as JSON
 * @param options.secret ARN of a secret of Secrets Manager, whose value is the key itself
 * @throws ZodError, SyntaxError or TypeError at once when neither can be keys
 */
export function openKeys(options: {
  keys: string | undefined;
  secret: string | undefined;
}): KeySource {
  const { keys, secret } = options;
  if (keys !== undefined) {
    const ring = KeyRing.parse(JSON.parse(keys));
    return async () => ring;
  }
  if (secret === undefined) throw new TypeError("Neither keys nor the secret that holds them");
  return rememberedKeys(() => readSecretKeys(secret), Date.now);
}

/** How long keys are used before they are looked up again. */
const freshMs = 300_000;
/** How long at least, whatever unknown keys callers name and however often looking them up fails. */
const pauseMs = 10_000;

/**
 * Keys that are loaded when first asked for and again when they are five minutes old, or when a token names
 * one that is not among them. While they cannot be loaded, those already held go on counting.
 *
 * @param load gives what a KeyRing must parse
 * @param now in milliseconds
 */
export function rememberedKeys(load: () => Promise<unknown>, now: () => number): KeySource {
  let held: KeyRing | undefined;
  let loading: Promise<KeyRing> | undefined;
  let loadedAt = 0;
  let triedAt = 0;

  async function reload(): Promise<KeyRing> {
    triedAt = now();
    held = KeyRing.parse(await load());
    loadedAt = triedAt;
    return held;
  }

  return async (kid) => {
    if (held) {
      const wanted =
        now() - loadedAt >= freshMs || (kid !== undefined && keyNamed(kid, held) === undefined);
      if (!wanted || (!loading && now() - triedAt < pauseMs)) return held;
    }
    loading ??= reload().finally(() => (loading = undefined));
    try {
      return await loading;
    } catch (cause) {
      if (held) return held;
      throw new Unavailable("The signing keys cannot be read", { cause });
    }
  };
}
