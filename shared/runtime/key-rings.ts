import { KeyRing, type KeySource, keyNamed } from "./key-ring.ts";
import { secretKeysReader } from "./secret-keys.ts";
import { Unavailable } from "./unavailable.ts";

interface KeyOptions {
  /** A key ring as JSON. */
  readonly keys: string | undefined;
  /** ARN of a Secrets Manager secret, whose value is the key itself. */
  readonly secret: string | undefined;
}

/**
 * The keys of a guard, from the environment or from a secret.
 *
 * @throws ZodError, SyntaxError or TypeError immediately when neither is valid
 */
export function openKeys({ keys, secret }: KeyOptions): KeySource {
  if (keys !== undefined) {
    const ring = KeyRing.parse(JSON.parse(keys));
    return async () => ring;
  }
  if (secret === undefined)
    throw new TypeError("Signing keys are missing: set the variable with the keys or the secret");
  return rememberedKeys(secretKeysReader(secret), Date.now);
}

/** How long keys are used before they are reloaded. */
const freshMs = 300_000;
/** Minimum time between two loads, even if callers name unknown keys or a load fails. */
const pauseMs = 10_000;

/**
 * Memoized keys. They are loaded on the first use, when they are five minutes old, and when a token names an unknown
 * key. If loading fails, the previous keys stay valid.
 *
 * @param load returns the input of KeyRing
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
      const isOutdated =
        now() - loadedAt >= freshMs || (kid !== undefined && keyNamed(kid, held) === undefined);
      if (!isOutdated || (!loading && now() - triedAt < pauseMs)) return held;
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
