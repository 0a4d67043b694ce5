import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { NotToBeHad, said } from "#test/support/emulators/foreign-server.ts";
import { manyProducts, numbered } from "../growing-catalog.ts";

const run = promisify(execFile);

export const version = "3.7.3";
/** It is kept for later runs. */
const folder = join(tmpdir(), `bench-vendure-${version}-${manyProducts}`);
const database = join(folder, "shop.sqlite");
const minutes = 60_000;

/**
 * The environment of Vendure's processes: the machine's Node instead of the project's, because npm installs SQLite's
 * library for the Node that npm itself runs on.
 */
export const environment = {
  ...process.env,
  PATH: (process.env["PATH"] ?? "")
    .split(":")
    .filter((each) => !each.endsWith("node_modules/.bin"))
    .join(":"),
  NODE_ENV: "production",
  VENDURE_DISABLE_TELEMETRY: "true",
};

/**
 * Installs Vendure with SQLite in a temporary folder, and makes a shop with the products of `numbered`. Takes minutes.
 *
 * @returns the folder, in which `npm start` serves the shop on `PORT`
 * @throws NotToBeHad when it cannot be installed here
 */
export async function installVendure(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(import.meta.dirname, "server.mjs"), join(folder, "server.mjs"));
  if (!existsSync(database)) await makeShop();
  copyFileSync(database, join(folder, "served.sqlite"));
  return folder;
}

async function makeShop(): Promise<void> {
  const manifest = {
    private: true,
    type: "module",
    scripts: { start: "exec node server.mjs" },
    dependencies: { "@vendure/core": version, "better-sqlite3": "11.10.0" },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  await inFolder("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], 30 * minutes);
  writeFileSync(join(folder, "products.csv"), productsCsv());
  const partial = "partial.sqlite";
  rmSync(join(folder, partial), { force: true });
  await inFolder("node", ["server.mjs", "seed", "products.csv", partial], 30 * minutes);
  // The database gets its name when it is complete.
  renameSync(join(folder, partial), database);
}

async function inFolder(program: string, args: string[], timeout: number): Promise<void> {
  const options = { cwd: folder, env: { ...environment, PORT: "0" }, timeout };
  await run(program, args, options).catch((problem: unknown) => {
    throw new NotToBeHad(`${program} ${args[0]} failed in ${folder}: ${said(problem)}`);
  });
}

/** The products in the columns of Vendure's import. Pictures are left out, which is less work for it. */
function productsCsv(): string {
  const head =
    "name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand," +
    "trackInventory,variantAssets,variantFacets";
  const rows = Array.from({ length: manyProducts }, (_, at) => {
    const { name, slug, description_html, materials, options, variants } = numbered(at).product;
    const { sku, price } = variants[0]!;
    const color = options[0]!.values[0]!.code;
    const facets = `color:${color}|material:${materials[0]!.code}`;
    const text = `"${description_html.replaceAll('"', '""')}"`;
    return [name, slug, text, "", facets, "", "", sku, price / 100, "standard", 1e6, true, "", ""];
  });
  return [head, ...rows.map((row) => row.join(","))].join("\n");
}
