import { type Entity, type KeyPattern, indexNames } from "#shared/storage/entity.ts";
import { entitiesIn, patternsIn } from "#shared/storage/key-patterns.ts";
import { families } from "#functions/families.ts";
import { entitiesByFile, everyEntity } from "../entities.ts";
import type { Contents } from "./generated-files.ts";

/**
 * The key chart, and the lists that follow from the entities: names, those with pictures, those that refer to others, and
 * those that staff edit.
 */
export async function keyChartFiles(): Promise<Contents> {
  const entities = (await everyEntity()).filter(({ readsOthers }) => !readsOthers);
  return {
    "shared/storage/KEYS.md": keyChart(entities),
    "shared/storage/entity-name.ts": entityNameType(entities),
    "shared/storage/pictured-entities.ts": picturedEntities(entities),
    "shared/storage/referring-entities.ts": await referringEntities(),
    "functions/admin-insights/record-kinds.ts": recordKinds(),
  };
}

/** The table's key chart in Markdown, generated from the entities. */
function keyChart(entities: readonly Entity[]): string {
  const rows = entities
    .map((entity) => [
      entity.name,
      ...(["table", ...indexNames] as const).map((place) => cell(patternsIn(entity, place))),
      entity.ttl ? "yes" : "",
    ])
    .toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return [
    "# Keys of the table",
    "",
    "Generated from the entity declarations in this folder by `npm run generate`; do not edit.",
    "`pk` and `sk` are the two lines of a cell, and `or` joins alternatives. `<name>` is a member of the record or of",
    "its id, or what is computed from them.",
    "",
    "| Entity | Primary key | Index 1 | Index 2 | Expires |",
    "|---|---|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

const cell = (patterns: readonly KeyPattern[]): string =>
  patterns.map(([pk, sk]) => `\`${pk}\`<br>\`${sk}\``).join("<br>or<br>");

/** A TypeScript type with the names of all entities, for the manifest of the functions. */
function entityNameType(entities: readonly Entity[]): string {
  const names = entities.map(({ name }) => name);
  return [
    "// Generated from the entity declarations in this folder by `npm run generate`; do not edit.",
    "",
    "/** The names of all entities. */",
    "export type EntityName =",
    `${names
      .toSorted()
      .map((name) => `  | "${name}"`)
      .join("\n")};`,
    "",
  ].join("\n");
}

/** What the media library must know of the entities that show pictures: their names and partitions. */
function picturedEntities(entities: readonly Entity[]): string {
  const pictured = entities
    .filter(({ showsPictures }) => showsPictures)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const keys = pictured.flatMap((entity) => patternsIn(entity, "table"));
  const prefixes = new Set(keys.map(([pk]) => pk.replace(/(?<=#).*/, "")));
  return [
    "// Generated from the entity declarations in this folder by `npm run generate`; do not edit.",
    "",
    "/** The names of the entities whose records show pictures of the media library. */",
    listOf(
      "picturedNames",
      pictured.map(({ name }) => name),
    ),
    "",
    "/** The prefixes of their partitions, up to the first `#`. */",
    listOf("picturedPartitions", [...prefixes].toSorted()),
    "",
  ].join("\n");
}

/** The entities whose records refer to others. A deletion asks them whether they refer to what is deleted. */
async function referringEntities(): Promise<string> {
  const declared = (await entitiesByFile()).flatMap(({ file, exported }) => {
    const names = Object.entries(exported)
      .filter(([, value]) => entitiesIn([[value]]).some(({ refers }) => refers))
      .map(([name]) => name)
      .toSorted();
    return names.length > 0 ? [{ file, names }] : [];
  });
  const names = declared.flatMap(({ names }) => names);
  return [
    "// Generated from the entity declarations in this folder by `npm run generate`; do not edit.",
    "",
    'import type { Entity } from "./entity.ts";',
    ...declared.map(({ file, names }) => inLines("import {", names, `} from "./${file}";`)),
    "",
    "/** The entities whose records refer to others. */",
    inLines("export const referringEntities: readonly Entity[] = [", names, "];"),
    "",
  ].join("\n");
}

/** The kinds in the activity log of records that a `rowStore` stores. */
function recordKinds(): string {
  const routes = families.flatMap((family) => family.routes);
  const kinds = new Set(routes.flatMap(({ logs }) => logs ?? []));
  return [
    "// Generated from the route declarations by `npm run generate`; do not edit.",
    "",
    "/** Kinds of records that staff edit, each the name of its entity. */",
    listOf("recordKinds", [...kinds].toSorted()),
    "",
  ].join("\n");
}

/** A constant with a list of texts. */
const listOf = (name: string, texts: readonly string[]): string =>
  inLines(
    `export const ${name} = [`,
    texts.map((text) => JSON.stringify(text)),
    "] as const;",
  );

/** A list in the form that the formatter gives it. */
function inLines(open: string, items: readonly string[], close: string): string {
  const space = open.endsWith("{") ? " " : "";
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  if (line.length <= 100) return line;
  return [open, ...items.map((each) => `  ${each},`), close].join("\n");
}
