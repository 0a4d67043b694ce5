import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { settingsInput } from "#shared/domain/settings/settings-forms.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import { membersOf, withMember } from "#test/support/http/schemas.ts";

/** The paths that a refusal names. */
function refusedPaths(schema: z.ZodType, value: unknown): string[] {
  try {
    parsed(schema, value);
  } catch (error) {
    if (error instanceof AppError) return Object.keys(error.refusal.errors ?? {});
    throw error;
  }
  return [];
}

const queries = everyRoute.flatMap(({ key, route: { request } }) =>
  request.query ? [{ key, query: request.query }] : [],
);

describe("a query parameter", () => {
  test.each(["", "abc", "-1", "99999999999999999999", "0001-01-01", "NaN", "1.5"])(
    "with a wrong value is refused at that parameter only: %s",
    (wrong) => {
      const blamed = queries.flatMap(({ key, query }) => {
        const required = refusedPaths(query, {});
        return membersOf(query).flatMap(({ path }) => {
          const name = path.join(".");
          if (path.length !== 1) return [];
          const others = refusedPaths(query, { [name]: wrong }).filter(
            (at) => at !== name && !at.startsWith(`${name}.`) && !required.includes(at),
          );
          return others.map((other) => `${key}: ${name} blames ${other}`);
        });
      });
      // Any of these parameters requires a postal code, so the refusal names the missing postal code.
      const needing = /^GET \/api\/v1\/cart: \w+ blames postal_code$/;
      expect(blamed.filter((each) => !needing.test(each))).toEqual([]);
    },
  );

  test("accepts true, false, 1 and 0 if it is a boolean", () => {
    const spellings = ["true", "false", "1", "0", "yes"] as const;
    const taken = queries.flatMap(({ key, query }) =>
      membersOf(query).flatMap(({ path: [name = ""] }) => {
        const takes = spellings.filter(
          (text) => !refusedPaths(query, { [name]: text }).includes(String(name)),
        );
        // A member that accepts "yes" is a text; one that accepts "1" but not "true" is a number.
        const isFlag = takes.includes("true") && !takes.includes("yes");
        return isFlag ? [`${key} ${name}: ${takes.join(", ")}`] : [];
      }),
    );
    expect(taken.length).toBeGreaterThanOrEqual(6);
    expect(taken.filter((each) => !each.endsWith(": true, false, 1, 0"))).toEqual([]);
    expect(taken.map((each) => each.split(":")[0])).toEqual(
      expect.arrayContaining([
        "GET /api/v1/admin/orders attention",
        "GET /api/v1/admin/inventory low",
        "GET /api/v1/products in_stock",
      ]),
    );
  });
});

test("dates outside 2000 to 2100 are refused in every member of every request", () => {
  const schemas: [string, z.ZodType][] = [
    ...everyRoute.flatMap(({ key, route: { request } }) =>
      [request.body, request.query].flatMap((schema): [string, z.ZodType][] =>
        schema ? [[key, schema]] : [],
      ),
    ),
    ...settingsGroupNames.map((group): [string, z.ZodType] => [group, settingsInput(group)]),
  ];
  const examples = {
    date: [
      ["2000-01-01", "2100-12-31"],
      ["0001-01-01", "1999-12-31", "2101-01-01", "9999-12-31"],
    ],
    "date-time": [
      ["2000-01-01T00:00:00Z", "2100-12-31T23:59:59Z"],
      [
        "0001-01-01T00:00:00Z",
        "1999-12-31T23:59:59Z",
        "2101-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
      ],
    ],
  } as const;
  const wrong: string[] = [];
  let members = 0;
  for (const [name, schema] of schemas) {
    for (const { path, format } of membersOf(schema)) {
      if (format !== "date" && format !== "date-time") continue;
      members += 1;
      const at = path.join(".");
      const isRefused = (text: string) =>
        refusedPaths(schema, withMember({}, path, text)).includes(at);
      const [inside, outside] = examples[format];
      for (const text of inside) if (isRefused(text)) wrong.push(`${name} ${at} refuses ${text}`);
      for (const text of outside) if (!isRefused(text)) wrong.push(`${name} ${at} takes ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(members).toBeGreaterThan(25);
});
