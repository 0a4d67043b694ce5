import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { startStack } from "#infra/local/stack.ts";
import { startProxiedService } from "#test/support/proxied-service.ts";
import { measureReadingCosts } from "./reading-costs.ts";
import type { Section } from "./report.ts";
import { type StorageCost, measureStorageCosts, visibleLatencyMs } from "./storage-costs.ts";

export async function storageSection(): Promise<Section> {
  const costs = await measureDemoShop({ everyRead: true });
  return {
    title: "Storage",
    note:
      "What one call costs in DynamoDB on warm functions over the demo shop, counted by a proxy. " +
      "Steps are requests that wait for one another. Goals: lists 0 (1 when revalidating), details 1, checkout at most 3.",
    columns: ["endpoint", "requests", "steps", "read units", "write units"],
    rows: costs.map(({ endpoint, requests, steps, readUnits, writeUnits }) => [
      endpoint,
      requests,
      steps,
      readUnits,
      writeUnits,
    ]),
  };
}

/**
 * What calls cost in a demo shop of this process's own: those from browsing to an order, and on demand everything
 * else that only reads.
 */
export async function measureDemoShop({ everyRead = false } = {}): Promise<StorageCost[]> {
  const stack = await startStack({ seed: seedIfEmpty });
  try {
    await stack.settled();
    const service = await startProxiedService(stack.environment, { latencyMs: visibleLatencyMs });
    try {
      const costs = await measureStorageCosts(service, stack.environment);
      if (!everyRead) return costs;
      const known = new Set(costs.map(({ endpoint }) => endpoint));
      const others = await measureReadingCosts(service, stack.environment);
      return [...costs, ...others.filter(({ endpoint }) => !known.has(endpoint))];
    } finally {
      await service.stop();
    }
  } finally {
    await stack.stop();
  }
}
