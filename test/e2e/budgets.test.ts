import { beforeAll, describe, expect, test } from "vitest";
import { measureDemoShop } from "#test/bench/demo-shop-costs.ts";
import { byCalendar, storageBudgets } from "#test/bench/storage-budgets.ts";
import type { StorageCost } from "#test/bench/storage-costs.ts";
import { nameOf } from "#test/support/calls/every-call.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

/** Calls with a writing method that need not change anything. */
const changingNothing = /^POST \/(?:sofas\/\{slug\}\/price|checkout\/\{order\}\/confirm)/;

test("every route has a budget in test/bench/storage-budgets.ts", () => {
  const withBudget = new Set(Object.keys(storageBudgets).map((name) => name.split(",")[0]));
  const without = everyRoute
    .map(({ route }) => nameOf(route))
    .filter((name) => !withBudget.has(name));
  expect(without).toEqual([]);
});

describe("the storage cost of a call in a warm function", () => {
  let costs: Map<string, StorageCost>;
  beforeAll(async () => {
    // A separate shop: other tests would fill its lists, and some calls change shared records.
    const measured = await measureDemoShop({ everyRoute: true });
    costs = new Map(measured.map((cost) => [cost.endpoint, cost]));
  });

  test("is measured for every budget, and every measurement has a budget", () => {
    expect([...costs.keys()].toSorted()).toEqual(Object.keys(storageBudgets).toSorted());
  });

  test.each(Object.entries(storageBudgets))(
    "is within its budget: %s",
    (endpoint, [requests, steps, read, write]) => {
      const cost = costs.get(endpoint);
      if (byCalendar.has(endpoint)) {
        expect(cost?.requests).toBeLessThanOrEqual(requests);
        expect(cost?.steps).toBeLessThanOrEqual(steps);
      } else {
        expect({ requests: cost?.requests, steps: cost?.steps }).toEqual({ requests, steps });
      }
      expect(cost?.readUnits).toBeLessThanOrEqual(read);
      expect(cost?.writeUnits).toBeLessThanOrEqual(write);
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
