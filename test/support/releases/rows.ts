import type * as z from "zod";
import { readRow } from "#shared/storage/read-row.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { Item } from "#shared/storage/entity.ts";
import { everyCall, nameOf } from "../calls/every-call.ts";
import { everyRoute } from "../http/every-route.ts";
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../../package.json" with { type: "json" };
import { everyEntity } from "#infra/entities.ts";
import type { Contents } from "#infra/generated/generated-files.ts";
import { everyItem } from "../stack/every-item.ts";
import { consumersOf, everyEffect } from "../stack/effects.ts";
import {
  chosenRows,
  rowSetOf,
  type EnumValues,
  enumValuesFile,
  enumsOf,
  neverNullFile,
  next,
  nullabilityOf,
  readEnumValues,
} from "./earlier.ts";

/** The name of a member that a later release could add. */
export const laterMember = "member_of_a_later_release";
const mark = { [laterMember]: { added: ["later"] } };

/** A row with an unknown member in each of its objects. */
export function markedRow(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  // The cast is safe: every Zod schema is one of `$ZodTypes`.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "nullable":
    case "optional":
    case "default":
      return markedRow(def.innerType, value);
    case "array":
      return Array.isArray(value) ? value.map((each) => markedRow(def.element, each)) : value;
    case "record":
      return mapped(value, (_name, each) => markedRow(def.valueType, each));
    case "union": {
      const option = def.options.find((each) => fits(each, value));
      return option ? markedRow(option, value) : value;
    }
    case "object":
      // The names of members are data here, so none of them is unknown.
      if (def.catchall) return value;
      return {
        ...mapped(value, (name, each) => {
          const member = def.shape[name];
          return member ? markedRow(member, each) : each;
        }),
        ...mark,
      };
    default:
      return value;
  }
}

const fits = (schema: z.core.$ZodType, value: object): boolean =>
  "record" in readRow(schema, "any", value as Record<string, unknown>);

const mapped = (value: object, change: (name: string, each: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(name, each)]));

type Part = Pick<Stack, "baseUrl" | "environment" | "settled">;

/**
 * Every item of a stack's table.
 *
 * @param without only items that do not have this member
 */
export async function everyRow(
  { environment }: Pick<Part, "environment">,
  { without }: { without?: string } = {},
): Promise<Item[]> {
  const items = await everyItem(environment);
  return without === undefined ? items : items.filter((item) => !(without in item));
}

/** Maximum number of calls in a group. A larger group would contain calls that change the same records. */
const groupSize = 6;

/**
 * Calls every route that writes, once and with success. Each call has records of its own.
 *
 * @param before runs before each group of calls, when its records exist
 */
export async function callEveryWrite(
  stack: Part,
  before: (routes: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const prepare = await everyCall(stack.baseUrl, stack.environment);
  const routes = everyRoute.map(({ route }) => route).filter(({ method }) => method !== "GET");
  const groups = Math.ceil(routes.length / groupSize);
  for (let first = 0; first < groups; first++) {
    // Neighbouring routes change the same records, so a group consists of routes that are far apart.
    const group = routes.filter((_route, position) => position % groups === first);
    const calls: Awaited<ReturnType<typeof prepare>>[] = [];
    for (const route of group) calls.push(await prepare(route));
    await before(group.map(nameOf).join(", "));
    for (const [position, call] of calls.entries()) {
      const { status, text } = await call(stack.baseUrl);
      if (status >= 400) throw new Error(`${nameOf(group[position]!)} fails: ${status} ${text}`);
    }
  }
  await stack.settled();
}

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
