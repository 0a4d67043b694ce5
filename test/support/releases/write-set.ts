import { existsSync, writeFileSync } from "node:fs";
import packageJson from "../../../package.json" with { type: "json" };
import { everyEntity } from "#infra/entities.ts";
import { startStack } from "#infra/local/stack.ts";
import { consumersOf, everyEffect } from "../stack/effects.ts";
import { callEveryWrite, everyRow } from "./every-row.ts";
import { chosenRows, rowSetOf } from "./row-sets.ts";
import { type EnumValues, enumValuesFile, enumsOf, next, readEnumValues } from "./stored-enums.ts";

/**
 * Writes the rows of this release, and records which enum values it is the first to read. `npm version` runs this. A
 * set is never written again: it shows what is stored in shops that run the release.
 */
const { version } = packageJson;
const file = rowSetOf(version);
if (existsSync(file))
  console.log(`The rows of ${version} are already written. A set of rows is never written again.`);
else {
  writeFileSync(file, await rowsOfToday());
  writeFileSync(enumValuesFile, `${JSON.stringify(await releasedValues(), null, 2)}\n`);
  console.log(`Written: the rows of ${version}.`);
}

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
  const enums = (await everyEntity()).flatMap((entity) => [...enumsOf(entity)]);
  return Object.fromEntries(
    enums.toSorted(byName).map(([name, values]) => {
      const { [next]: coming = [], ...earlier } = known[name] ?? { [next]: values };
      return [name, { ...earlier, ...(coming.length > 0 && { [version]: coming }) }];
    }),
  );
}
