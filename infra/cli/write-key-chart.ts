import { writeFile } from "node:fs/promises";
import { entityNameType, keyChart } from "#shared/storage/key-chart.ts";
import { everyEntity } from "../entities.ts";

/** The files that `npm run keys` writes to `shared/storage`, keyed by file name. */
export async function chartsOfKeys(): Promise<Readonly<Record<string, string>>> {
  const entities = await everyEntity();
  return { "KEYS.md": keyChart(entities), "entity-name.ts": entityNameType(entities) };
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await chartsOfKeys())) {
    await writeFile(new URL(`../../shared/storage/${file}`, import.meta.url), text);
  }
}
