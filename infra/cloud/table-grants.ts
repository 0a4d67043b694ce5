import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type KeptRows, type Reach, keptRows } from "#functions/deployed-function.ts";
import type { Partitions } from "#shared/storage/key-chart.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";

const actions = {
  // No Scan: nothing that runs here may cost more as the table grows.
  read: ["GetItem", "BatchGetItem", "Query"],
  readIndex: ["Query"],
  // Of what it may read anyway, inside a transaction.
  condition: ["ConditionCheckItem"],
  write: ["PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem"],
  mark: ["UpdateItem"],
} as const;

/** When a session was last used: marked also by functions that otherwise only read. */
const openMarks = "SEEN#";

/**
 * What a function may do in the table: in its own partitions alone, and in those that others keep it only reads.
 * A query of an index names a partition of the index.
 */
export function tableGrants(
  { table, keeps = [] }: Reach,
  tableArn: string,
  touched: Partitions,
): PolicyStatement[] {
  if (!table) return [];
  const indexArns = tableDefinition.indexes.map(({ name }) => `${tableArn}/index/${name}`);
  const others = keptByOthers(keeps);
  const marks = touched.table.filter((pattern) => pattern.startsWith(openMarks));
  const own = touched.table.filter((pattern) => !others.some((kept) => pattern.startsWith(kept)));
  return [
    ...within(touched.table, actions.read, [tableArn]),
    ...within(touched.indexes, actions.readIndex, indexArns),
    ...(table === "write"
      ? [
          ...within(touched.table, actions.condition, [tableArn]),
          ...within(own, actions.write, [tableArn]),
        ]
      : within(marks, actions.mark, [tableArn])),
  ];
}

function keptByOthers(keeps: readonly KeptRows[]): string[] {
  const names = Object.keys(keptRows) as KeptRows[];
  return names.filter((name) => !keeps.includes(name)).flatMap((name) => keptRows[name]);
}

/** Without partitions there is nothing to allow: an empty list would match every call. */
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
      conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [...partitions] } },
    }),
  ];
}
