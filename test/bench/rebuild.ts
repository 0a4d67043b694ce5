import { type CatalogChanges, RebuildPortion } from "#functions/on-change/catalog-change.ts";
import type { Deps } from "#functions/on-change/catalog-view/deps.ts";
import { begin, goOn } from "#functions/on-change/catalog-view/rebuild.ts";
import { consumers } from "#functions/consumers.ts";
import { startDynamoDb } from "#infra/local/dynamodb.ts";
import { demoCatalog } from "#infra/local/demo/catalog.ts";
import { publishProduct } from "#shared/domain/publish.ts";
import { LiveProducts, Stocks } from "#shared/storage/catalog.ts";
import { putCategories } from "#shared/storage/catalog-edits.ts";
import { openPublishedCatalog } from "#shared/storage/published-catalog.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import { memoryTarget } from "#test/unit/catalog-view/memory-target.ts";
import type { Section } from "./report.ts";

const sizes = [1_000, 10_000];
const portionSize = 500;

/**
 * What making the whole catalog view anew takes: the first time, when every card is stored too, and again. Each of
 * its portions is a call of its function.
 */
export async function rebuildSection(): Promise<Section> {
  const rows: (string | number)[][] = [];
  for (const size of sizes) {
    const dynamoDb = await startDynamoDb({ tableName: "rebuild" });
    const table = openTable({ name: "rebuild", endpoint: dynamoDb.endpoint });
    await plant(table, size);
    const { target, rebuilds, logged, objects } = memoryTarget();
    const sent: CatalogChanges[] = [];
    const queue: Deps["queue"] = { send: async (message) => void sent.push(message as never) };
    const published = openPublishedCatalog(table);
    const deps: Deps = { published, target, rebuilds, queue, portionSize, log: silent };
    for (const what of ["first", "again"]) {
      const calls = [await timed(() => begin(deps))];
      for (let message = sent.shift(); message; message = sent.shift()) {
        const portion = RebuildPortion.parse(message.changes[0]);
        calls.push(await timed(() => goOn(portion, deps)));
        // Storage is elsewhere: of what portions leave there nothing stays in this memory.
        for (const key of [...objects.keys()].slice(0, -3)) objects.delete(key);
      }
      const cpu = calls.map((call) => call.cpu);
      rows.push([
        what,
        size,
        calls.length,
        cpu.reduce((sum, each) => sum + each, 0),
        Math.max(...cpu),
        Math.max(...calls.map(({ seconds }) => seconds)),
        process.resourceUsage().maxRSS / 1e3,
      ]);
    }
    if (logged.length > 0) throw new Error(logged.join());
    await dynamoDb.stop();
  }
  const { timeoutSeconds, memoryMb } =
    consumers.find(({ name }) => name === "on-change-catalog-view") ?? {};
  return {
    title: "The catalog view made anew",
    note: `Its function has ${timeoutSeconds} seconds and ${memoryMb} MB. Time is the emulator's, which answers one request at a time.`,
    columns: [
      "run",
      "products",
      "calls",
      "CPU (s)",
      "CPU of the longest call (s)",
      "the longest call (s)",
      "peak memory (MB)",
    ],
    rows,
  };
}

async function timed(work: () => Promise<void>): Promise<{ cpu: number; seconds: number }> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e6, seconds: (performance.now() - begun) / 1000 };
}

async function plant(table: Table, size: number): Promise<void> {
  const now = new Date("2026-01-01T00:00:00Z");
  const { products, categories, stock } = demoCatalog(now);
  await table.transact(putCategories(categories, 0));
  const byProduct = Map.groupBy(stock, ({ owner }) => owner.id);
  for (let at = 0; at < size; at += 25) {
    const writes = Array.from({ length: Math.min(25, size - at) }, (_, offset) => {
      const product = products[(at + offset) % products.length]!;
      const mark = `-${at + offset}`;
      const variants = product.variants.map((one) => ({ ...one, sku: `${one.sku}${mark}` }));
      const id = `prd_${String(at + offset).padStart(26, "0")}`;
      const own = { ...product, id, slug: `${product.slug}${mark}`, variants };
      const published = publishProduct(own, categories, now);
      if (!published.ok) throw new Error(JSON.stringify(published.problems));
      const rows = byProduct.get(product.id) ?? [];
      return [
        put(LiveProducts, published.live),
        ...rows.map((row) => put(Stocks, { ...row, sku: `${row.sku}${mark}` })),
      ];
    });
    await table.putMany(writes.flat());
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
