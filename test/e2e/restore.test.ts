// @module-tag emulator
// @module-tag slow
import { isDeepStrictEqual } from "node:util";
import { randomUUID } from "node:crypto";
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { families } from "#functions/families.ts";
import { restoreTable } from "#infra/cli/restore/restored-table.ts";
import { patientClient } from "#infra/local/emulators/patient-client.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { replayErasures } from "#shared/application/customer/replay-erasures.ts";
import { listObjects } from "#shared/files/list-objects.ts";
import { openFifoQueue } from "#shared/queues/queue.ts";
import { tableDefinition } from "#shared/storage/table-definition.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  aPassword,
  type Member,
  aMember,
  logIn,
  deleteAccount,
} from "#test/support/people/members.ts";
import { plantProduct, plantSettings, tableOf } from "#test/support/shop/plant.ts";
import { consumersOf } from "#test/support/stack/effects.ts";

const served = {
  families: families.filter(({ name }) => ["account", "catalog"].includes(name)),
};

let shop: Stack;
let client: DynamoDBClient;
beforeAll(async () => {
  shop = await startStack({
    ...served,
    dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    consumers: consumersOf(["catalog-index", "erased-ids"]),
    seed: (environment) => plantSettings(tableOf(environment)),
  });
  client = patientClient(shop.environment.DYNAMODB_ENDPOINT ?? "");
});
afterAll(async () => {
  client.destroy();
  await shop.stop();
});

type Row = Record<string, never>;

/** All rows of a table. */
async function rowsOf(TableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    // The rows are only written again unchanged, so the values need no closer type.
    rows.push(...(Items as Row[]));
  }
  return rows;
}

/** A table as AWS restores it: keys, indexes and rows, but neither stream nor time to live. */
async function restoreRows(TableName: string, rows: readonly Row[]): Promise<void> {
  const { partitionKey, sortKey, indexes } = tableDefinition;
  const keys = [{ partitionKey, sortKey }, ...indexes];
  const schemaOf = ([HASH, RANGE]: readonly [string, string]) => [
    { AttributeName: HASH, KeyType: "HASH" as const },
    { AttributeName: RANGE, KeyType: "RANGE" as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: keys
        .flatMap((key) => [key.partitionKey, key.sortKey])
        .map((name) => ({ AttributeName: name, AttributeType: "S" as const })),
      KeySchema: schemaOf([partitionKey, sortKey]),
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: schemaOf([index.partitionKey, index.sortKey]),
        Projection: { ProjectionType: "ALL" as const },
      })),
    }),
  );
  for (let start = 0; start < rows.length; start += 25) {
    const puts = rows.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
  }
}

const statusOfLogIn = async (baseUrl: string, { email }: Member) =>
  (await logIn(baseUrl, email)).status;

test("a stage on a restored table serves the records of the backup, but no customer who was erased after the backup", async () => {
  const { environment, baseUrl } = shop;
  const from = environment.TABLE_NAME;
  const to = `restored-${randomUUID()}`;
  const { product } = await plantProduct(tableOf(environment));
  const [kept, erased] = [await aMember(baseUrl), await aMember(baseUrl)];
  await shop.settled();
  const rows = await rowsOf(from);
  const at = new Date();
  expect(await deleteAccount(erased, aPassword)).toBe(204);
  await shop.settled();

  const bucket = environment.ERASED_IDS_BUCKET;
  const ids = await listObjects({ bucket, endpoint: environment.S3_ENDPOINT });
  expect(ids).toEqual([erased.id]);

  const asked: unknown[] = [];
  const backups = {
    restore: (restore: { to: string }) => {
      asked.push(restore);
      return restoreRows(restore.to, rows);
    },
    isResult: async (restore: object) => isDeepStrictEqual(restore, { from, to, at }),
    protect: async (table: string) => void asked.push(table),
  };
  const restored = await restoreTable(client, backups, { from, to, at }, 10);
  expect(asked).toEqual([{ from, to, at }, to]);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: to }));
  expect(Table).toMatchObject({
    DeletionProtectionEnabled: true,
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  expect(restored).toBe(`${to}/stream/${Table?.LatestStreamLabel}`);
  const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: to }));
  expect(ttl.TimeToLiveDescription).toMatchObject({
    TimeToLiveStatus: "ENABLED",
    AttributeName: "ttl",
  });
  // A second run succeeds, too, so that an interrupted drill can be repeated.
  expect(await restoreTable(client, backups, { from, to, at }, 10)).toBe(restored);
  const elsewhere = restoreTable(client, backups, { from: "another-table", to, at }, 10);
  await expect(elsewhere).rejects.toThrow("choose another name for --to");

  const table = tableOf({ ...environment, TABLE_NAME: to });
  expect(await replayErasures(table, ids, new Date())).toBe(1);
  expect(await replayErasures(table, ids, new Date())).toBe(0);

  const stage = await startStack({
    ...served,
    tableName: to,
    dynamoDbEndpoint: environment.DYNAMODB_ENDPOINT,
    consumers: consumersOf(["catalog-index"]),
  });
  try {
    const queue = openFifoQueue({
      url: stage.environment.CATALOG_INDEX_QUEUE_URL,
      endpoint: stage.environment.SQS_ENDPOINT,
    });
    const body = { changes: [{ kind: "rebuild" }] };
    await queue.send([{ body, group: "view", dedupe: randomUUID() }]);
    await stage.settled();
    const list = await clientOf(stage.baseUrl).get<{ data: { slug: string }[] }>("/products");
    expect([list.status, list.body.data.map((card) => card.slug)]).toEqual([200, [product.slug]]);
    expect(await statusOfLogIn(stage.baseUrl, kept)).toBe(200);
    expect(await statusOfLogIn(stage.baseUrl, erased)).toBe(422);
  } finally {
    await stage.stop();
  }
});
