import { type Entity, type IndexName, type Key, type KeyPattern, indexNames } from "./entity.ts";

/** The text that stands in for a member of a record. */
export type Filler = (path: string) => string;

const inBrackets: Filler = (path) => `<${path}>`;

/** A placeholder record: each member, at any depth, reads as its filler text. */
export function anyRecord(filler: Filler, path = ""): unknown {
  const text = path === "" ? "" : filler(path);
  // The filler text, wrapped as an object. Each of its members is again a wrapped filler text.
  return new Proxy(Object(text) as object, {
    get(target, name) {
      if (path === "") return anyRecord(filler, String(name));
      // String methods, such as `slice`, work on the filler text.
      const own: unknown = Reflect.get(target, name);
      if (typeof own === "function") return own.bind(text) as unknown;
      return own !== undefined || typeof name === "symbol"
        ? own
        : anyRecord(filler, `${path}.${name}`);
    },
  });
}

/**
 * The keys of an entity's records in the table or in one of its indexes: as declared, else derived from the key
 * functions.
 */
export function patternsIn(entity: Entity, place: "table" | IndexName): readonly KeyPattern[] {
  const declared = entity.patterns[place];
  if (declared) return declared;
  const key = keyMadeOf(entity, place, inBrackets);
  return key ? [[key.pk, key.sk]] : [];
}

/** The key that an entity builds for a record with these fillers; undefined if the record has no key there. */
export function keyMadeOf(
  entity: Entity,
  place: "table" | IndexName,
  filler: Filler,
): Key | undefined {
  // A proxy that returns a filler for every member, so it serves as a record of any entity.
  const record = anyRecord(filler) as never;
  let key: Key | undefined;
  try {
    key = place === "table" ? entity.key(record) : entity.indexes[place]?.(record);
  } catch (cause) {
    throw new Error(
      `Declare the keys of ${entity.name} with \`patterns\`, because they are computed.`,
      {
        cause,
      },
    );
  }
  // A `pk` or `sk` that is a bare member of the record is still a proxy, which `concat` turns into a string.
  return key && { pk: "".concat(key.pk), sk: "".concat(key.sk) };
}

/** Prefixes of partition keys, in the syntax of IAM patterns: `STOCK#*`. */
export interface Partitions {
  readonly table: readonly string[];
  /** The prefixes in the indexes. */
  readonly indexes: readonly string[];
}

/**
 * The partitions that hold an entity's records.
 *
 * @throws Error when a key begins with a member and the entity declares no patterns
 */
export function partitionsOf(entity: Entity): Partitions {
  const beginnings = (place: "table" | IndexName) =>
    patternsIn(entity, place).map(([pk]) => beginningOf(pk, entity.name));
  return {
    table: [...new Set(beginnings("table"))],
    indexes: [...new Set(indexNames.flatMap(beginnings))],
  };
}

/** The constant prefix of a key pattern, up to the first member of the record. */
function beginningOf(pk: string, name: string): string {
  const member = pk.indexOf("<");
  if (member === 0)
    throw new Error(
      `Declare the keys of ${name} with \`patterns\`, because they begin with a member.`,
    );
  return member === -1 ? pk : `${pk.slice(0, member)}*`;
}

/** The entities among the exports of modules. */
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
