import { RebuildPortion } from "#shared/queues/queue-messages.ts";
import { catalogWork } from "#shared/application/listing/catalog-work.ts";
import { staffWork } from "#shared/application/listing/staff-work.ts";
import { begin, continueRebuild } from "#shared/application/listing/rebuild-index.ts";
import type { IndexDeps, IndexWork } from "#shared/application/listing/index-work.ts";
import { consumers } from "#functions/consumers.ts";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { openIndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";
import { openTable } from "#shared/storage/table.ts";
import { memoryTarget } from "#test/unit/catalog-index/memory-target.ts";
import { plantProducts, timed } from "./many-products.ts";
import type { Section } from "./report.ts";

const sizes = [1_000, 10_000];
const portionSize = 500;

type Row = (string | number)[];

/**
 * The cost of rebuilding the catalog index twice (the first time stores every card as well), and the staff index
 * once. Each batch is one call of the function.
 */
export async function rebuildSection(): Promise<Section> {
  const rows: Row[] = [];
  for (const size of sizes) {
    const dynamoDb = await startDynamoDb({ tableName: "rebuild" });
    const table = openTable({ name: "rebuild", endpoint: dynamoDb.endpoint });
    await plantProducts(table, size);
    const published = openIndexedCatalog(table);
    const ofCatalog = (deps: IndexDeps) => catalogWork({ ...deps, published });
    rows.push(...(await rebuilt("catalog", ["first", "again"], size, ofCatalog)));
    rows.push(
      ...(await rebuilt("staff", ["first"], size, (deps) => staffWork({ ...deps, table }))),
    );
    await dynamoDb.stop();
  }
  const of = (name: string) => consumers.find((one) => one.name === `on-change-${name}-index`);
  const [catalog, staff] = [of("catalog"), of("staff")];
  return {
    title: "Rebuild of an index",
    note: `The consumers of the catalog index and the staff index have timeouts of ${catalog?.timeoutSeconds} and ${staff?.timeoutSeconds} seconds, and ${catalog?.memoryMb} and ${staff?.memoryMb} MB. The times include the DynamoDB emulator, which answers one request at a time.`,
    columns: [
      "index",
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

async function rebuilt<Change>(
  index: string,
  runs: readonly string[],
  size: number,
  workOf: (deps: IndexDeps) => IndexWork<Change>,
): Promise<Row[]> {
  const { target, rebuilds, logged, objects } = memoryTarget();
  const sent: { changes: unknown[] }[] = [];
  const queue: IndexDeps["queue"] = { send: async (message) => void sent.push(message as never) };
  const work = workOf({ target, rebuilds, queue, portionSize, log: target.log });
  const rows: Row[] = [];
  for (const run of runs) {
    const calls = [await timed(() => begin(work))];
    for (let message = sent.shift(); message; message = sent.shift()) {
      const portion = RebuildPortion.parse(message.changes[0]);
      calls.push(await timed(() => continueRebuild(portion, work)));
      // A deployed index is in S3, but here it is in this process. Superseded objects are deleted, so that they do not
      // count in the measured memory.
      const named = [await target.pointer(), await rebuilds.current()];
      const keys = new Set(named.flatMap((of) => (of ? [of.base_key, of.overlay_key] : [])));
      for (const key of objects.keys()) if (!keys.has(key)) objects.delete(key);
    }
    const cpu = calls.map((call) => call.cpu);
    rows.push([
      index,
      run,
      size,
      calls.length,
      cpu.reduce((sum, each) => sum + each, 0),
      Math.max(...cpu),
      Math.max(...calls.map(({ seconds }) => seconds)),
      process.resourceUsage().maxRSS / 1e3,
    ]);
  }
  if (logged.length > 0) throw new Error(logged.join());
  return rows;
}
