import { everyEntity } from "#infra/entities.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";
import { type IndexName, indexNames } from "#shared/storage/entity.ts";
import { patternsIn } from "#shared/storage/key-chart.ts";
import type { KeyRange } from "./table-uses.ts";

type TableOrIndex = "table" | IndexName;

/** The keys of an entity's items: a pattern of partition keys, and a range of sort keys. */
interface Area {
  readonly name: EntityName;
  readonly pk: RegExp;
  readonly from: string;
  readonly to: string;
}

/** Areas by table or index, and by the prefix of the partition key. */
const areas = new Map<string, Area[]>();
const areaName = (place: TableOrIndex, pk: string) => `${place} ${pk.split("#", 1)[0]}`;

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
          pk: new RegExp(
            `^${pk
              .split(/<[^>]*>/)
              .map(RegExp.escape)
              .join(".+")}$`,
            "s",
          ),
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
