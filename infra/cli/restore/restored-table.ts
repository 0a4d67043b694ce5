import { setTimeout as pause } from "node:timers/promises";
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { tableDefinition } from "#shared/storage/table-definition.ts";

export interface Restore {
  readonly from: string;
  readonly to: string;
  readonly at: Date;
}

/** Calls that AWS has, but DynamoDB emulators lack. */
export interface Backups {
  /** Starts to restore a table, as it was at a point in time, into a new table. */
  restore(restore: Restore): Promise<void>;
  /** Whether an existing table is the result of this restore. */
  isResult(restore: Restore): Promise<boolean>;
  /** Enables point-in-time recovery. */
  protect(table: string): Promise<void>;
}

export const awsBackups = (client: DynamoDBClient): Backups => ({
  async restore({ from, to, at }) {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: from,
        TargetTableName: to,
        RestoreDateTime: at,
      }),
    );
  },
  async isResult({ from, to, at }) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: to }));
    const { SourceTableArn = "", RestoreDateTime } = Table?.RestoreSummary ?? {};
    return SourceTableArn.endsWith(`:table/${from}`) && RestoreDateTime?.getTime() === at.getTime();
  },
  async protect(table) {
    await client.send(
      new UpdateContinuousBackupsCommand({
        TableName: table,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    );
  },
});

/**
 * Restores a table, as it was at a point in time, into a new table. Then sets what AWS's restore leaves out: time to
 * live, stream, point-in-time recovery and deletion protection. Can be repeated if it was interrupted.
 *
 * @param everyMs pause between checks of the new table's state
 * @throws RangeError if another table already has the name of the new table
 * @returns the new table's name and stream, in the format of the switch `table`
 */
export async function restoreTable(
  client: DynamoDBClient,
  backups: Backups,
  restore: Restore,
  everyMs = 15_000,
): Promise<string> {
  const TableName = restore.to;
  if (!(await describe(client, TableName))) await backups.restore(restore);
  else if (!(await backups.isResult(restore))) {
    throw new RangeError(
      `The table ${TableName} exists, and is not ${restore.from} as of ${restore.at.toISOString()}: ` +
        "choose another name for --to.",
    );
  }
  const restored = await active(client, TableName, everyMs);
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (!TimeToLiveDescription?.TimeToLiveStatus?.startsWith("ENABL")) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLive };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  if (!restored.StreamSpecification?.StreamEnabled) {
    const stream = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } as const;
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification: stream }));
    await active(client, TableName, everyMs);
  }
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  const { LatestStreamLabel } = await active(client, TableName, everyMs);
  await backups.protect(TableName);
  return `${TableName}/stream/${LatestStreamLabel}`;
}

async function describe(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (problem) {
    if (problem instanceof ResourceNotFoundException) return undefined;
    throw problem;
  }
}

async function active(
  client: DynamoDBClient,
  name: string,
  everyMs: number,
): Promise<TableDescription> {
  for (;;) {
    const table = await describe(client, name);
    if (table?.TableStatus === "ACTIVE") return table;
    await pause(everyMs);
  }
}
