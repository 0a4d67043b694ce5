import { startStack } from "#infra/local/stack.ts";
import { consumersOf, everyEffect } from "#test/support/stack/effects.ts";
import { startProxiedService } from "#test/support/stack/table.ts";
import { type StillClock, stillClock } from "#test/support/stack/clock.ts";
import { measureOrderList } from "./order-list-cost.ts";
import { measureRoutes } from "./route-costs.ts";
import { type StorageCost, measureStorageCosts, visibleLatencyMs } from "./storage-costs.ts";

/** Measures calls in a separate demo shop: from browsing to an order, and with `everyRoute` every other route. */
export async function measureDemoShop({ everyRoute = false } = {}): Promise<StorageCost[]> {
  const clock = stillClock();
  try {
    return await measureWith(clock, everyRoute);
  } finally {
    clock.restore();
  }
}

async function measureWith(clock: StillClock, everyRoute: boolean): Promise<StorageCost[]> {
  const stack = await startStack({
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    shop: "planted",
    consumers: consumersOf(everyEffect),
  });
  try {
    await stack.settled();
    const service = await startProxiedService(stack.environment, { latencyMs: visibleLatencyMs });
    try {
      const costs = await measureStorageCosts(service, stack.environment, clock);
      if (!everyRoute) return costs;
      const known = new Set(costs.map(({ endpoint }) => endpoint));
      costs.push(...(await measureRoutes(service, { ...stack, clock }, known)));
      return [...costs, await measureOrderList(service, stack.environment, clock)];
    } finally {
      await service.stop();
    }
  } finally {
    await stack.stop();
  }
}
