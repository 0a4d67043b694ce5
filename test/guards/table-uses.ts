import { everyEntity } from "#infra/entities.ts";
import type { EntityName } from "#shared/storage/entity-name.ts";
import { type IndexName, type KeyPattern, indexNames } from "#shared/storage/entity.ts";
import type { Input, ItemRequest } from "#test/memory-table/requests.ts";
import { patternsIn } from "#shared/storage/key-patterns.ts";

/** Items of one partition whose sort keys are from `from` to `to`, inclusive. */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
  /** The item's `entity` member, if it is known. */
  readonly entity?: string | undefined;
}

/** A function's use of the table, as IAM sees it. */
export interface TableUse {
  readonly action: string;
  /** The accessed keys, in the table or in the queried index. */
  readonly ranges: readonly KeyRange[];
  readonly index: "gsi1" | "gsi2" | undefined;
}

/** An output of the DocumentClient. */
export interface TableAnswer {
  readonly Item?: Record<string, unknown>;
  readonly Items?: readonly Record<string, unknown>[];
  readonly Responses?: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

const inTransactions: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

/** Sorts after every sort key. */
const last = "\u{10FFFF}";

function rangeOf({ Key, Item }: Pick<ItemRequest, "Key" | "Item">): KeyRange {
  const { pk, sk, entity } = Key ?? Item ?? {};
  const [at, of] = [textOf(sk), typeof entity === "string" ? entity : undefined];
  return { pk: textOf(pk), from: at, to: at, entity: of };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "?");

/** Parses the key conditions that `table.ts` writes: the partition first, then the sort key's prefix or range. */
export function queriedRange(request: ItemRequest): KeyRange {
  const { KeyConditionExpression = "", ExpressionAttributeValues = {} } = request;
  const values = [...KeyConditionExpression.matchAll(/:\w+/g)].map(([name]) =>
    textOf(ExpressionAttributeValues[name]),
  );
  const [pk = "?", from = "", to = from + last] = values;
  return { pk, from, to };
}

/** The items that a DynamoDB call returned. */
export const itemsIn = ({ Item, Items = [], Responses = {} }: TableAnswer): KeyRange[] =>
  [...(Item ? [Item] : []), ...Items, ...Object.values(Responses).flat()].map((each) =>
    rangeOf({ Item: each }),
  );

/** The uses of the table in a DynamoDB call. A transaction requires the same permissions as its writes do alone. */
export function tableUsesOf(operation: string, request: Input): TableUse[] {
  const { RequestItems, TransactItems } = request;
  const index = request.IndexName as TableUse["index"];
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, named]) => ({
        action: inTransactions[kind] ?? kind,
        ranges: [rangeOf(named)],
        index,
      })),
    );
  }
  if (RequestItems) {
    const named = Object.values(RequestItems).flatMap((of): Pick<ItemRequest, "Key" | "Item">[] =>
      "Keys" in of ? of.Keys.map((Key) => ({ Key })) : of.flatMap((each) => Object.values(each)),
    );
    return [{ action: operation, ranges: named.map(rangeOf), index }];
  }
  const range = operation === "Query" ? queriedRange(request) : rangeOf(request);
  return [{ action: operation, ranges: [range], index }];
}

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
