import { expect, test } from "vitest";
import {
  type Mutant,
  drawMutants,
  findMutants,
  layers,
  withSwitches,
} from "#test/mutation/mutant.ts";
import { mutationsOf } from "#test/mutation/mutations.ts";

const file = "shared/domain/pricing/discount.ts";

const source = `import { round } from "./round.ts";

export function discountOf(price: number, percent: number): number {
  if (percent > 50) return 0;
  if (price > 50) log.info("large");
  return round(price * percent);
}

export const isLarge = (price: number) => price > 50;
`;

const mutant = (changed: Partial<Mutant> = {}): Mutant => ({
  id: "m",
  layer: "domain",
  file,
  within: "discountOf",
  operator: "comparison",
  original: "percent > 50",
  replacement: "percent >= 50",
  occurrence: 0,
  ...changed,
});

function found(wanted: Mutant, sources: Readonly<Record<string, string>>) {
  const place = findMutants([wanted], new Map(Object.entries(sources))).get(wanted);
  return place && `${place.file}:${place.line}`;
}

test("finds a mutant by its declaration and its text", () => {
  expect(found(mutant(), { [file]: source })).toBe(`${file}:4`);
  expect(
    found(mutant({ within: "isLarge", original: "price > 50", replacement: "price >= 50" }), {
      [file]: source,
    }),
  ).toBe(`${file}:9`);
});

test("finds a mutant after its lines moved, were formatted anew and went to another file", () => {
  const formatted = source
    .replace("percent > 50", "\n    percent   >\n      50,\n")
    .replace(",\n", "");
  expect(found(mutant(), { [file]: `\n\n${formatted}` })).toBe(`${file}:7`);
  expect(found(mutant(), { [file]: "", "shared/application/discount.ts": source })).toBe(
    "shared/application/discount.ts:4",
  );
});

test("prefers the file where the mutant was drawn, then the nearest one that has its text", () => {
  const near = "shared/domain/pricing/price.ts";
  const far = "functions/cart/price.ts";
  expect(found(mutant(), { [far]: source, [file]: source, [near]: source })).toBe(`${file}:4`);
  expect(found(mutant(), { [far]: source, [near]: source })).toBe(`${near}:4`);
  expect(found(mutant(), { [far]: source, [near]: source.replace("50", "60") })).toBe(`${far}:4`);
});

test("calls a mutant gone if its declaration, its text or its occurrence is gone", () => {
  const renamed = source.replace("discountOf", "rebateOf");
  const changed = source.replace("percent > 50", "percent > 60");
  expect(found(mutant(), { [file]: renamed })).toBeUndefined();
  expect(found(mutant(), { [file]: changed })).toBeUndefined();
  expect(found(mutant({ occurrence: 1 }), { [file]: source })).toBeUndefined();
  // Another function of the same name is not the one that has changed.
  expect(found(mutant(), { [file]: changed, "functions/cart/price.ts": source })).toBeUndefined();
});

test("counts equal changes of a declaration by occurrence", () => {
  const twice = `export function both(a: number) {
  if (a > 1) return 2;
  const other = a > 1;
  return other;
}`;
  const second = mutant({
    within: "both",
    original: "a > 1",
    replacement: "a >= 1",
    occurrence: 1,
  });
  expect(found(second, { [file]: twice })).toBe(`${file}:3`);
});

test("changes conditions, logic, comparisons, arithmetic, constants, calls, returns and members", () => {
  const every = `export function every(a: number, rows: Row[], b?: number) {
  if (a > 1 && !b) save(rows);
  const sum = Math.min(a + 2, b ?? 0);
  return { sum, rows: rows.filter((row) => idOf(row)) };
}`;
  const changes = mutationsOf(every).map(
    ({ operator, original, replacement }) => `${operator}: ${original} → ${replacement}`,
  );
  expect(changes).toEqual([
    "condition: a > 1 && !b → true",
    "condition: a > 1 && !b → false",
    "logic: a > 1 && !b → a > 1 || !b",
    "comparison: a > 1 → a >= 1",
    "constant: 1 → 2",
    "condition: !b → b",
    "call: save(rows); → ;",
    "arithmetic: Math.min(a + 2, b ?? 0) → Math.max(a + 2, b ?? 0)",
    "arithmetic: a + 2 → a - 2",
    "constant: 2 → 3",
    "logic: b ?? 0 → b",
    "constant: 0 → 1",
    "member: sum → ...{}",
    "member: rows: rows.filter((row) => idOf(row)) → ...{}",
    "call: rows.filter((row) => idOf(row)) → rows",
    "return: idOf(row) → undefined",
  ]);
});

test("leaves types, texts for people, logs, joined texts and patterns unchanged", () => {
  const unproven = `export function quiet(name: string, size: 3 | 4) {
  log.info("said", { size: 1 });
  const text = "a" + name;
  ({ name, size } = other);
  return { description: text.trim(), [1]: size };
}
export const cartExample = { quantity: 2 };`;
  const changes = mutationsOf(unproven).map(({ original }) => original);
  expect(changes).toEqual(["[1]: size", "1"]);
});

test("switches each mutation on alone, also one within another", async () => {
  const code = `export function rate(a, b) {
  const row = { a, b: 1 };
  if (a > 1 && b) row.b += 1;
  else row.b = 0;
  globalThis.seen?.push(row.a);
  return row.b + 2;
}`;
  const switches = mutationsOf(code).map((mutation, index) => ({ id: String(index), mutation }));
  const switched = withSwitches(code, switches);
  const load = async (text: string) =>
    (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      rate: (a: number, b: boolean) => number;
    };
  const withSwitch = await load(switched);
  const shared = globalThis as { mutant?: (id: string) => boolean };
  try {
    for (const { id, mutation } of switches) {
      const { start, end, replacement } = mutation;
      const alone = await load(code.slice(0, start) + replacement + code.slice(end));
      for (const [a, b] of [
        [1, true],
        [2, true],
        [2, false],
      ] as const) {
        shared.mutant = (asked) => asked === id;
        expect(withSwitch.rate(a, b), replacement).toBe(alone.rate(a, b));
        shared.mutant = () => false;
        expect(withSwitch.rate(a, b)).toBe((await load(code)).rate(a, b));
      }
    }
  } finally {
    delete shared.mutant;
  }
});

test("draws the same mutants by the same seed, of every layer, at most one of a declaration", () => {
  const bodies = Object.values(layers).map((folder) => [`${folder}/some/file.ts`, source] as const);
  const sources = new Map(bodies);
  const drawn = drawMutants(sources, { count: 10, seed: "one" });
  expect(drawMutants(sources, { count: 10, seed: "one" })).toEqual(drawn);
  expect(drawMutants(sources, { count: 10, seed: "two" })).not.toEqual(drawn);
  expect(new Set(drawn.map(({ layer, within }) => `${layer} ${within}`)).size).toBe(10);
  expect([...findMutants(drawn, sources).values()].every((place) => place !== undefined)).toBe(
    true,
  );
});
