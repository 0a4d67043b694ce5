import { expect, test } from "vitest";
import type * as z from "zod";
import { settingsInput } from "#shared/domain/settings/settings-forms.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { AnalyticsEvent } from "#shared/domain/metrics/analytics-event.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

interface Check {
  check: string;
  format?: string;
  abort?: boolean;
  pattern?: RegExp;
}

interface Definition {
  type: string;
  format?: string;
  pattern?: RegExp;
  checks?: { _zod: { def: Check } }[];
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  items?: z.ZodType[];
  getter?: () => z.ZodType;
  catchall?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
}

/** Every text of a schema, with its path. */
function textsOf(
  schema: z.ZodType,
  path: string,
  seen: ReadonlySet<z.ZodType> = new Set(),
): [string, Definition][] {
  if (seen.has(schema)) return [];
  const def = schema._zod.def as unknown as Definition;
  const inside: [string, z.ZodType | undefined][] = [
    ...Object.entries(def.shape ?? {}).map(([name, member]): [string, z.ZodType] => [
      `.${name}`,
      member,
    ]),
    ...(def.options ?? def.items ?? []).map((option): [string, z.ZodType] => ["", option]),
    ["", def.innerType ?? def.getter?.()],
    ["[]", def.element],
    [".*", def.catchall],
    ["{}", def.keyType],
    [".*", def.valueType],
    ["", def.in],
    ["", def.out],
  ];
  const below = inside.flatMap(([step, member]) =>
    member ? textsOf(member, path + step, new Set([...seen, schema])) : [],
  );
  return def.type === "string" ? [[path, def], ...below] : below;
}

/** Whether a pattern is safe for long texts: it is anchored and repeats nothing without a limit. */
const isBounded = ({ source }: RegExp): boolean =>
  source.startsWith("^") && source.endsWith("$") && !/(?<!\\)[*+]|\{\d+,\}/.test(source);

/** Why a schema may run other checks on a text of any length; undefined if it limits the length first. */
function costlyBefore({ format, pattern, checks = [] }: Definition): string | undefined {
  const [first, ...further] = [
    ...(format === undefined
      ? []
      : [{ check: "string_format", format, ...(pattern && { pattern }) }]),
    ...checks.map(({ _zod }) => _zod.def),
  ] as Check[];
  if (!first) return "has no length limit";
  if (first.check === "max_length") {
    return first.abort || further.every(({ check }) => check === "min_length")
      ? undefined
      : "runs further checks on a text that is too long";
  }
  if (first.check === "min_length") {
    return further[0]?.check === "max_length" && further.length === 1 ? undefined : "no limit";
  }
  const isShort = first.check === "string_format" && first.pattern && isBounded(first.pattern);
  return isShort && further.length === 0 ? undefined : `begins with ${first.format ?? first.check}`;
}

test("the length of every text in a request is checked before any other rule", () => {
  const schemas: [string, z.ZodType][] = [
    ...everyRoute.flatMap(({ key, route: { request } }) =>
      (["body", "query", "params", "headers"] as const).flatMap((part): [string, z.ZodType][] => {
        const schema = request[part];
        return schema ? [[`${key} ${part}`, schema]] : [];
      }),
    ),
    ...settingsGroupNames.map((group): [string, z.ZodType] => [
      `settings ${group}`,
      settingsInput(group),
    ]),
    ["analytics event", AnalyticsEvent],
  ];
  const texts = schemas.flatMap(([name, schema]) => textsOf(schema, name));
  expect(texts.length).toBeGreaterThan(1_000);
  const costly = texts.flatMap(([path, def]) => {
    const reason = costlyBefore(def);
    return reason === undefined ? [] : [`${path}: ${reason}`];
  });
  expect(costly).toEqual([]);
});
