import { randomUUID } from "node:crypto";
import { type _Record, DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { patience } from "#infra/local/emulators/patient-client.ts";
import { streamShards } from "#infra/local/events/stream-shards.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { openDynamoDb } from "#shared/storage/dynamodb.ts";
import type { TableClient } from "#shared/storage/table.ts";
import { type MemoryTable, openMemoryTable } from "../memory-table.ts";
import type { Operation } from "../requests.ts";

/** A request without the name of the table. */
export interface Step {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A change as the stream shows it, with plain images. */
export interface Change {
  readonly kind: string | undefined;
  readonly before: Record<string, unknown> | undefined;
  readonly after: Record<string, unknown> | undefined;
}

/** What answers DynamoDB's requests: the table in memory, the emulator, or DynamoDB Local. */
export interface Engine {
  readonly name: "memory" | "emulator" | "DynamoDB Local";
  readonly tableName: string;
  readonly client: TableClient;
  /** The changes since the last call. */
  changes(): Promise<Change[]>;
  /** Deletes what has expired; undefined if the engine never does. */
  readonly expire?: (now: Date) => void;
  stop(): Promise<void>;
}

const commands = {
  GetItem: GetCommand,
  BatchGetItem: BatchGetCommand,
  Query: QueryCommand,
  PutItem: PutCommand,
  UpdateItem: UpdateCommand,
  DeleteItem: DeleteCommand,
  BatchWriteItem: BatchWriteCommand,
  TransactWriteItems: TransactWriteCommand,
} as const;

/** The DocumentClient's command for an operation. */
export function commandOf(operation: Operation, input: object): GetCommand {
  // The commands differ only in their inputs and outputs.
  const Command = commands[operation] as unknown as new (input: object) => GetCommand;
  return new Command(input);
}

/** Sends a request, with the table's name where DynamoDB wants it. */
export async function send(
  { client, tableName }: Pick<Engine, "client" | "tableName">,
  { operation, input }: Step,
): Promise<Record<string, unknown>> {
  return { ...(await client.send(commandOf(operation, named(operation, input, tableName)))) };
}

function named(operation: Operation, input: Step["input"], TableName: string): object {
  if (operation === "BatchGetItem" || operation === "BatchWriteItem")
    return { RequestItems: { [TableName]: input["batch"] } };
  if (operation !== "TransactWriteItems") return { TableName, ...input };
  const writes = input["TransactItems"] as Record<string, object>[];
  return {
    TransactItems: writes.map((write) =>
      Object.fromEntries(
        Object.entries(write).map(([kind, request]) => [kind, { TableName, ...request }]),
      ),
    ),
  };
}

const plainImage = (image: object | undefined) => image && unmarshall(image as never);

const changeOf = ({ eventName, dynamodb }: _Record): Change => ({
  kind: eventName,
  before: plainImage(dynamodb?.OldImage),
  after: plainImage(dynamodb?.NewImage),
});

/** @param table a table in memory, or one with a defect */
export function memoryEngine(table: MemoryTable = openMemoryTable()): Engine {
  const reader = table.stream.open();
  return {
    name: "memory",
    tableName: table.name,
    client: table.client,
    async changes() {
      const records = reader.peek(Infinity);
      reader.advance(records.length);
      return records.map(changeOf);
    },
    expire: table.expire,
    stop: async () => reader.close(),
  };
}

/** The emulator, or the DynamoDB Local at `DYNAMODB_ENDPOINT`. */
export async function emulatorEngine(endpoint?: string): Promise<Engine> {
  const tableName = `conformance-${randomUUID()}`;
  const dynamoDb = await startDynamoDb({ tableName, endpoint, dropTable: true });
  const streams = new DynamoDBStreamsClient(clientDefaults(dynamoDb.endpoint));
  const shards = streamShards(streams, dynamoDb.endpoint, dynamoDb.streamArn, {});
  return {
    name: endpoint === undefined ? "emulator" : "DynamoDB Local",
    tableName,
    client: openDynamoDb(dynamoDb.endpoint, { requestTimeout: patience }),
    async changes() {
      const records: _Record[] = [];
      const read = () => shards.read(async (page) => void records.push(...page));
      while ((await read()) > 0);
      return records.map(changeOf);
    },
    async stop() {
      streams.destroy();
      await dynamoDb.stop();
    },
  };
}

/** The engines of this run: the last one also where its endpoint is set. */
export async function everyEngine(): Promise<Engine[]> {
  const { DYNAMODB_ENDPOINT } = process.env;
  return [
    memoryEngine(),
    await emulatorEngine(),
    ...(DYNAMODB_ENDPOINT === undefined ? [] : [await emulatorEngine(DYNAMODB_ENDPOINT)]),
  ];
}

/** What a caller learns of a request: its answer, or the error without its words. */
export async function outcomeOf(engine: Engine, step: Step): Promise<object> {
  try {
    const { $metadata: _attempts, ...output } = await send(engine, step);
    return step.operation === "BatchGetItem" ? { found: foundIn(output, engine) } : shown(output);
  } catch (error) {
    const { name, Item, CancellationReasons } = error as {
      name: string;
      Item?: object;
      CancellationReasons?: { Code?: string; Item?: object }[];
    };
    return {
      error: name,
      item: plainImage(Item),
      reasons: CancellationReasons?.map(({ Code = "None", Item: item }) => [
        Code,
        plainImage(item),
      ]),
    };
  }
}

/** Items of a batch come in any order. */
const foundIn = ({ Responses }: Record<string, unknown>, { tableName }: Engine): unknown[] =>
  (Responses as Record<string, object[]>)[tableName]!.toSorted((one, other) =>
    keyText(one) < keyText(other) ? -1 : 1,
  );

const keyText = (item: object) => JSON.stringify([item["pk" as never], item["sk" as never]]);

/** The members of an answer that the service reads. */
const shown = ({
  Item,
  Items,
  Attributes,
  LastEvaluatedKey,
  UnprocessedItems,
}: Record<string, unknown>) => ({
  Item,
  Items,
  Attributes,
  LastEvaluatedKey,
  UnprocessedItems: Object.keys(UnprocessedItems ?? {}),
});
