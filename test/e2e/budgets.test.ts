// @module-tag emulator
// @module-tag slow
import { beforeAll, describe, expect, test } from "vitest";
import { measureDemoShop } from "#test/bench/demo-shop-costs.ts";
import { storageBudgets, withMaximums } from "#test/support/calls/budgets.ts";
import type { StorageCost } from "#test/bench/storage-costs.ts";
import { nameOf } from "#test/support/calls/every-call.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

/** POST routes that need not write anything. */
const changingNothing = /^POST \/(?:sofas\/\{slug\}\/price|checkout\/\{order\}\/confirm)/;

/** Long lists need up to a twentieth more read units, by random names and by what consumers have written so far. */
const sizesVary = 1.05;

describe("the DynamoDB requests of one call to a warm function", () => {
  let costs: Map<string, StorageCost>;
  beforeAll(async () => {
    // A separate shop: other tests would fill its lists, and some calls change shared records.
    const measured = await measureDemoShop({ everyRoute: true });
    costs = new Map(measured.map((cost) => [cost.endpoint, cost]));
  });

  /** The line that an endpoint's budget must have according to its measured cost. */
  function wanted(endpoint: string): string {
    const cost = costs.get(endpoint);
    if (!cost) return `no budget: no call of ${endpoint} is measured`;
    const { requests, steps, readUnits, writeUnits } = cost;
    const budget = [requests, steps, Math.ceil(readUnits), Math.ceil(writeUnits)];
    return `  "${endpoint}": [${budget.join(", ")}],`;
  }

  test("have a budget for every route", () => {
    const withBudget = new Set(Object.keys(storageBudgets).map((name) => name.split(",")[0]));
    const names = everyRoute.map(({ route }) => nameOf(route));
    const missing = names.filter((name) => !withBudget.has(name)).map(wanted);
    const advice = [
      "Add these lines to the budgets of their noun in test/support/calls:",
      ...missing,
    ].join("\n");
    expect(missing, advice).toEqual([]);
  });

  test("have no budget for an endpoint that is not measured", () => {
    const stale = Object.keys(storageBudgets).filter((endpoint) => !costs.has(endpoint));
    expect(stale, "Remove these lines from test/support/calls").toEqual([]);
  });

  test.each(Object.entries(storageBudgets))(
    "are within the budget of %s",
    (endpoint, [requests, steps, read, write]) => {
      const cost = costs.get(endpoint);
      const advice = `If the change is intended, the budgets in test/support/calls need:\n${wanted(endpoint)}`;
      if (withMaximums.has(endpoint)) {
        expect(cost?.requests, advice).toBeLessThanOrEqual(requests);
        expect(cost?.steps, advice).toBeLessThanOrEqual(steps);
      } else {
        const measured = { requests: cost?.requests, steps: cost?.steps };
        expect(measured, advice).toEqual({ requests, steps });
      }
      expect(cost?.readUnits, advice).toBeLessThanOrEqual(read * sizesVary);
      expect(cost?.writeUnits, advice).toBeLessThanOrEqual(write);
    },
  );

  test("include a write for every measured call that changes data", () => {
    const idle = [...costs.values()].filter(({ writeUnits }) => writeUnits === 0);
    const meant = idle.map(({ endpoint }) => endpoint).filter((name) => !name.startsWith("GET "));
    expect(meant.filter((name) => !changingNothing.test(name))).toEqual([]);
  });

  test("include strongly consistent reads of carts, orders and identities", () => {
    const deciding =
      /^(CART|CUSTOMER|STAFF|SESSION|IDEMPOTENCY|ORDER|ORDERNUMBER|STOCK|COUPON|BUYER|OPENINGS)#/;
    const calls = [...costs.values()].flatMap((cost) => cost.calls);
    const reads = calls.filter(
      ({ consistent, partitions }) =>
        consistent !== null && partitions.some((partition) => deciding.test(partition)),
    );
    expect(reads.length).toBeGreaterThan(100);
    expect(reads.filter(({ consistent }) => !consistent)).toEqual([]);
  });
});
