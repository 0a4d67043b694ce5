import { measureDemoShop } from "./demo-shop-costs.ts";
import type { Section } from "./report.ts";
import { storageBudgets } from "#test/support/calls/budgets.ts";

export async function storageSection(): Promise<Section> {
  const costs = await measureDemoShop({ everyRoute: true });
  return {
    title: "Storage",
    note:
      "What one call of each endpoint costs in DynamoDB on a warm function over the demo shop, counted by a proxy, " +
      "each cost beside its budget, which `test/e2e/budgets.test.ts` enforces: requests and steps exactly, units at " +
      "most. Steps are requests that wait for one another; units are what `ReturnConsumedCapacity` tells.",
    columns: ["endpoint", ...measures.flatMap((measure) => [measure, "budget"])],
    rows: costs.map(({ endpoint, requests, steps, readUnits, writeUnits }) => {
      const budget = storageBudgets[endpoint] ?? [];
      const found = [requests, steps, readUnits, writeUnits];
      return [endpoint, ...found.flatMap((cost, at) => [cost, budget[at] ?? null])];
    }),
  };
}

const measures = ["requests", "steps", "read units", "write units"];
