import { everyEntity } from "#infra/entities.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";
import { type IndexName, type KeyPattern, indexNames } from "#shared/storage/entity.ts";
import { patternsIn } from "#shared/storage/key-patterns.ts";
import type { KeyRange } from "./table-uses.ts";

type TableOrIndex = "table" | IndexName;

/** The keys of an entity's items: a pattern of partition keys, and a range of sort keys. */
interface Area {
  readonly name: EntityName;
  readonly pattern: KeyPattern;
  readonly pk: RegExp;
  readonly sk: RegExp;
  readonly from: string;
  readonly to: string;
}

/** Areas by table or index, and by the prefix of the partition key. */
const areas = new Map<string, Area[]>();
const areaName = (place: TableOrIndex, pk: string) => `${place} ${pk.split("#", 1)[0]}`;

const fitting = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split(/<[^>]*>/)
      .map(RegExp.escape)
      .join(".+")}$`,
    "s",
  );

for (const entity of await everyEntity()) {
  if (entity.readsOthers) continue;
  for (const place of ["table", ...indexNames] as const) {
    for (const [pk, sk] of patternsIn(entity, place)) {
      const area = areaName(place, pk);
      const [from = "", ...rest] = sk.split("<");
      areas.set(area, [
        ...(areas.get(area) ?? []),
        {
          name: entity.name as EntityName,
          pattern: [pk, sk],
          pk: fitting(pk),
          sk: fitting(sk),
          from,
          to: rest.length === 0 ? from : `${from}\u{10FFFF}`,
        },
      ]);
    }
  }
}

/** The entities whose items may be in a range of keys. */
export function entitiesAt(place: TableOrIndex, { pk, from, to, entity }: KeyRange): EntityName[] {
  if (entity !== undefined) return [entity as EntityName];
  const matching = (areas.get(areaName(place, pk)) ?? []).filter(
    (area) => area.from <= to && from <= area.to && area.pk.test(pk),
  );
  return [...new Set(matching.map(({ name }) => name))];
}

/** The number of constant characters of a pattern. */
const constants = ([pk, sk]: KeyPattern): number => `${pk}${sk}`.replaceAll(/<[^>]*>/g, "").length;

const mostSpecific = (candidates: readonly Area[]): Area | undefined =>
  candidates.toSorted(
    (one, other) =>
      constants(other.pattern) - constants(one.pattern) || (one.name < other.name ? -1 : 1),
  )[0];

/** The entity of an item with this primary key, with the most specific pattern that the key fits. */
export const areaOf = ({ pk, from, entity }: KeyRange): Area | undefined =>
  mostSpecific(
    (areas.get(areaName("table", pk)) ?? []).filter(
      (area) =>
        (entity === undefined || area.name === entity) && area.pk.test(pk) && area.sk.test(from),
    ),
  );

/** An entity with items in the partition, with the most specific pattern that the partition key fits. */
export const areaOfPartition = (place: TableOrIndex, pk: string): Area | undefined =>
  mostSpecific((areas.get(areaName(place, pk)) ?? []).filter((area) => area.pk.test(pk)));
