import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { cpuSecondsOf, descendantsOf } from "./cpu.ts";

/**
 * Measures the least CPU time that a visit's calls to DynamoDB can take in Node. This process repeats the calls with
 * the bare SDK, one after another: as many calls, of the same kinds and with as many items. A query reads whole orders,
 * as many kilobytes of them as the service's query.
 */

/** One call to DynamoDB. */
export interface BareCall {
  readonly operation: string;
  /** The items that the request names. */
  readonly items: number;
  /** The size of the items that a query returns. */
  readonly kilobytes: number;
}
/** Repeats a visit's calls on this many connections. */
export interface BareLoad {
  readonly calls: readonly BareCall[];
  readonly connections: number;
  readonly seconds: number;
}
/** Milliseconds of CPU per visit. */
export interface BareCost {
  readonly ownMs: number;
  readonly emulatorMs: number;
}

const TableName = "bare-calls";
const text = "x".repeat(700);
const keyOf = (at: number) => ({ pk: `BARE#${at}`, sk: "ROW" });
const stored = 100;
const listed = { pk: "LIST" };
const kilobytesOfOrder = 2.5;

const dynamoDb = await startDynamoDb({ tableName: TableName });
const client = DynamoDBDocumentClient.from(new DynamoDBClient(clientDefaults(dynamoDb.endpoint)));
for (let at = 0; at < stored; at++) {
  await client.send(new PutCommand({ TableName, Item: { ...keyOf(at), text } }));
}
for (let at = 0; at < stored; at++) {
  await client.send(
    new PutCommand({ TableName, Item: { ...aPlacedOrder(), ...listed, sk: `ROW#${at}` } }),
  );
}

let written = 0;
const newRow = () => ({ pk: `NEW#${written++}`, sk: "ROW", text });
const readKeys = (items: number) => Array.from({ length: items }, (_, at) => keyOf(at % stored));

/** For each operation, a function that calls it with this many items. */
const calls: Record<string, (call: BareCall) => Promise<unknown>> = {
  BatchGetItem: ({ items }) =>
    client.send(
      new BatchGetCommand({
        RequestItems: { [TableName]: { Keys: readKeys(items), ConsistentRead: true } },
      }),
    ),
  GetItem: () => client.send(new GetCommand({ TableName, Key: keyOf(0), ConsistentRead: true })),
  PutItem: () => client.send(new PutCommand({ TableName, Item: newRow() })),
  Query: ({ kilobytes }) =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": listed.pk },
        Limit: Math.max(1, Math.round(kilobytes / kilobytesOfOrder)),
      }),
    ),
  TransactGetItems: ({ items }) =>
    client.send(
      new TransactGetCommand({
        TransactItems: readKeys(items).map((Key) => ({ Get: { TableName, Key } })),
      }),
    ),
  TransactWriteItems: ({ items }) =>
    client.send(
      new TransactWriteCommand({
        TransactItems: Array.from({ length: items }, () => ({
          Put: { TableName, Item: newRow() },
        })),
      }),
    ),
  UpdateItem: () =>
    client.send(
      new UpdateCommand({
        TableName,
        Key: { pk: `NEW#${written++}`, sk: "ROW" },
        UpdateExpression: "SET #text = :text",
        ExpressionAttributeNames: { "#text": "text" },
        ExpressionAttributeValues: { ":text": text },
      }),
    ),
};

process.on("message", async (load: BareLoad) => {
  process.send?.(await costOf(load));
});
process.on("disconnect", () => void dynamoDb.stop().then(() => process.exit(0)));
process.send?.("ready");

async function costOf({ calls: wanted, connections, seconds }: BareLoad): Promise<BareCost> {
  const before = cpuSeconds();
  const until = performance.now() + seconds * 1000;
  let visits = 0;
  const visitor = async () => {
    while (performance.now() < until) {
      for (const call of wanted) await calls[call.operation]?.(call);
      visits += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  const after = cpuSeconds();
  const ms = (part: "own" | "emulator") => ((after[part] - before[part]) * 1000) / visits;
  return { ownMs: ms("own"), emulatorMs: ms("emulator") };
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, emulator: cpuSecondsOf(descendantsOf(process.pid)) };
}
