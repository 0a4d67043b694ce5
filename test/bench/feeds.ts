import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { onScheduleFeeds } from "#functions/on-schedule/schedules.ts";
import { consumers } from "#functions/consumers.ts";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { FeedFileLists } from "#shared/storage/seo/feed-files.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { startDynamoDbProxy } from "#test/support/emulators/dynamodb-proxy.ts";
import { plantProducts, timed } from "./many-products.ts";
import type { Cell, Section } from "./report.ts";

const sizes = [1_000, 10_000, 50_000];

/** The cost of writing the sitemaps and the product feed, by the size of the catalog. */
export async function feedsSection(): Promise<Section> {
  const rows: Cell[][] = [];
  for (const size of sizes) rows.push(await written(size));
  const { memoryMb, timeoutSeconds } =
    consumers.find(({ name }) => name === "on-schedule-feeds") ?? {};
  return {
    title: "Sitemaps and product feed",
    note: `The function has ${memoryMb} MB and a timeout of ${timeoutSeconds} seconds. The seconds include the emulator, which answers one request at a time.`,
    columns: [
      "products",
      "requests",
      "read units",
      "CPU (s)",
      "seconds",
      "peak memory (MB)",
      "files",
      "text (MB)",
      "stored (MB)",
    ],
    rows,
  };
}

async function written(size: number): Promise<Cell[]> {
  const dynamoDb = await startDynamoDb({ tableName: "feeds" });
  const proxy = await startDynamoDbProxy(dynamoDb.endpoint);
  const table = openTable({ name: "feeds", endpoint: dynamoDb.endpoint });
  await plantProducts(table, size);
  let stored = 0;
  const run = (of: Table) =>
    onScheduleFeeds(
      undefined,
      aShop<Parameters<typeof onScheduleFeeds>[1]>({
        table: of,
        publicFiles: { put: async (_key, { byteLength }) => void (stored += byteLength) },
        mediaBaseUrl: "https://media.example.com",
        apiBaseUrl: "https://api.example.com",
        log: silentLog,
        now: () => new Date(),
      }),
    );
  // The first run, behind the proxy, counts requests; the second, which writes the files again, is timed.
  const { calls } = await proxy.record(() =>
    run(openTable({ name: "feeds", endpoint: proxy.endpoint })),
  );
  stored = 0;
  const { cpu, seconds } = await timed(() => run(table));
  const { files = [] } = (await table.get(FeedFileLists, {})) ?? {};
  await proxy.stop();
  await dynamoDb.stop();
  return [
    size,
    calls.length,
    totalUnits(calls).read,
    cpu,
    seconds,
    process.resourceUsage().maxRSS / 1e3,
    files.length,
    files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
    stored / 1e6,
  ];
}
