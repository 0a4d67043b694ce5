import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { paginateScan } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { consumers } from "#functions/consumers.ts";
import { keptDirectory, removeOthers } from "#infra/bundle/kept-directory.ts";
import { scratchDirectory } from "#infra/local/emulators/dynamodb.ts";
import { loadConsumer } from "#infra/local/functions/load-consumer.ts";
import { oneAtATime } from "#infra/local/events/one-at-a-time.ts";
import { patientClient } from "#infra/local/emulators/patient-client.ts";
import { type StackEnvironment, startParts } from "#infra/local/parts.ts";
import { databaseFile, itemsFile, plantedTable } from "./planted-shop.ts";
import { seedIfEmpty } from "./seed-if-empty.ts";
import { currentKey, keptShops, shopSources, shopsDay } from "./shop-key.ts";

/**
 * The program that makes the planted shop, see planted-shop.ts: plants the demo shop, waits until the consumers have
 * processed it, and keeps the data. Sends the directory to its parent. Scheduled functions do not run, because what
 * they write depends on the stack's address.
 */

/** How long unused shops of earlier sources are kept, in ms, because another process may be copying one. */
const keptMs = 3_600_000;

// If the parent has ended, nobody waits for the shop.
process.once("disconnect", () => process.exit(1));

const directory = join(keptShops, await currentKey(shopSources, shopsDay()));
removeOthers(directory, keptMs);
// Processes that need the shop at the same time each start this program, and the first one plants.
await oneAtATime(`${directory}.making`, () => keptDirectory(directory, plantInto));
process.send?.(directory, () => process.exit(0));

async function plantInto(directory: string): Promise<void> {
  const running: { stop(): unknown }[] = [];
  const dataDir = scratchDirectory();
  try {
    const { settled, environment } = await startParts(
      { dataDir, isThrowaway: true, tableName: plantedTable, seed: seedIfEmpty },
      { consumers, functions: { consumer: loadConsumer } },
      (part) => {
        running.push(part);
        return part;
      },
    );
    await settled();
    await storeItems(environment, directory);
    store(dataDir, directory);
  } finally {
    for (const part of running.toReversed()) await part.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Stores every item on a line of its own, for tables that are not in the emulator. */
async function storeItems(
  { DYNAMODB_ENDPOINT, TABLE_NAME: TableName }: StackEnvironment,
  directory: string,
): Promise<void> {
  const client = patientClient(DYNAMODB_ENDPOINT);
  const lines: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName }))
    lines.push(...Items.map((item) => `${JSON.stringify(unmarshall(item))}\n`));
  client.destroy();
  writeFileSync(join(directory, itemsFile), lines.join(""));
}

function store(dataDir: string, directory: string): void {
  for (const name of ["objects", "settings-keys.json", "on-change-stream.checkpoint.json"]) {
    cpSync(join(dataDir, name), join(directory, name), { recursive: true });
  }
  const database = new DatabaseSync(join(dataDir, databaseFile));
  database.prepare("VACUUM INTO ?").run(join(directory, databaseFile));
  database.close();
}
