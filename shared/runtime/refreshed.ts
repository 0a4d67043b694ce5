import { Unavailable } from "./unavailable.ts";

/** A value in memory that is checked for changes when it is used. */
export interface Refreshed<Value> {
  /** Throws Unavailable only if the value was never loaded. */
  current(): Promise<Value>;
  /** The value as it was loaded last. */
  readonly loaded: Value | undefined;
}

const maxAgeMs = 2_000;

/**
 * Keeps a value in a function's memory. A timer would not run in a frozen function, so the value is checked on use. A
 * call more than two seconds after the last check waits for a new check, which concurrent calls share. If the check
 * fails, the loaded value stays in use until the next check.
 *
 * @param load returns the new value; it receives the previous value
 * @param options.failed logs a failure
 * @param options.now in milliseconds
 */
export function refreshed<Value>(
  load: (before: Value | undefined) => Promise<Value>,
  { now, failed }: { now: () => number; failed: (cause: unknown, loaded?: Value) => void },
): Refreshed<Value> {
  let loaded: Value | undefined;
  let checkedAt = -Infinity;
  let checking: Promise<Value> | undefined;

  async function check(): Promise<Value> {
    const startedAt = now();
    try {
      loaded = await load(loaded);
    } catch (cause) {
      failed(cause, loaded);
      if (loaded === undefined) throw new Unavailable("The data was never loaded", { cause });
    } finally {
      checkedAt = startedAt;
      checking = undefined;
    }
    return loaded;
  }

  return {
    get loaded() {
      return loaded;
    },
    async current() {
      if (loaded !== undefined && now() - checkedAt <= maxAgeMs) return loaded;
      checking ??= check();
      return checking;
    },
  };
}
