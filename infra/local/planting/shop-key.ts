import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { consumers } from "#functions/consumers.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import type { Day } from "#shared/domain/base/text.ts";
import { demoSettings } from "#infra/local/demo/data/settings.ts";

/** What the planted shop is made from. */
export interface ShopSources {
  /** Directory to which the paths are relative. */
  readonly root: string;
  /** The files whose imports are followed. */
  readonly entries: readonly string[];
  /** Further files, such as the lockfile, which stands for all packages. */
  readonly further: readonly string[];
  /** Directories of the files that planting reads. */
  readonly directories: readonly string[];
  /** File that remembers the list of imported files. */
  readonly list: string;
}

const List = z.object({ entries: z.array(z.string()), files: z.array(z.string()) });

/**
 * The name of the planted shop that the present sources make on this day: a hash of every file that planting imports
 * or reads, and of the day, because orders and visits are relative to it.
 *
 * @returns undefined if no list of the imported files is remembered
 */
export function rememberedKey(sources: ShopSources, day: Day): string | undefined {
  const files = rememberedFiles(sources);
  return files && keyOf(files, sources, day);
}

/**
 * Like `rememberedKey`, but follows the imports, which takes longer. The list stays valid until the key changes: to
 * import another file, one of the listed files must change.
 */
export async function currentKey(sources: ShopSources, day: Day): Promise<string> {
  const files = await importedFiles(sources);
  remember(sources, files);
  return keyOf(files, sources, day);
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Where planted shops are kept, each in a directory with the name of its key. */
export const keptShops = join(root, ".local/planted");

/** What today's planted shop is made from. Consumers are imported by computed paths, so they are listed. */
export const shopSources: ShopSources = {
  root,
  entries: [
    "infra/local/planting/plant-shop.ts",
    ...consumers.filter(({ source }) => source.kind !== "schedule").map(({ entry }) => entry),
  ],
  further: ["package-lock.json"],
  directories: ["infra/local/demo/export"],
  list: join(keptShops, "imported-files.json"),
};

/** The calendar day of the demo shop. */
export const shopsDay = (): Day => dayIn(demoSettings.store.timezone, new Date());

async function importedFiles({ root, entries }: ShopSources): Promise<string[]> {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outdir: "unused",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return Object.keys(metafile.inputs).toSorted();
}

function keyOf(files: readonly string[], sources: ShopSources, day: Day): string {
  const { root, further, directories } = sources;
  const digest = createHash("sha256").update(day);
  const data = directories.flatMap((directory) => filesBelow(root, directory));
  for (const file of [...files, ...further, ...data])
    digest.update(`\0${file}\0`).update(textOf(join(root, file)));
  return `${day}-${digest.digest("hex").slice(0, 32)}`;
}

function filesBelow(root: string, directory: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .toSorted();
}

function rememberedFiles({ list, entries }: ShopSources): string[] | undefined {
  try {
    const known = List.parse(JSON.parse(readFileSync(list, "utf8")));
    return known.entries.join() === entries.join() ? known.files : undefined;
  } catch {
    return undefined;
  }
}

function remember({ list, entries }: ShopSources, files: readonly string[]): void {
  mkdirSync(dirname(list), { recursive: true });
  // Renamed, so that another process never reads half of it.
  const written = `${list}.${process.pid}`;
  writeFileSync(written, JSON.stringify({ entries, files }));
  renameSync(written, list);
}

/** The bytes of a file; of a deleted file none, so that the key changes. */
function textOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return new Uint8Array();
  }
}
