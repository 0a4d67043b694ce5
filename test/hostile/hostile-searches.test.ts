// @module-tag emulator
// @module-tag slow
import { beforeAll, describe, expect, test } from "vitest";
import { everyRoute } from "#test/support/http/every-route.ts";
import { hostileSearches } from "#test/support/hostile/hostile-values.ts";
import { pricedCalls, referenceRefusal } from "#test/support/hostile/refusal-costs.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { environment } = await useShop();

/** The limit in multiples of the reference refusal, which takes about 0.6 ms on a quiet machine. */
const most = 10;
/** The CPU time of one search is less than what some kernels count, so several are measured together. */
const calls = 16;
const attempts = 3;
const callsOf = pricedCalls(environment);

let reference: number;
beforeAll(async () => {
  reference = await referenceRefusal(callsOf);
});

const routes = everyRoute.filter(({ key }) =>
  /^GET \/api\/v1\/(?:search(?:\/suggest)?|products|sofas|admin\/products)$/.test(key),
);

describe.each(routes)("$key", ({ key, route }) => {
  test("answers any hostile query at the CPU cost of a few ordinary refusals", async () => {
    const call = await callsOf(route);
    let distinct = 0;
    /** The cost of queries that no function has answered before, so that none comes from memory. */
    const once = async (q: string) => {
      distinct += 1;
      const longer = `${q.slice(0, 195)} ${distinct}`;
      const { micros, status } = await call({ query: { q: longer } });
      expect([longer, status]).toEqual([longer, 200]);
      return micros;
    };
    const costs: Record<string, number> = {};
    for (const [kind, q] of Object.entries(hostileSearches)) {
      let least = Infinity;
      for (let attempt = 0; attempt < attempts; attempt++) {
        let sum = 0;
        for (let turn = 0; turn < calls; turn++) sum += await once(q);
        least = Math.min(least, sum / calls);
      }
      costs[kind] = least / reference;
    }
    expect(tooExpensive(key, costs)).toEqual([]);
  });
});

/** The kinds of queries above the limit, each with its cost. */
function tooExpensive(where: string, costs: Readonly<Record<string, number>>): string[] {
  const worst = Math.max(...Object.values(costs));
  process.stdout.write(
    `Hostile searches of ${where}: the most expensive cost as much as ${worst.toFixed(2)} plain refusals of ${reference} µs.\n`,
  );
  return Object.entries(costs).flatMap(([kind, cost]) =>
    cost > most ? [`${kind}: ${cost.toFixed(1)} times`] : [],
  );
}
