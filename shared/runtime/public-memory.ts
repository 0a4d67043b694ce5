import { LRUCache } from "lru-cache";

/** A value to keep. */
interface Kept<Value> {
  readonly value: Value;
  /** Its size, which counts towards the maximum size of the memory. */
  readonly bytes: number;
  /** When it changes without any write, in ms since 1970; Infinity if only a write changes it. */
  readonly until: number;
  /** How long it is reused at most, in ms; default: until it changes. */
  readonly maxAgeMs?: number;
}

interface Entry extends Kept<unknown> {
  /** What `state` returned before the value was made. */
  readonly state: string;
  /** When it was begun, by `elapsed`. */
  readonly madeAt: number;
}

/** Public data in a function's memory. */
export interface PublicMemory {
  /**
   * Returns the stored value of this key while it is valid, otherwise the value that `make` reads now. A failure of
   * `make` is not stored.
   */
  keep<Value>(key: string, make: () => Promise<Kept<Value>>): Promise<Value>;
}

const maxBytes = 24 * 1024 * 1024;
/** Estimated size of an entry besides its key and value. */
const entryBytes = 200;
/** Longer keys are not kept: only an attacker's queries are so long. */
const longestKey = 500;

/**
 * Opens a memory of at most 24 MB. Beyond that, the least recently used values are removed.
 *
 * @param state returns a text that changes whenever public data changes. It is called before `make` and stored with the
 * value. The value is used only while `state` returns the same text, so `make` must not read older data than `state`
 * @param clock.elapsed in ms, for the age of a value
 * @param clock.now in ms since 1970
 */
export function openPublicMemory(
  state: () => Promise<string>,
  { elapsed, now = Date.now }: { elapsed: () => number; now?: () => number },
): PublicMemory {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => entryBytes + key.length + bytes,
  });
  return {
    async keep<Value>(key: string, make: () => Promise<Kept<Value>>): Promise<Value> {
      const current = await state();
      const known = entries.get(key);
      const isFresh =
        known?.state === current &&
        now() < known.until &&
        elapsed() - known.madeAt < (known.maxAgeMs ?? Infinity);
      // Each key has values of one type.
      if (isFresh) return known.value as Value;
      const madeAt = elapsed();
      const made = await make();
      if (key.length <= longestKey) entries.set(key, { ...made, state: current, madeAt });
      return made.value;
    },
  };
}
