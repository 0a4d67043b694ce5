import { KeyRing, type KeySource, keyNamed } from "./key-ring.ts";
import { secretKeysReader } from "./secret-keys.ts";
import { slimSecretKeysReader } from "./slim-secret-keys.ts";
import { Unavailable } from "./unavailable.ts";

interface KeyOptions {
  /** A key ring as JSON. */
  readonly keys: string | undefined;
  /** ARN of a secret of Secrets Manager, whose value is the key itself. */
  readonly secret: string | undefined;
}

/**
 * The keys of a guard: those in the environment, or those of a secret.
 *
 * @throws ZodError, SyntaxError or TypeError at once when neither can be keys
 */
export const openKeys = (options: KeyOptions): KeySource => keysBy(secretKeysReader, options);

/** `openKeys` without the SDK client, for the authorizer. */
export const openKeysSlim = (options: KeyOptions): KeySource =>
  keysBy(slimSecretKeysReader, options);

/** @param reader makes a function that reads what a KeyRing must parse */
function keysBy(
  reader: (secret: string) => () => Promise<unknown>,
  { keys, secret }: KeyOptions,
): KeySource {
  if (keys !== undefined) {
    const ring = KeyRing.parse(JSON.parse(keys));
    return async () => ring;
  }
  if (secret === undefined) throw new TypeError("Neither keys nor the secret that holds them");
  return rememberedKeys(reader(secret), Date.now);
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
