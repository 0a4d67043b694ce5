import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../../package.json" with { type: "json" };
import { everyEntity } from "#infra/entities.ts";
import type { Contents } from "#infra/generated/generated-files.ts";
import { startStack } from "#infra/local/stack.ts";
import { consumersOf, everyEffect } from "../stack/effects.ts";
import { callEveryWrite, everyRow } from "./every-row.ts";
import { chosenRows, rowSetOf } from "./row-sets.ts";
import {
  type EnumValues,
  enumValuesFile,
  enumsOf,
  neverNullFile,
  next,
  nullabilityOf,
  readEnumValues,
} from "./stored-enums.ts";

const { version } = packageJson;

/**
 * The rows of this release, the enum values with those that it is the first to read, and the members that it never
 * reads as null. Nothing if the rows of the release are written already: they show what is stored in shops that run it.
 */
export async function nextSet(): Promise<Contents> {
  if (existsSync(rowSetOf(version))) return {};
  return {
    [inProject(rowSetOf(version))]: await rowsOfToday(),
    [inProject(enumValuesFile)]: asJson(await releasedValues()),
    [inProject(neverNullFile)]: asJson(
      (await everyEntity()).flatMap((entity) => nullabilityOf(entity).neverNull).toSorted(),
    ),
  };
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const inProject = (file: URL): string => relative(root, fileURLToPath(file));

async function rowsOfToday(): Promise<string> {
  const stack = await startStack({ shop: "planted", consumers: consumersOf(everyEffect) });
  try {
    await stack.settled();
    await callEveryWrite(stack);
    return chosenRows(await everyRow(stack))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("");
  } finally {
    await stack.stop();
  }
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** The values of the coming release now belong to this release, as do all values of new enums. */
async function releasedValues(): Promise<EnumValues> {
  const known = existsSync(enumValuesFile) ? readEnumValues() : {};
  const enums = new Map<string, readonly string[]>([
    // A member that has become nullable need not be an enum.
    ...Object.keys(known).map((name) => [name, []] as const),
    ...(await everyEntity()).flatMap((entity) => [...enumsOf(entity)]),
  ]);
  return Object.fromEntries(
    [...enums].toSorted(byName).map(([name, values]) => {
      const { [next]: coming = [], ...earlier } = known[name] ?? { [next]: values };
      return [name, { ...earlier, ...(coming.length > 0 && { [version]: coming }) }];
    }),
  );
}
