import { describe, expect, test } from "vitest";
import { everyEntity } from "#infra/entities.ts";
import { type Entity, type Item, itemOf, recordOf } from "#shared/storage/entity.ts";
import { laterMember, markedRow } from "#test/support/releases/rows.ts";
import { readEnumValues, rowSets } from "#test/support/releases/earlier.ts";

const entities = new Map((await everyEntity()).map((entity) => [entity.name, entity] as const));
const rows = [...rowSets()].flatMap(([release, items]) =>
  items.map((item) => [release, String(item["entity"]), item] as const),
);

/** Entities without a row in the sample, because their rows are temporary, such as locks, or derived from others. */
const withoutRows = new Set([
  "export_job",
  "gateway_ask",
  "kept_view",
  "nobodys_activity",
  "order_to_see",
  "refund_claim",
  "seen_session",
  "sku_claim",
  "view_rebuild",
]);

function entityOf(name: string): Entity {
  const entity = entities.get(name);
  if (!entity) throw new Error(`No entity reads the rows of ${name} any more.`);
  return entity;
}

/** Whether the names of an entity's members are data, such as names of metrics. Then no member is unknown. */
const isOpen = ({ schema }: Entity): boolean => schema._zod.def.catchall !== undefined;

/** The item as it is stored again after it was read, under the same key. */
const storedAgain = (entity: Entity, item: Item): Item => {
  const { pk, sk } = item;
  const of = { ...entity, key: () => ({ pk, sk }) };
  return itemOf<Entity["schema"], object>(of, recordOf(of, item));
};

describe("rows of earlier releases", () => {
  test.each(rows)("are readable: %s, %s", (_release, name, item) => {
    expect(() => recordOf(entityOf(name), item)).not.toThrow();
  });

  test.each(rows)("keep unknown members when they are written again: %s, %s", (_r, name, item) => {
    const entity = entityOf(name);
    const marked = markedRow(entity.schema, item) as Item;
    expect(JSON.stringify(marked).includes(laterMember)).toBe(!isOpen(entity));
    // A time to live that only updates set is missing from an item that is written as a whole.
    if (entity.ttl === "set by updates") delete marked["ttl"];
    expect(storedAgain(entity, marked)).toMatchObject(marked);
  });

  test("cover every entity of a release, except entities that are declared to have no rows", () => {
    const kept = new Set(rows.map(([, name]) => name));
    const listed = new Set(Object.keys(readEnumValues()).map((name) => name.split(".")[0]));
    const own = [...entities.values()].filter(({ readsOthers }) => !readsOthers);
    const absent = own.map(({ name }) => name).filter((name) => !kept.has(name));
    expect(absent.filter((name) => listed.has(name) && !withoutRows.has(name))).toEqual([]);
    expect([...withoutRows].filter((name) => kept.has(name))).toEqual([]);
  });
});
