import { beforeAll, describe, expect, test } from "vitest";
import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { startStack } from "#infra/local/stack.ts";
import { measureReadingCosts, nameOf } from "#test/bench/reading-costs.ts";
import { type StorageCost, visibleLatencyMs } from "#test/bench/storage-costs.ts";
import { everyRoute } from "#test/support/every-route.ts";
import { startProxiedService } from "#test/support/proxied-service.ts";

describe("storage, per call of a warm function that only reads", () => {
  /** Requests, sequential steps and read units, each at most, in the demo shop as it is planted. */
  const budgets: Record<string, [requests: number, steps: number, read: number]> = {
    "GET /health": [0, 0, 0],
    "GET /bootstrap": [1, 1, 4],
    "GET /home": [3, 2, 36],
    "GET /pages/{slug}": [1, 1, 3],
    "GET /faqs": [1, 1, 3],
    "GET /interiors": [2, 2, 70],
    "GET /interiors/{slug}": [2, 2, 12],
    "GET /redirects": [1, 1, 3],
    "GET /sofas": [1, 1, 3],
    "GET /sofas/materials": [0, 0, 0],
    "GET /sofas/{slug}": [1, 1, 5],
    "GET /products": [0, 0, 0],
    "GET /products/{slug}": [1, 1, 6],
    "GET /products/{slug}/related": [0, 0, 0],
    "GET /categories": [0, 0, 0],
    "GET /cart": [0, 0, 0],
    "GET /auth/me": [2, 1, 5],
    "GET /addresses": [2, 1, 5],
    "GET /addresses/{id}": [2, 1, 5],
    "GET /orders": [3, 2, 6],
    "GET /orders/{id}": [2, 1, 5],
    "GET /wishlist": [2, 1, 5],
    "GET /admin/auth/me": [2, 1, 6],
    "GET /admin/users": [2, 2, 6],
    "GET /admin/users/{id}": [2, 1, 6],
    "GET /admin/roles": [2, 2, 6],
    "GET /admin/settings": [3, 2, 12],
    "GET /admin/settings/checklist": [6, 3, 36],
    "GET /admin/settings/{group}": [1, 1, 5],
    "GET /admin/dashboard": [13, 3, 36],
    "GET /admin/analytics/overview": [11, 3, 28],
    "GET /admin/analytics/traffic": [13, 3, 42],
    "GET /admin/analytics/products": [6, 4, 76],
    "GET /admin/analytics/leads-funnel": [7, 3, 22],
    "GET /admin/analytics/messaging": [4, 2, 13],
    "GET /admin/activity": [3, 3, 12],
    "GET /admin/products": [2, 2, 6],
    "GET /admin/products/{id}": [3, 2, 8],
    "GET /admin/sofas": [2, 2, 6],
    "GET /admin/sofas/{id}": [2, 1, 8],
    "GET /admin/materials": [2, 2, 6],
    "GET /admin/materials/{id}": [2, 1, 6],
    "GET /admin/categories": [2, 1, 15],
    "GET /admin/categories/{id}": [2, 1, 9],
    "GET /admin/inventory": [3, 3, 46],
    "GET /admin/homepage": [2, 1, 12],
    "GET /admin/homepage/versions": [2, 2, 6],
    "GET /admin/announcement": [2, 1, 6],
    "GET /admin/menus": [2, 1, 6],
    "GET /admin/pages": [2, 2, 7],
    "GET /admin/pages/{id}": [2, 1, 6],
    "GET /admin/pages/{id}/versions": [3, 2, 12],
    "GET /admin/faqs": [2, 1, 6],
    "GET /admin/faqs/{slug}": [2, 1, 6],
    "GET /admin/interiors": [2, 2, 7],
    "GET /admin/interiors/{id}": [2, 1, 6],
    "GET /admin/interiors/{id}/versions": [3, 2, 12],
    "GET /admin/redirects": [2, 1, 6],
    "GET /admin/redirects/{id}": [2, 1, 6],
    "GET /admin/sofa-landing": [2, 1, 6],
    "GET /admin/orders": [13, 14, 20],
    "GET /admin/orders/{id}": [2, 1, 6],
    "GET /admin/customers": [2, 2, 6],
    "GET /admin/customers/{id}": [3, 1, 9],
    "GET /admin/customers/{id}/orders": [4, 2, 13],
    "GET /admin/coupons": [3, 3, 28],
    "GET /admin/coupons/{id}": [3, 2, 8],
    "GET /admin/leads": [3, 3, 7],
    "GET /admin/leads/{id}": [2, 1, 6],
    "GET /admin/quotes": [3, 3, 12],
    "GET /admin/quotes/{id}": [2, 1, 6],
    "GET /admin/media": [2, 2, 6],
    "GET /admin/inbox/conversations": [2, 2, 6],
    "GET /admin/inbox/conversations/{id}": [2, 1, 6],
    "GET /admin/inbox/conversations/{id}/messages": [4, 3, 13],
    "GET /admin/inbox/quick-replies": [2, 1, 6],
    "GET /admin/inbox/quick-replies/{id}": [2, 1, 6],
    "GET /admin/exports/{type}": [2, 2, 6],
    "GET /docs/api.json": [0, 0, 0],
    "GET /docs/api": [0, 0, 0],
    "GET /docs/api/{asset}": [0, 0, 0],
  };
  /** What they read is named by a secret, or lists show no example of it. */
  const unmeasured = [
    "GET /shipping/quote",
    "GET /orders/track/{number}",
    "GET /admin/orders/{id}/invoice",
    "GET /quotes/{id}",
    "GET /media/fabric/{id}",
    "GET /admin/media/{id}",
    "GET /webhooks/messaging/whatsapp",
  ];

  let costs: Map<string, StorageCost>;
  beforeAll(async () => {
    // A shop of its own: other tests would fill its lists.
    const { environment, settled, stop } = await startStack({
      dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
      seed: seedIfEmpty,
    });
    await settled();
    const service = await startProxiedService(environment, { latencyMs: visibleLatencyMs });
    try {
      const measured = await measureReadingCosts(service, environment);
      costs = new Map(measured.map((cost) => [cost.endpoint, cost]));
    } finally {
      await service.stop();
      await stop();
    }
  });

  test("every endpoint that reads has a budget, or a reason to have none", () => {
    const reading = everyRoute
      .filter(({ route }) => route.method === "GET")
      .map(({ route }) => nameOf(route));
    expect([...Object.keys(budgets), ...unmeasured].toSorted()).toEqual(reading.toSorted());
  });

  test.each(Object.entries(budgets))("%s", (endpoint, [requests, steps, read]) => {
    const cost = costs.get(endpoint);
    expect(cost).toBeDefined();
    expect(cost?.requests).toBeLessThanOrEqual(requests);
    expect(cost?.steps).toBeLessThanOrEqual(steps);
    expect(cost?.readUnits).toBeLessThanOrEqual(read);
    expect(cost?.writeUnits).toBe(0);
  });
});
