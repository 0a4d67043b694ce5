import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { startStack } from "#infra/local/stack.ts";
import { startProxiedService } from "#test/support/proxied-service.ts";
import type { Section } from "./report.ts";
import { type StorageCost, measureStorageCosts, visibleLatencyMs } from "./storage-costs.ts";

export async function storageSection(): Promise<Section> {
  const costs = await measureDemoShop();
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

/** What calls cost in a demo shop of this process's own. */
export async function measureDemoShop(): Promise<StorageCost[]> {
  const stack = await startStack({ seed: seedIfEmpty });
  try {
    await stack.settled();
    const service = await startProxiedService(stack.environment, { latencyMs: visibleLatencyMs });
    try {
      return await measureStorageCosts(service, stack.environment);
    } finally {
      await service.stop();
    }
  } finally {
    await stack.stop();
  }
}
