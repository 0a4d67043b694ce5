import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { isLoopback } from "#shared/runtime/aws-client.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";
import type { TableClient } from "#shared/storage/table.ts";
import type { ChangeSource } from "../events/change-source.ts";
import { startDynoxide } from "./dynoxide.ts";
import { patientClient } from "./patient-client.ts";

export interface DynamoDb {
  readonly endpoint: string;
  readonly tableName: string;
  readonly streamArn: string;
  /** A client of a table that is not reached by its endpoint. */
  readonly client?: TableClient | undefined;
  /** Reads the changes of a table that has no Streams API. */
  readonly openChanges?: (() => ChangeSource) | undefined;
  /** @param signal SIGKILL simulates a power cut */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

interface DynamoDbOptions {
  readonly tableName: string;
  /** DynamoDB Local or AWS. Default: the built-in emulator. */
  readonly endpoint?: string | undefined;
  /** Folder of the emulator's data. Default: data is deleted when the stack stops. */
  readonly dataDir?: string | undefined;
  /** Whether to delete `dataDir` when the stack stops, or when this process ends. */
  readonly isThrowaway?: boolean | undefined;
  /** Whether to delete the table at `endpoint` when the stack stops. */
  readonly dropTable?: boolean;
}

/** Starts or connects to a DynamoDB, and creates the service's table. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<DynamoDb> {
  return options.endpoint === undefined
    ? startEmulator(options)
    : useEndpoint(options, options.endpoint);
}

async function startEmulator(options: DynamoDbOptions): Promise<DynamoDb> {
  const { tableName, dataDir, isThrowaway } = options;
  const scratch = isThrowaway && dataDir !== undefined ? dataDir : scratchDirectory();
  const home = dataDir ?? scratch;
  mkdirSync(home, { recursive: true });
  const file = join(home, "dynamodb.sqlite");
  const emulator = await startDynoxide(file, scratch).catch((problem: unknown) => {
    rmSync(scratch, { recursive: true, force: true });
    throw problem;
  });
  const stop: DynamoDb["stop"] = async (signal) => {
    await emulator.stop(signal);
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    const streamArn = await ensureTable(emulator.endpoint, tableName);
    indexStream(file);
    return { endpoint: emulator.endpoint, tableName, streamArn, stop };
  } catch (problem) {
    await stop();
    throw problem;
  }
}

async function useEndpoint(
  { tableName, dropTable }: DynamoDbOptions,
  endpoint: string,
): Promise<DynamoDb> {
  const streamArn = await ensureTable(endpoint, tableName);
  return {
    endpoint,
    tableName,
    streamArn,
    async stop() {
      if (dropTable)
        await withClient(endpoint, (client) =>
          client.send(new DeleteTableCommand({ TableName: tableName })),
        );
    },
  };
}

/** Creates a directory for data that a stack deletes when it stops. */
export const scratchDirectory = (): string => mkdtempSync(join(scratchParent(), "furniture-"));

const roomInMemory = 1024 ** 3;

/**
 * Returns a folder in shared memory if that is large enough (containers have 64 MB); otherwise a folder on the disk.
 */
function scratchParent(): string {
  const memory = "/dev/shm";
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomInMemory ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Adds an index to the emulator's stream table. Without it, each write to a table with a stream scans the whole stream.
 */
function indexStream(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(
      `PRAGMA busy_timeout = 5000;
       CREATE INDEX IF NOT EXISTS ix_stream_seq
         ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`,
    );
  } finally {
    database.close();
  }
}

/** @returns the ARN of the table's stream */
async function ensureTable(endpoint: string, tableName: string): Promise<string> {
  return withClient(endpoint, async (client) => {
    if (!(await streamOf(client, tableName))) {
      if (!isLoopback(endpoint))
        throw new Error(`${endpoint} has no table ${tableName} with a stream.`);
      await createTable(client, tableName);
    }
    const streamArn = await streamOf(client, tableName);
    if (!streamArn) throw new Error(`The table ${tableName} at ${endpoint} has no stream.`);
    return streamArn;
  });
}

async function streamOf(client: DynamoDBClient, tableName: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    return Table?.LatestStreamArn;
  } catch (problem) {
    if (problem instanceof ResourceNotFoundException) return undefined;
    throw problem;
  }
}

async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const { partitionKey, sortKey, indexes, timeToLive } = tableDefinition;
  const keySchema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: "HASH" as const },
    { AttributeName: range, KeyType: "RANGE" as const },
  ];
  const keys = [
    partitionKey,
    sortKey,
    ...indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
  ];

  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: "S" })),
      KeySchema: keySchema(partitionKey, sortKey),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: "ALL" },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    }),
  );
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: timeToLive, Enabled: true },
    }),
  );
}

async function withClient<Result>(
  endpoint: string,
  use: (client: DynamoDBClient) => Promise<Result>,
): Promise<Result> {
  const client = patientClient(endpoint);
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}
