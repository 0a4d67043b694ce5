import { expect, test } from "vitest";
import { chooseTests, importSteps, importersOf } from "#test/mutation/choice.ts";

const source = "shared/domain/pricing/tax.ts";
const none = new Map<string, number>();

test("tries unit files first, and of these the one with most words of the source's path", () => {
  const covering = [
    "test/api/checkout/tax.test.ts",
    "test/unit/domain/order/invoice.test.ts",
    "test/unit/domain/pricing/totals.test.ts",
    "test/unit/domain/pricing/tax.test.ts",
  ];
  expect(chooseTests(source, covering, none)).toEqual([
    "test/unit/domain/pricing/tax.test.ts",
    "test/unit/domain/pricing/totals.test.ts",
    "test/unit/domain/order/invoice.test.ts",
    "test/api/checkout/tax.test.ts",
  ]);
});

test("prefers among files with as many words the one with fewest imports to the source, then the first by name", () => {
  const covering = ["test/unit/b.test.ts", "test/unit/c.test.ts", "test/unit/a.test.ts"];
  const steps = new Map([
    ["test/unit/a.test.ts", 3],
    ["test/unit/b.test.ts", 3],
    ["test/unit/c.test.ts", 1],
  ]);
  expect(chooseTests(source, covering, steps)).toEqual([
    "test/unit/c.test.ts",
    "test/unit/a.test.ts",
    "test/unit/b.test.ts",
  ]);
  expect(chooseTests(source, covering.toReversed(), steps)).toEqual(
    chooseTests(source, covering, steps),
  );
});

test("tries six files: three unit files, more if there are too few others", () => {
  const named = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `test/${folder}/${index}.test.ts`);
  const kinds = (unit: number, api: number) => {
    const chosen = chooseTests(source, [...named("unit", unit), ...named("api", api)], none);
    const units = chosen.filter((each) => each.startsWith("test/unit/")).length;
    return [units, chosen.length - units];
  };
  expect(kinds(9, 9)).toEqual([3, 3]);
  expect(kinds(9, 1)).toEqual([5, 1]);
  expect(kinds(9, 0)).toEqual([6, 0]);
  expect(kinds(1, 9)).toEqual([1, 5]);
  expect(kinds(0, 0)).toEqual([0, 0]);
});

test("counts the imports between a test and a source, without those of types", () => {
  const files = new Map([
    [
      "test/unit/near.test.ts",
      `import { expect } from "vitest";\nimport {\n  taxOf,\n} from "#${source}";`,
    ],
    ["test/unit/far.test.ts", `import { totalsOf } from "#shared/domain/pricing/totals.ts";`],
    ["test/unit/late.test.ts", `const loaded = await import("#shared/domain/pricing/totals.ts");`],
    ["test/unit/types.test.ts", `import type { Tax } from "#${source}";`],
    ["shared/domain/pricing/totals.ts", `export { taxOf } from "./tax.ts";`],
    [source, ""],
  ]);
  expect(Object.fromEntries(importSteps(source, importersOf(files)))).toEqual({
    [source]: 0,
    "shared/domain/pricing/totals.ts": 1,
    "test/unit/near.test.ts": 1,
    "test/unit/far.test.ts": 2,
    "test/unit/late.test.ts": 2,
  });
});
