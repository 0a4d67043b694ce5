import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Permissions } from "#functions/deployed-function.ts";
import type { Entity } from "#shared/storage/entity.ts";
import { partitionsOf } from "#shared/storage/key-patterns.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";

const actions = {
  // No Scan: no function's cost may grow with the table.
  read: ["GetItem", "BatchGetItem", "Query"],
  readIndex: ["Query"],
  // Transactions use ConditionCheckItem for items that they do not write.
  check: ["ConditionCheckItem"],
  write: ["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem"],
} as const;

/**
 * The table statements of a function, limited to the partitions of its declared entities. A query of an index names the
 * index's partition key.
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

/** Removes duplicates, and patterns that a more general pattern covers. */
function distinct(patterns: readonly string[]): string[] {
  const covers = (one: string, other: string) =>
    one !== other && one.endsWith("*") && other.startsWith(one.slice(0, -1));
  return [...new Set(patterns)]
    .filter((pattern) => !patterns.some((other) => covers(other, pattern)))
    .toSorted();
}

/**
 * One statement for all partitions, because a batch may name several, and IAM requires one statement to cover the whole
 * request. `Null` excludes requests without leading keys, which `ForAllValues` alone would allow.
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
