import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchDirectory } from "#infra/local/emulators/dynamodb.ts";
import type { PartsOptions } from "#infra/local/parts.ts";
import { keptShops, rememberedKey, shopSources, shopsDay } from "./shop-key.ts";

const program = fileURLToPath(new URL("plant-shop.ts", import.meta.url));

/** The only table of the planted shop. */
export const plantedTable = "furniture-storefront";

/** The file with the table. It is copied last, so a directory that has it is complete. */
export const databaseFile = "dynamodb.sqlite";

/** The file with every item of the table, one a line. */
export const itemsFile = "items.jsonl";

/** The directory of today's planted shop; undefined if it has not been made from the present sources. */
export function keptShop(): string | undefined {
  const key = rememberedKey(shopSources, shopsDay());
  const directory = key && join(keptShops, key);
  return directory !== undefined && existsSync(directory) ? directory : undefined;
}

let making: Promise<string> | undefined;

/**
 * The directory of today's planted shop: a stack's data after its consumers have processed all that was planted. A
 * process of its own makes it if it does not exist. Callers only copy it.
 */
export async function plantedShop(): Promise<string> {
  const existing = keptShop();
  if (existing !== undefined) return existing;
  making ??= makeShop().finally(() => (making = undefined));
  return making;
}

async function makeShop(): Promise<string> {
  const planter = fork(program, { execArgv: [], stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let directory: string | undefined;
  let problems = "";
  planter.once("message", (message) => {
    if (typeof message === "string") directory = message;
  });
  planter.stderr?.on("data", (chunk: Buffer) => (problems += chunk));
  await once(planter, "close");
  if (directory === undefined) throw new Error(`The demo shop was not planted: ${problems}`);
  return directory;
}

/** Every item of today's planted shop. */
export async function plantedItems(): Promise<Record<string, unknown>[]> {
  const text = readFileSync(join(await plantedShop(), itemsFile), "utf8");
  // `plant-shop.ts` made each line from an item.
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/**
 * Copies today's planted shop into a directory, from which a stack can start.
 *
 * @param withTable whether to copy the table, too
 */
export async function copyPlantedShop(into: string, withTable = true): Promise<void> {
  const shop = await plantedShop();
  // The shop is kept for some time after its last use.
  utimesSync(shop, new Date(), new Date());
  const others = new Set([databaseFile, itemsFile].map((name) => join(shop, name)));
  cpSync(shop, into, { recursive: true, filter: (source) => !others.has(source) });
  if (!withTable) return;
  const [whole, partial] = [join(into, databaseFile), join(into, `${databaseFile}.partial`)];
  cpSync(join(shop, databaseFile), partial);
  renameSync(partial, whole);
}

type Shop = Pick<PartsOptions, "dataDir" | "isThrowaway" | "tableName" | "seed">;

/** Whether a stack with these options can start from a copy of the planted shop. */
export const startsFromCopy = ({
  dataDir,
  dynamoDbEndpoint,
  tableName = plantedTable,
  environment,
}: PartsOptions): boolean =>
  dynamoDbEndpoint === undefined &&
  tableName === plantedTable &&
  // The copy's secrets are encrypted with keys of its own.
  environment?.SETTINGS_KEYS === undefined &&
  (dataDir === undefined || !existsSync(join(dataDir, databaseFile)));

/** Provides the demo shop for a stack: a copy of the planted shop, or what plants it where there can be no copy. */
export async function openPlantedShop(options: PartsOptions): Promise<Shop> {
  if (!startsFromCopy(options)) {
    const { seedIfEmpty } = await import("./seed-if-empty.ts");
    return { seed: seedIfEmpty };
  }
  const dataDir = options.dataDir ?? scratchDirectory();
  const isThrowaway = options.dataDir === undefined;
  try {
    await copyPlantedShop(dataDir, options.table === undefined);
  } catch (problem) {
    if (isThrowaway) rmSync(dataDir, { recursive: true, force: true });
    throw problem;
  }
  return { dataDir, isThrowaway, tableName: plantedTable };
}
