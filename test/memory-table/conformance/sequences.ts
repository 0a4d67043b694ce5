import * as fc from "fast-check";
import {
  type Condition,
  above,
  absent,
  atLeast,
  below,
  either,
  every,
  expressionScope,
  is,
  isNot,
  present,
} from "#shared/storage/conditions.ts";
import type { Step } from "./engines.ts";

/** Keys whose order differs between UTF-8 and UTF-16, and some that begin alike. */
const sortKeys = ["a", "a#1", "a#2", "b", "é", "\u{FFFD}", "\u{1F600}"] as const;
const prefixes = ["a", "a#", "b", "é", "\u{1F600}", "z"] as const;

const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(0.1, 0.2, -0.3, 1e-7, 123_456_789.125, Number.MAX_SAFE_INTEGER),
  fc.constantFrom("", "x", "é", "\u{1F600}", "\u{FFFD}"),
  fc.constantFrom(true, false, null),
);

const member = fc.constantFrom("a", "n", "s");
const path = fc.oneof({ weight: 4, arbitrary: member }, fc.constantFrom("m.x", "m.y"));

const single: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom("pk", "a", "m.x").map(present),
  fc.constantFrom("pk", "a", "m.x").map(absent),
  fc.tuple(path, value).map(([of, to]) => is(of, to)),
  fc.tuple(path, value).map(([of, to]) => isNot(of, to)),
  fc.tuple(path, fc.integer({ min: -2, max: 2 })).map(([of, to]) => atLeast(of, to)),
  fc.tuple(path, fc.constantFrom(0, 0.2, "x", "é")).map(([of, to]) => above(of, to)),
  fc.tuple(path, fc.constantFrom(1, -0.3, "\u{1F600}", "x")).map(([of, to]) => below(of, to)),
);

const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 3, arbitrary: single },
  fc.tuple(single, single).map((parts) => every(...parts)),
  fc.tuple(single, single).map((parts) => either(...parts)),
  fc.tuple(single, single, single).map(([one, ...rest]) => every(one, either(...rest))),
);

const conditional = fc.option(condition, { nil: undefined });

interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The key of a member of a transaction or a batch, of which there is one for each item. */
function keyOf(member: object): string {
  const [{ Key, Item }] = Object.values(member) as [{ Key?: Key; Item?: Key }];
  const { pk, sk } = (Key ?? Item)!;
  return `${pk} ${sk}`;
}

/** The requests of one sequence: all its partitions begin with `mark`, so that sequences share a table. */
function stepsOf(mark: string): fc.Arbitrary<Step> {
  const partition = fc.constantFrom(`${mark}P`, `${mark}Q`);
  const key: fc.Arbitrary<Key> = fc.record({ pk: partition, sk: fc.constantFrom(...sortKeys) });
  const entry = fc.record({
    pk: fc.constantFrom(`${mark}I`, `${mark}J`),
    sk: fc.constantFrom(...sortKeys),
  });

  const item = fc
    .tuple(
      key,
      fc.dictionary(member, value, { maxKeys: 3 }),
      fc.option(entry, { nil: undefined }),
      fc.option(fc.constantFrom("text", { x: 1 }, { x: "x", y: { z: [1, null] } })),
    )
    .map(([of, members, index, m]) => ({
      ...members,
      ...of,
      ...(index && entryOf(index, of)),
      ...(m !== null && { m }),
    }));

  const write = fc.oneof(
    fc.tuple(item, conditional).map(([Item, of]) => ({ Put: { Item, ...conditionOf(of) } })),
    fc.tuple(key, conditional).map(([Key, of]) => ({ Delete: { Key, ...conditionOf(of) } })),
    fc
      .tuple(key, changes(entry), conditional)
      .map(([Key, change, of]) => ({ Update: { Key, ...updateOf(Key, change, of) } })),
  );
  const check = fc
    .tuple(key, condition)
    .map(([Key, of]) => ({ ConditionCheck: { Key, ...conditionOf(of) } }));

  const alone = fc.tuple(write, fc.boolean()).map(([of, isReturned]): Step => {
    const [[kind, request] = []] = Object.entries(of);
    const values = kind === "Update" && isReturned ? { ReturnValues: "ALL_NEW" } : {};
    return {
      operation: `${kind as "Put" | "Update" | "Delete"}Item`,
      input: { ...request, ...values },
    };
  });
  const transaction = fc
    .uniqueArray(fc.oneof({ weight: 4, arbitrary: write }, check), {
      minLength: 1,
      maxLength: 4,
      selector: keyOf,
    })
    .map((TransactItems): Step => ({ operation: "TransactWriteItems", input: { TransactItems } }));
  const batch = fc
    .uniqueArray(
      fc.oneof(
        item.map((Item) => ({ PutRequest: { Item } })),
        key.map((Key) => ({ DeleteRequest: { Key } })),
      ),
      { minLength: 1, maxLength: 4, selector: keyOf },
    )
    .map((requests): Step => ({ operation: "BatchWriteItem", input: { batch: requests } }));
  const reads = fc.oneof(
    key.map((Key): Step => ({ operation: "GetItem", input: { Key, ConsistentRead: true } })),
    fc
      .uniqueArray(key, { minLength: 1, maxLength: 4, selector: ({ pk, sk }) => `${pk} ${sk}` })
      .map((Keys): Step => ({
        operation: "BatchGetItem",
        input: { batch: { Keys, ConsistentRead: true } },
      })),
  );
  return fc.oneof(
    { weight: 5, arbitrary: alone },
    { weight: 3, arbitrary: transaction },
    { weight: 1, arbitrary: batch },
    { weight: 2, arbitrary: reads },
    { weight: 4, arbitrary: queryOf(partition, entry) },
  );
}

const changes = (entry: fc.Arbitrary<Key>) =>
  fc.record({
    set: fc.dictionary(path, value, { maxKeys: 2 }),
    add: fc.dictionary(fc.constantFrom("n", "m.x"), fc.constantFrom(1, -2, 0.1, 1e-7), {
      maxKeys: 1,
    }),
    remove: fc.uniqueArray(fc.constantFrom("s", "m", "gsi1pk", "gsi1sk"), { maxLength: 1 }),
    index: fc.option(entry, { freq: 5 }),
  });

type Changes = typeof changes extends (entry: never) => fc.Arbitrary<infer Of> ? Of : never;

/** Entries of an index with the same sort key are in no order, so each has its own. */
const entryOf = (index: Key, { pk, sk }: Key) => ({
  gsi1pk: index.pk,
  gsi1sk: `${index.sk}|${pk}|${sk}`,
});

function conditionOf(of: Condition | undefined, scope = expressionScope()) {
  if (!of) return {};
  return {
    ConditionExpression: scope.condition(of),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ...scope.attributes(),
  };
}

function updateOf(key: Key, { set, add, remove, index }: Changes, of: Condition | undefined) {
  const scope = expressionScope();
  const conditional = conditionOf(of, scope);
  const entry = index && entryOf(index, key);
  const changed = [...Object.keys(set), ...Object.keys(add)];
  const UpdateExpression = scope.update({
    set: { entity: "thing", ...set, ...entry },
    add: Object.fromEntries(Object.entries(add).filter(([name]) => !(name in set))),
    // No two changes may overlap.
    remove: remove.filter(
      (name) =>
        !(entry && name.startsWith("gsi1")) && !changed.some((each) => each.split(".")[0] === name),
    ),
  });
  return { UpdateExpression, ...conditional, ...scope.attributes() };
}

const queryOf = (partition: fc.Arbitrary<string>, entry: fc.Arbitrary<Key>): fc.Arbitrary<Step> =>
  fc
    .record({
      isIndex: fc.boolean(),
      partition,
      entry,
      range: fc.oneof(
        fc.constant({}),
        fc.constantFrom(...prefixes).map((prefix) => ({ prefix })),
        fc
          .tuple(fc.constantFrom(...sortKeys), fc.constantFrom(...sortKeys))
          .map((between) => ({ between })),
      ) as fc.Arbitrary<{ prefix?: string; between?: [string, string] }>,
      Limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      isReversed: fc.boolean(),
    })
    .map(({ isIndex, partition: own, entry: { pk }, range, Limit, isReversed }): Step => {
      const scope = expressionScope();
      const index = isIndex ? "gsi1" : "";
      const sk = scope.name(`${index}sk`);
      const parts = [`${scope.name(`${index}pk`)} = ${scope.value(isIndex ? pk : own)}`];
      if (range.prefix !== undefined)
        parts.push(`begins_with(${sk}, ${scope.value(range.prefix)})`);
      if (range.between)
        parts.push(`${sk} BETWEEN ${range.between.map(scope.value).join(" AND ")}`);
      const { ExpressionAttributeNames: names = {}, ...values } = scope.attributes();
      const used = parts.length > 1 ? names : { [`#${index}pk`]: `${index}pk` };
      return {
        operation: "Query",
        input: {
          ...(isIndex ? { IndexName: "gsi1" } : { ConsistentRead: true }),
          KeyConditionExpression: parts.join(" AND "),
          ExpressionAttributeNames: used,
          ...values,
          ...(Limit !== undefined && { Limit }),
          ...(isReversed && { ScanIndexForward: false }),
        },
      };
    });

/** Sequences of requests over few keys. */
export const sequences = (mark: string): fc.Arbitrary<Step[]> =>
  fc.array(stepsOf(mark), { minLength: 5, maxLength: 25, size: "max" });
