import { readFileSync, readdirSync } from "node:fs";
import type { Item } from "#shared/storage/entity.ts";

/** Rows as releases stored them: a file for each release, one row a line. */
export const rowsFolder = new URL("../../rows/", import.meta.url);

const suffix = ".jsonl";

/** Rows by release. */
export const rowSets = (): ReadonlyMap<string, readonly Item[]> =>
  new Map(
    readdirSync(rowsFolder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => [
        name.slice(0, -suffix.length),
        readFileSync(new URL(name, rowsFolder), "utf8")
          .trimEnd()
          .split("\n")
          // `next-set.ts` made each line from an item.
          .map((line) => JSON.parse(line) as Item),
      ]),
  );

export const rowSetOf = (release: string): URL => new URL(release + suffix, rowsFolder);

const mostRows = 4;

/** A few rows of each entity, chosen so that together they have as many different members as possible. */
export function chosenRows(rows: readonly Item[]): Item[] {
  const byEntity = Map.groupBy(rows, ({ entity }) => String(entity));
  return [...byEntity.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, all]) => {
      const seen = new Set<string>();
      const chosen: Item[] = [];
      for (const row of all.toSorted(
        (one, other) => featuresOf(other).size - featuresOf(one).size,
      )) {
        const features = featuresOf(row);
        if (features.isSubsetOf(seen) || chosen.length === mostRows) continue;
        chosen.push(row);
        for (const feature of features) seen.add(feature);
      }
      return chosen;
    });
}

/** The members of a value with their types. */
function featuresOf(value: unknown, path = ""): Set<string> {
  if (Array.isArray(value)) {
    return new Set(value.flatMap((each) => [...featuresOf(each, `${path}[]`)]));
  }
  if (typeof value === "object" && value !== null) {
    return new Set(
      Object.entries(value).flatMap(([name, each]) => [...featuresOf(each, `${path}.${name}`)]),
    );
  }
  return new Set([`${path} ${value === null ? "null" : typeof value}`]);
}
