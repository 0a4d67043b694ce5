import { measureDemoShop } from "./demo-shop-costs.ts";
import type { Section } from "./report.ts";
import { storageBudgets } from "#test/support/calls/budgets.ts";

export async function storageSection(): Promise<Section> {
  const costs = await measureDemoShop({ everyRoute: true });
  return {
    title: "Storage",
    note:
      "The cost of one call of each endpoint in DynamoDB, on a warm function with the demo shop, counted by a proxy. " +
      "Each cost is followed by its budget, which `test/e2e/budgets.test.ts` enforces: requests and steps must be equal, " +
      "units at most equal. Steps are sequential requests; units are what DynamoDB reports with `ReturnConsumedCapacity`.",
    columns: ["endpoint", ...measures.flatMap((measure) => [measure, "budget"])],
    rows: costs.map(({ endpoint, requests, steps, readUnits, writeUnits }) => {
      const budget = storageBudgets[endpoint] ?? [];
      const found = [requests, steps, readUnits, writeUnits];
      return [endpoint, ...found.flatMap((cost, at) => [cost, budget[at] ?? null])];
    }),
  };
}

const measures = ["requests", "steps", "read units", "write units"];
