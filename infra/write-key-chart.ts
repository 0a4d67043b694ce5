import { readdir, writeFile } from "node:fs/promises";
import { entitiesIn, keyChart } from "#shared/storage/key-chart.ts";

const folder = new URL("../shared/storage/", import.meta.url);

/** The key chart of every entity declared in `shared/storage`. */
export async function currentKeyChart(): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts")).toSorted();
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).href) as Promise<object>),
  );
  return keyChart(entitiesIn(modules));
}

if (import.meta.main) await writeFile(new URL("KEYS.md", folder), await currentKeyChart());
