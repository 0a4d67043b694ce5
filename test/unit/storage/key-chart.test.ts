import { readFile, readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { everyEntity } from "#infra/entities.ts";
import { keyChartFiles } from "#infra/generated/key-chart.ts";
import { type Entity, type Key, indexNames } from "#shared/storage/entity.ts";
import { type Filler, keyMadeOf, patternsIn } from "#shared/storage/key-patterns.ts";
import { samples } from "./key-samples.ts";

const entities = (await everyEntity()).filter(({ readsOthers }) => !readsOthers);
const places = ["table", ...indexNames] as const;
type Place = (typeof places)[number];
const cells = entities.flatMap((entity) =>
  places
    .filter((place) => place === "table" || entity.indexes[place])
    .map((place): [name: string, place: Place, entity: Entity] => [entity.name, place, entity]),
);
const computed = cells.filter(([, place, entity]) => entity.patterns[place]);
const plain = cells.filter(([, place, entity]) => !entity.patterns[place]);

/** Texts of several lengths and kinds, so that a computed key part differs between them. */
const fillers: readonly Filler[] = [
  (path) => `${path} In Mixed Case 2026-11-22T09:00:00.000Z`,
  (path) => path.padEnd(7, "~").slice(0, 7),
  () => "7",
];

const filled = (pattern: string, filler: Filler) =>
  pattern.replaceAll(/<([^>]*)>/g, (_whole, path: string) => filler(path));

describe("the key chart KEYS.md", () => {
  test.each(plain)(
    "shows %s in the %s with the key that the key function computes for any record",
    (_name, place, entity) => {
      const [[pk, sk] = ["", ""]] = patternsIn(entity, place);
      for (const filler of fillers) {
        const made: Key | undefined = keyMadeOf(entity, place, filler);
        // If the function computes a part of the key, the entity must declare the key's pattern.
        expect(made).toEqual({ pk: filled(pk, filler), sk: filled(sk, filler) });
      }
    },
  );

  test.each(computed)(
    "shows %s in the %s with the declared key pattern, which actual keys match",
    (name, place, entity) => {
      const records = samples[name]?.[place] ?? [];
      const patterns = patternsIn(entity, place).map(([pk, sk]) => asRegExp(`${pk}\n${sk}`));
      const keys = records.map((record) =>
        place === "table" ? entity.key(record as never) : entity.indexes[place]?.(record as never),
      );
      const matched = keys.map((key) =>
        patterns.findIndex((pattern) => pattern.test(`${key?.pk}\n${key?.sk}`)),
      );
      // Every pattern has one sample, in the same order.
      expect(matched).toEqual(patterns.map((_pattern, position) => position));
    },
  );

  test("shows no key that cannot occur", async () => {
    const { "shared/storage/KEYS.md": chart } = await keyChartFiles();
    const patterns = cells.flatMap(([, place, entity]) => patternsIn(entity, place).flat());
    for (const pattern of patterns) {
      expect(pattern).toMatch(/^(?:[A-Za-z-]+|#|<[A-Za-z_. ,]+>)+$/);
      expect(pattern).not.toMatch(/undefined|null|\bNaN\b|object/);
      expect(chart).toContain(`\`${pattern}\``);
    }
    expect(entities.map(({ name }) => name)).not.toContain("any");
    for (const [name, place, entity] of cells) {
      expect([name, place, patternsIn(entity, place).length > 0]).toEqual([name, place, true]);
    }
  });
});

describe("entity declarations", () => {
  test("have unique names", () => {
    const names = entities.map(({ name }) => name);
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([]);
  });

  test("have unique keys", () => {
    const namesByKey = Map.groupBy(
      entities.flatMap((entity) =>
        patternsIn(entity, "table").map((pattern) => ({
          name: entity.name,
          key: pattern.join(" ").replaceAll(/<[^>]*>/g, "<>"),
        })),
      ),
      ({ key }) => key,
    );
    const shared = Array.from(namesByKey.values(), (of) => of.map(({ name }) => name));
    expect(shared.filter(({ length }) => length > 1)).toEqual([
      // Ids start with their kind, so the id of a story never equals that of a product or sofa.
      ["card", "story_teaser"],
    ]);
  });

  test("are all exported, so that these tests and the key chart include them", async () => {
    const hidden = (await readSources()).flatMap(
      (text) => text.match(/^ *(?:const|let) \w+ = entity\(/gm) ?? [],
    );
    expect(hidden).toEqual([]);
  });
});

/** The sources of all modules that may declare an entity. */
async function readSources(): Promise<string[]> {
  const root = new URL("../../../", import.meta.url);
  const folders = ["shared", "functions", "infra"].map((name) => new URL(`${name}/`, root));
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true }))
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFile(new URL(name, folder), "utf8")),
    ),
  );
  return Promise.all(files.flat());
}

/** A placeholder matches any text without the separator. Only times and composite ids may contain the separator. */
const asRegExp = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split(/(<[^>]*>)/)
      .map((part) => (part.startsWith("<") ? "[^#\\n]+" : RegExp.escape(part)))
      .join("")}$`,
  );
