import { beforeAll, describe, expect, test } from "vitest";
import { measureDemoShop } from "#test/bench/demo-shop-costs.ts";
import { byCalendar, storageBudgets } from "#test/support/calls/budgets.ts";
import type { StorageCost } from "#test/bench/storage-costs.ts";
import { nameOf } from "#test/support/calls/every-call.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

/** Calls with a writing method that may change nothing. */
const changingNothing = /^POST \/(?:sofas\/\{slug\}\/price|checkout\/\{order\}\/confirm)/;

describe("the storage cost of a call in a warm function", () => {
  let costs: Map<string, StorageCost>;
  beforeAll(async () => {
    // A separate shop: other tests would fill its lists, and some calls change shared records.
    const measured = await measureDemoShop({ everyRoute: true });
    costs = new Map(measured.map((cost) => [cost.endpoint, cost]));
  });

  /** The line that `test/support/calls/budgets.ts` must contain for an endpoint, from its current cost. */
  function wanted(endpoint: string): string {
    const cost = costs.get(endpoint);
    if (!cost) return `no line: no call of ${endpoint} is measured`;
    const { requests, steps, readUnits, writeUnits } = cost;
    const budget = [requests, steps, Math.ceil(readUnits), Math.ceil(writeUnits)];
    return `  "${endpoint}": [${budget.join(", ")}],`;
  }

  test("has a budget for every route", () => {
    const withBudget = new Set(Object.keys(storageBudgets).map((name) => name.split(",")[0]));
    const names = everyRoute.map(({ route }) => nameOf(route));
    const missing = names.filter((name) => !withBudget.has(name)).map(wanted);
    const advice = ["Add these lines to test/support/calls/budgets.ts:", ...missing].join("\n");
    expect(missing, advice).toEqual([]);
  });

  test("is measured for every budget", () => {
    const stale = Object.keys(storageBudgets).filter((endpoint) => !costs.has(endpoint));
    expect(stale, "Remove these lines from test/support/calls/budgets.ts").toEqual([]);
  });

  test.each(Object.entries(storageBudgets))(
    "is within its budget: %s",
    (endpoint, [requests, steps, read, write]) => {
      const cost = costs.get(endpoint);
      const advice = `If the change is meant, test/support/calls/budgets.ts needs:\n${wanted(endpoint)}`;
      if (byCalendar.has(endpoint)) {
        expect(cost?.requests, advice).toBeLessThanOrEqual(requests);
        expect(cost?.steps, advice).toBeLessThanOrEqual(steps);
      } else {
        const measured = { requests: cost?.requests, steps: cost?.steps };
        expect(measured, advice).toEqual({ requests, steps });
      }
      expect(cost?.readUnits, advice).toBeLessThanOrEqual(read);
      expect(cost?.writeUnits, advice).toBeLessThanOrEqual(write);
    },
  );

  test("includes a change for every measured write", () => {
    const idle = [...costs.values()].filter(({ writeUnits }) => writeUnits === 0);
    const meant = idle.map(({ endpoint }) => endpoint).filter((name) => !name.startsWith("GET "));
    expect(meant.filter((name) => !changingNothing.test(name))).toEqual([]);
  });

  test("includes strongly consistent reads of carts, orders and identities", () => {
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
