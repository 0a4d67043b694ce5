import type { FaultScript } from "./dynamodb-proxy.ts";

interface Limits {
  /** How many transactions on the same items are cancelled while one is in progress. */
  readonly conflictsPerTransaction: number;
  /** How many write units a partition has per second. */
  readonly unitsPerSecond: number;
}

export interface Contention {
  readonly script: FaultScript;
  /** What became of the transactions so far. */
  readonly outcomes: { admitted: number; conflicts: number; throttled: number };
}

/** For each item, a transaction uses one unit to prepare and one to commit, even if the transaction is cancelled. */
const unitsPerItem = 2;

/**
 * Simulates limits that DynamoDB has and its emulators lack: concurrent transactions on one item are cancelled, and a
 * partition accepts a limited number of writes. Here each partition key is one partition; DynamoDB may split it.
 */
export function contention({ conflictsPerTransaction, unitsPerSecond }: Limits): Contention {
  const outcomes = { admitted: 0, conflicts: 0, throttled: 0 };
  /** How many transactions each item will still cancel. A count, not a time: a slow machine sends fewer at a time. */
  const conflictsLeft = new Map<string, number>();
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
      const occupied = transactedItems.filter((item) => (conflictsLeft.get(item) ?? 0) > 0);
      for (const item of occupied) conflictsLeft.set(item, (conflictsLeft.get(item) ?? 0) - 1);
      if (occupied.length > 0) {
        outcomes.conflicts += 1;
        return "conflict";
      }
      for (const item of transactedItems) conflictsLeft.set(item, conflictsPerTransaction);
      outcomes.admitted += 1;
      return undefined;
    },
  };
}
