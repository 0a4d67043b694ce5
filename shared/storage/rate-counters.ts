import { hash } from "node:crypto";
import * as z from "zod";
import type { RateCounters } from "../domain/request/rate-limits.ts";
import type { Log } from "../runtime/log.ts";
import { entity } from "./entity.ts";
import type { Table } from "./table.ts";
import { update } from "./writes.ts";

type Counter = Parameters<RateCounters["increment"]>[0];

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
export function openRateCounters(table: Table, log: Pick<Log, "error">): RateCounters {
  return {
    async increment({ limit, caller, window, seconds, by = 1 }) {
      const id = { limit, caller: hash("sha256", caller, "base64url").slice(0, 22), window };
      try {
        const counter = await table.write(
          update(RateRows, id, {
            add: { calls: by },
            set: { ttl: (window + 2) * seconds, entity: RateRows.name },
          }),
        );
        return Number(counter?.["calls"] ?? 1);
      } catch (cause) {
        log.error("Rate limit skipped: the counter could not be updated", { limit, cause });
        return 1;
      }
    },
  };
}
