import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { families } from "#functions/families.ts";
import { openers as openersOfWriter } from "#infra/generated/entries/on-change-catalog-index.ts";
import { openShop } from "#shared/application/shop.ts";
import { bundle, bundleFile } from "#infra/bundle/bundle.ts";
import { declaredVariables } from "#infra/local/functions/load-function.ts";
import { startStack } from "#infra/local/stack.ts";
import { anEvent } from "#test/support/http/in-process.ts";
import { coldStart } from "./cold-start.ts";
import { entryOf, numbered, writeIndex } from "./growing-catalog.ts";
import { lineChart } from "./pictures.ts";
import { type Section, median } from "./report.ts";

const sizes = [73, 1_000, 10_000, 50_000];
const runs = 5;
const root = fileURLToPath(new URL("../../", import.meta.url));
const requests = { list: {}, search: { q: "teak chair" } };

/** The first list and search of a new catalog function, which loads the index from S3. */
export async function coldCatalogSection(): Promise<Section> {
  const family = families.find(({ name }) => name === "catalog");
  if (!family) throw new Error("There is no catalog family");
  mkdirSync(join(root, ".local"), { recursive: true });
  const directory = mkdtempSync(join(root, ".local/bench-"));
  const stack = await startStack({ consumers: [] });
  try {
    await bundle([family], directory);
    const file = bundleFile(directory, family.name);
    const environment = declaredVariables(family, stack.environment);
    const writer = openShop(stack.environment, openersOfWriter).catalogIndexWriter;
    const rows: { name: string; size: number; ms: number; importMs: number; mb: number }[] = [];
    for (const size of sizes) {
      await writeIndex(
        writer,
        Array.from({ length: size }, (_, at) => entryOf(numbered(at))),
      );
      for (const [name, query] of Object.entries(requests)) {
        const event = anEvent("GET /api/v1/products", { query });
        const costs = [];
        for (let run = 0; run < runs; run++) {
          costs.push(await coldStart({ file, event, environment }));
        }
        rows.push({
          name,
          size,
          ms: median(costs.map(({ answeredMs }) => answeredMs)),
          importMs: median(costs.map(({ importedMs }) => importedMs)),
          mb: median(costs.map(({ peakMb }) => peakMb)),
        });
      }
    }
    return {
      title: "Cold catalog",
      note:
        `The time from the start of a process to its first answer, including the import, with the index in S3. Medians of ${runs} ` +
        "processes. Goals at 50,000 products: 400 ms without the import, and 250 MB.",
      columns: ["first call", "products", "ms to the answer", "of them import", "peak MB"],
      rows: rows.map(({ name, size, ms, importMs, mb }) => [name, size, ms, importMs, mb]),
      pictures: {
        "cold-catalog.svg": lineChart({
          title: "A new catalog function to its first answer, ms",
          xLabel: "products",
          xs: sizes,
          lines: Object.fromEntries(
            Object.keys(requests).map((name) => [
              name,
              rows.filter((row) => row.name === name).map(({ ms }) => ms),
            ]),
          ),
        }),
      },
    };
  } finally {
    await stack.stop();
    rmSync(directory, { recursive: true });
  }
}
