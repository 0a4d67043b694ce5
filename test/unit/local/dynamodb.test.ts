import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, test } from "vitest";
import { type DynamoDb, startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { clientDefaults } from "#shared/runtime/aws-client.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function clientOf({ endpoint }: Pick<DynamoDb, "endpoint">): DynamoDBClient {
  const client = new DynamoDBClient(clientDefaults(endpoint));
  cleanups.push(() => client.destroy());
  return client;
}

const answers = async (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

async function start(options: Parameters<typeof startDynamoDb>[0]): Promise<DynamoDb> {
  const dynamoDb = await startDynamoDb(options);
  cleanups.push(dynamoDb.stop);
  return dynamoDb;
}

const key = { pk: { S: "TOY#1" }, sk: { S: "TOY" } };

describe("the built-in DynamoDB emulator", () => {
  test("creates the table with its indexes and stream", async () => {
    const dynamoDb = await start({ tableName: "furniture" });
    const { Table } = await clientOf(dynamoDb).send(
      new DescribeTableCommand({ TableName: "furniture" }),
    );
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual([
      "gsi1",
      "gsi2",
    ]);
    expect(Table?.StreamSpecification).toEqual({
      StreamEnabled: true,
      StreamViewType: "NEW_AND_OLD_IMAGES",
    });
    expect(Table?.LatestStreamArn).toBe(dynamoDb.streamArn);
  });

  test("stops when its handle is stopped", async () => {
    const dynamoDb = await start({ tableName: "furniture" });
    expect(await answers(dynamoDb.endpoint)).toBe(true);
    await dynamoDb.stop();
    expect(await answers(dynamoDb.endpoint)).toBe(false);
  });

  test("keeps its data in the configured directory", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "furniture-test-"));
    cleanups.push(() => rmSync(dataDir, { recursive: true }));
    const first = await start({ tableName: "furniture", dataDir });
    await clientOf(first).send(new PutItemCommand({ TableName: "furniture", Item: key }));
    await first.stop();
    const second = await start({ tableName: "furniture", dataDir });
    const { Item } = await clientOf(second).send(
      new GetItemCommand({ TableName: "furniture", Key: key }),
    );
    expect(Item).toEqual(key);
  });

  test("stops when the process that started it is killed", async () => {
    const script = `
      import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
      const { endpoint } = await startDynamoDb({ tableName: "furniture" });
      process.stdout.write(endpoint, () => process.kill(process.pid, "SIGKILL"));
    `;
    const orphaner = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const endpoint = await text(orphaner.stdout);
    expect(endpoint).toMatch(/^http:/);
    await waitUntil(async () => expect(await answers(endpoint)).toBe(false));
  });
});

test("an external DynamoDB endpoint is used if configured, and its table is deleted at the end if requested", async () => {
  const host = await start({ tableName: "other" });
  const guest = await startDynamoDb({
    tableName: "furniture",
    endpoint: host.endpoint,
    dropTable: true,
  });
  expect(guest.endpoint).toBe(host.endpoint);
  const describe = () => clientOf(host).send(new DescribeTableCommand({ TableName: "furniture" }));
  await expect(describe()).resolves.toBeDefined();
  await guest.stop();
  await expect(describe()).rejects.toThrow(/not found/i);
});
