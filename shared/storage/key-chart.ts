import type { Entity, Key } from "./entity.ts";

/** Stands for any record: each member reads as its own name in angle brackets. */
const anyRecord: unknown = new Proxy({}, { get: (_target, name) => `<${String(name)}>` });

/** The chart of a table's keys in Markdown, read from the entities themselves. */
export function keyChart(entities: readonly Entity[]): string {
  const rows = entities
    .map((entity) => {
      const primary = entity.key(anyRecord as never);
      return [
        entity.name,
        cell(primary),
        cell(indexKey(entity, "gsi1")),
        cell(indexKey(entity, "gsi2")),
        entity.ttl ? "yes" : "",
      ];
    })
    .toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return [
    "# Keys of the table",
    "",
    "Made from the entity declarations in this folder by `npm run keys`; do not edit.",
    "`pk` and `sk` stand on two lines of a cell; `<name>` is a member of the record or of its id.",
    "",
    "| Entity | Primary key | Index 1 | Index 2 | Expires |",
    "|---|---|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

function indexKey(entity: Entity, index: "gsi1" | "gsi2"): Key | undefined {
  return entity.indexes[index]?.(anyRecord as never);
}

/** What keys begin with, as IAM's patterns say it: `STOCK#*`. */
export interface Partitions {
  readonly table: readonly string[];
  /** Those of the indexes. */
  readonly indexes: readonly string[];
}

/**
 * The partitions that an entity's records stand in.
 *
 * @throws Error where its keys do not say it and it does not either
 */
export function partitionsOf(entity: Entity): Partitions {
  const { name, partitions, lists, indexes } = entity;
  const keys = Object.values(indexes).map((keyIn) => keyIn(anyRecord as never));
  return {
    table: partitions?.map(beginningWith) ?? [patternOf(entity.key(anyRecord as never), name)],
    indexes: lists?.map(beginningWith) ?? keys.map((key) => patternOf(key, name)),
  };
}

const beginningWith = (beginning: string) => `${beginning}*`;

/** A member of the record ends what all keys have in common; without one, a part that may be computed does. */
function patternOf(key: Key | undefined, name: string): string {
  const { pk = "" } = key ?? {};
  const member = pk.search(/<|undefined|$/);
  if (member === 0) {
    throw new Error(`Say with \`partitions\` or \`lists\` how the keys of ${name} begin.`);
  }
  if (member < pk.length) return `${pk.slice(0, member)}*`;
  const part = pk.indexOf("#");
  return part === -1 ? pk : `${pk.slice(0, part + 1)}*`;
}

const cell = (key: Key | undefined): string => (key ? `\`${key.pk}\`<br>\`${key.sk}\`` : "");

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
