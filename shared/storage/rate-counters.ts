import { hash } from "node:crypto";
import * as z from "zod";
import type { Counter, NestedCounter, NestedRateCounters } from "../domain/request/rate-limits.ts";
import type { Log } from "../runtime/log.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import { type Write, update } from "./writes.ts";

export const RateRows = entity({
  name: "rate",
  notExported: "transient",
  schema: z.object({ calls: z.int() }),
  key: ({ limit, caller, window }: Pick<Counter, "limit" | "caller" | "window">) => ({
    pk: `RATE#${limit}#${caller}#${window}`,
    sk: "RATE",
  }),
  ttl: "set by updates",
});

/**
 * Rate-limit counters in the table. Callers are stored hashed. A counter that cannot be updated is logged and counts
 * as 1.
 */
export function openRateCounters(table: Table, log: Pick<Log, "error">): NestedRateCounters {
  async function rowAfter(counter: Counter | NestedCounter, by: number) {
    try {
      return await table.write(addition(counter, by));
    } catch (cause) {
      const { limit } = counter;
      log.error("Rate limit skipped: the counter could not be updated", { limit, cause });
      return undefined;
    }
  }
  return {
    async increment({ by = 1, ...counter }) {
      return Number((await rowAfter(counter, by))?.["calls"] ?? 1);
    },
    async incrementBoth({ by = 1, ...counter }) {
      const row = await rowAfter(counter, by);
      return { outer: Number(row?.["calls"] ?? 1), inner: Number(row?.[innerOf(counter)] ?? 1) };
    },
  };
}

/** Takes one request out of each counter, in the transaction of a request that succeeds. */
export const uncount = (counters: readonly (Counter | NestedCounter)[]): Write[] =>
  counters.map((counter) => addition(counter, -1));

function addition(counter: Counter | NestedCounter, by: number): Write {
  const { limit, caller, window, seconds } = counter;
  const id = { limit, caller: hash("sha256", caller, "base64url").slice(0, 22), window };
  return update(RateRows, id, {
    add: { calls: by, ...("inner" in counter && { [innerOf(counter)]: by }) },
    set: { ttl: (window + 2) * seconds, entity: RateRows.name },
  });
}

const innerOf = ({ inner: { limit, window } }: NestedCounter) => `${limit}_${window}`;
