import type { FaultScript } from "./dynamodb-proxy.ts";

interface Limits {
  /** How long a transaction occupies its items. Other transactions on one of them are cancelled meanwhile. */
  readonly transactionMs: number;
  /** How many write units a partition has per second. */
  readonly unitsPerSecond: number;
}

export interface Contention {
  readonly script: FaultScript;
  /** What became of the transactions so far. */
  readonly outcomes: { admitted: number; conflicts: number; throttled: number };
}

/** A transaction prepares and commits each item, which costs a unit each, even if it is cancelled. */
const unitsPerItem = 2;

/**
 * Limits that AWS has and the emulators lack: concurrent transactions on one item are cancelled, and a partition takes
 * a limited number of writes. All items of a partition key are in one partition here; AWS may split them.
 */
export function contention({ transactionMs, unitsPerSecond }: Limits): Contention {
  const outcomes = { admitted: 0, conflicts: 0, throttled: 0 };
  const busyUntil = new Map<string, number>();
  let second = 0;
  let used = new Map<string, number>();

  function hasUnits(partitions: readonly string[], now: number): boolean {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      used = new Map();
    }
    for (const partition of partitions) {
      used.set(partition, (used.get(partition) ?? 0) + unitsPerItem);
    }
    return partitions.every((partition) => (used.get(partition) ?? 0) <= unitsPerSecond);
  }

  return {
    outcomes,
    script({ partitions, transactedItems }) {
      if (transactedItems.length === 0) return undefined;
      const now = performance.now();
      if (!hasUnits(partitions, now)) {
        outcomes.throttled += 1;
        return "throttled";
      }
      if (transactedItems.some((item) => (busyUntil.get(item) ?? 0) > now)) {
        outcomes.conflicts += 1;
        return "conflict";
      }
      for (const item of transactedItems) busyUntil.set(item, now + transactionMs);
      outcomes.admitted += 1;
      return undefined;
    },
  };
}
