import { writeFile } from "node:fs/promises";
import { keyChart } from "#shared/storage/key-chart.ts";
import { everyEntity } from "./entities.ts";

/** The key chart of every entity declared in `shared/storage`. */
export const currentKeyChart = async (): Promise<string> => keyChart(await everyEntity());

if (import.meta.main) {
  await writeFile(new URL("../shared/storage/KEYS.md", import.meta.url), await currentKeyChart());
}
