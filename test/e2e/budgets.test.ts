import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  type StorageCost,
  measureStorageCosts,
  visibleLatencyMs,
} from "#test/bench/storage-costs.ts";
import { startProxiedService } from "#test/support/proxied-service.ts";

describe("storage, per call of a warm function", () => {
  /** Requests and sequential steps exactly; capacity units at most. */
  const budgets: Record<string, { requests: number; steps: number; read: number; write: number }> =
    {
      "GET /health": { requests: 0, steps: 0, read: 0, write: 0 },
      "GET /bootstrap": { requests: 1, steps: 1, read: 2, write: 0 },
      "GET /home": { requests: 3, steps: 2, read: 30, write: 0 },
      "GET /faqs": { requests: 1, steps: 1, read: 2, write: 0 },
      "GET /interiors": { requests: 2, steps: 2, read: 60, write: 0 },
      "GET /redirects": { requests: 1, steps: 1, read: 1, write: 0 },
      "GET /products": { requests: 0, steps: 0, read: 0, write: 0 },
      "GET /products, facets": { requests: 0, steps: 0, read: 0, write: 0 },
      "GET /products, search": { requests: 0, steps: 0, read: 0, write: 0 },
      "GET /products, revalidating": { requests: 1, steps: 1, read: 1, write: 0 },
      "GET /products/{slug}": { requests: 1, steps: 1, read: 6, write: 0 },
      "GET /products/{slug}, not in the view yet": { requests: 2, steps: 2, read: 3, write: 0 },
      "GET /products/{slug}/related": { requests: 0, steps: 0, read: 0, write: 0 },
      "GET /categories": { requests: 0, steps: 0, read: 0, write: 0 },
      "GET /sofas": { requests: 0, steps: 0, read: 0, write: 0 },
      "GET /sofas/{slug}": { requests: 1, steps: 1, read: 4, write: 0 },
      "GET /sofas/materials": { requests: 0, steps: 0, read: 0, write: 0 },
      "POST /sofas/{slug}/price": { requests: 1, steps: 1, read: 4, write: 0 },
      "POST /cart, new": { requests: 3, steps: 3, read: 3, write: 1 },
      "PATCH /cart/items": { requests: 3, steps: 3, read: 4, write: 1 },
      "GET /cart": { requests: 2, steps: 2, read: 3, write: 0 },
      "GET /shipping/quote": { requests: 2, steps: 2, read: 3, write: 0 },
      "POST /checkout/coupon": { requests: 3, steps: 2, read: 5, write: 1 },
      "POST /checkout": { requests: 5, steps: 3, read: 5, write: 37 },
      "POST /checkout/{order}/confirm": { requests: 1, steps: 1, read: 1, write: 0 },
      "POST /checkout, gateway": { requests: 5, steps: 4, read: 5, write: 49 },
      "POST /checkout/{order}/confirm, gateway": { requests: 1, steps: 1, read: 2, write: 0 },
      "POST /checkout/{order}/payment": { requests: 3, steps: 2, read: 2, write: 26 },
      "POST /analytics/events": { requests: 3, steps: 2, read: 1, write: 3 },
      "GET /orders/track/{number}": { requests: 3, steps: 2, read: 2, write: 1 },
    };

  let costs: Map<string, StorageCost>;
  beforeAll(async () => {
    const environment = inject("environment");
    const service = await startProxiedService(environment, { latencyMs: visibleLatencyMs });
    try {
      const measured = await measureStorageCosts(service, environment);
      costs = new Map(measured.map((cost) => [cost.endpoint, cost]));
    } finally {
      await service.stop();
    }
  });

  test("every endpoint measured has a budget, and the other way round", () => {
    expect([...costs.keys()].toSorted()).toEqual(Object.keys(budgets).toSorted());
  });

  test.each(Object.entries(budgets))("%s", (endpoint, { requests, steps, read, write }) => {
    const cost = costs.get(endpoint);
    expect({ requests: cost?.requests, steps: cost?.steps }).toEqual({ requests, steps });
    expect(cost?.readUnits).toBeLessThanOrEqual(read);
    expect(cost?.writeUnits).toBeLessThanOrEqual(write);
  });

  test("whatever decides about carts, orders and identity is read strongly consistent", () => {
    const deciding =
      /^(CART|CUSTOMER|STAFF|SESSION|IDEMPOTENCY|ORDER|ORDERNUMBER|STOCK|COUPON|BUYER)#/;
    const calls = [...costs.values()].flatMap((cost) => cost.calls);
    const reads = calls.filter(
      ({ consistent, partitions }) =>
        consistent !== null && partitions.some((partition) => deciding.test(partition)),
    );
    expect(reads.length).toBeGreaterThan(10);
    expect(reads.filter(({ consistent }) => !consistent)).toEqual([]);
  });
});
