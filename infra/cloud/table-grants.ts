import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Permissions } from "#functions/deployed-function.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { partitionsOf } from "#shared/storage/key-chart.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";

const actions = {
  // No Scan: nothing that runs here may cost more as the table grows.
  read: ["GetItem", "BatchGetItem", "Query"],
  readIndex: ["Query"],
  // A transaction that checks an item writes others.
  check: ["ConditionCheckItem"],
  write: ["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem"],
} as const;

/**
 * What a function may do in the table: in the partitions of the entities that it declares, and nowhere else.
 * A query of an index names a partition of the index.
 */
export function tableGrants(
  { reads = [], writes = [] }: Permissions,
  tableArn: string,
  entities: readonly Entity[],
): PolicyStatement[] {
  const indexArns = tableDefinition.indexes.map(({ name }) => `${tableArn}/index/${name}`);
  const partitions = (place: "table" | "indexes", names: readonly string[]) =>
    distinct(
      entities
        .filter(({ name }) => names.includes(name))
        .flatMap((entity) => partitionsOf(entity)[place]),
    );
  const check = writes.length > 0 ? actions.check : [];
  return [
    ...within(partitions("table", reads), [...actions.read, ...check], [tableArn]),
    ...within(partitions("indexes", reads), actions.readIndex, indexArns),
    ...within(partitions("table", writes), actions.write, [tableArn]),
  ];
}

/** Each once, without those that another covers. */
function distinct(patterns: readonly string[]): string[] {
  const covers = (one: string, other: string) =>
    one !== other && one.endsWith("*") && other.startsWith(one.slice(0, -1));
  return [...new Set(patterns)]
    .filter((pattern) => !patterns.some((other) => covers(other, pattern)))
    .toSorted();
}

/**
 * One statement for all partitions: IAM wants each call covered by one, and a batch may ask for several.
 * `ForAllValues` also holds for a request that has no leading keys, which `Null` therefore excludes.
 */
function within(
  partitions: readonly string[],
  names: readonly string[],
  resources: string[],
): PolicyStatement[] {
  if (partitions.length === 0) return [];
  return [
    new PolicyStatement({
      actions: names.map((name) => `dynamodb:${name}`),
      resources,
      conditions: {
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...partitions] },
        Null: { "dynamodb:LeadingKeys": "false" },
      },
    }),
  ];
}
