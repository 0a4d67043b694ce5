import { type Entity, type IndexName, type Key, type KeyPattern, indexNames } from "./entity.ts";

/** What a member of a record reads as. */
export type Filler = (path: string) => string;

const inBrackets: Filler = (path) => `<${path}>`;

/** Stands for any record: each member reads as its filler, also inside of objects. */
export function anyRecord(filler: Filler, path = ""): unknown {
  const text = path === "" ? "" : filler(path);
  return new Proxy(Object(text) as object, {
    get(target, name) {
      if (path === "") return anyRecord(filler, String(name));
      // A member does what texts do, such as `slice`, with its filler.
      const own: unknown = Reflect.get(target, name);
      if (typeof own === "function") return own.bind(text) as unknown;
      return own !== undefined || typeof name === "symbol"
        ? own
        : anyRecord(filler, `${path}.${name}`);
    },
  });
}

/**
 * The keys of an entity's records in the table or in one of its indexes: as it declares them, else read from the
 * function that makes them.
 */
export function patternsIn(entity: Entity, place: "table" | IndexName): readonly KeyPattern[] {
  const declared = entity.patterns[place];
  if (declared) return declared;
  const key = keyMadeOf(entity, place, inBrackets);
  return key ? [[key.pk, key.sk]] : [];
}

/** The key that an entity makes of a record whose members read so; undefined: the record has none there. */
export function keyMadeOf(
  entity: Entity,
  place: "table" | IndexName,
  filler: Filler,
): Key | undefined {
  const record = anyRecord(filler) as never;
  let key: Key | undefined;
  try {
    key = place === "table" ? entity.key(record) : entity.indexes[place]?.(record);
  } catch (cause) {
    throw new Error(`Declare with \`patterns\` the keys of ${entity.name}: they are computed.`, {
      cause,
    });
  }
  // What consists of one member alone is not a text yet.
  return key && { pk: "".concat(key.pk), sk: "".concat(key.sk) };
}

/** The chart of a table's keys in Markdown, read from the entities themselves. */
export function keyChart(entities: readonly Entity[]): string {
  const rows = entities
    .filter(({ readsOthers }) => !readsOthers)
    .map((entity) => [
      entity.name,
      ...(["table", ...indexNames] as const).map((place) => cell(patternsIn(entity, place))),
      entity.ttl ? "yes" : "",
    ])
    .toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return [
    "# Keys of the table",
    "",
    "Made from the entity declarations in this folder by `npm run keys`; do not edit.",
    "`pk` and `sk` are the two lines of a cell, and `or` joins alternatives. `<name>` is a member of the record or of",
    "its id, or what is computed from them.",
    "",
    "| Entity | Primary key | Index 1 | Index 2 | Expires |",
    "|---|---|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

/** What keys begin with, as IAM's patterns say it: `STOCK#*`. */
export interface Partitions {
  readonly table: readonly string[];
  /** Those of the indexes. */
  readonly indexes: readonly string[];
}

/**
 * The partitions that an entity's records are in.
 *
 * @throws Error where its keys do not say it and it does not declare them
 */
export function partitionsOf(entity: Entity): Partitions {
  const beginnings = (place: "table" | IndexName) =>
    patternsIn(entity, place).map(([pk]) => beginningOf(pk, entity.name));
  return {
    table: [...new Set(beginnings("table"))],
    indexes: [...new Set(indexNames.flatMap(beginnings))],
  };
}

/** What all keys have in common, up to the first member of the record. */
function beginningOf(pk: string, name: string): string {
  const member = pk.indexOf("<");
  if (member === 0) throw new Error(`Declare with \`patterns\` how the keys of ${name} begin.`);
  return member === -1 ? pk : `${pk.slice(0, member)}*`;
}

const cell = (patterns: readonly KeyPattern[]): string =>
  patterns.map(([pk, sk]) => `\`${pk}\`<br>\`${sk}\``).join("<br>or<br>");

/** A type of the names of all entities, for the manifest of the functions. */
export function entityNameType(entities: readonly Entity[]): string {
  const names = entities.filter(({ readsOthers }) => !readsOthers).map(({ name }) => name);
  return [
    "// Made from the entity declarations in this folder by `npm run keys`; do not edit.",
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

/** Picks the entities out of modules' exports. */
export function entitiesIn(modules: readonly object[]): Entity[] {
  return modules.flatMap((module) => Object.values(module).filter(isEntity));
}

function isEntity(value: unknown): value is Entity {
  return (
    typeof value === "object" &&
    value !== null &&
    "key" in value &&
    "schema" in value &&
    "indexes" in value
  );
}
