import { randomUUID } from "node:crypto";
import { startDynamoDb } from "#infra/local/dynamodb.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { type DynamoDbProxy, startDynamoDbProxy } from "../emulators/dynamodb-proxy.ts";

export interface TestTable {
  readonly name: string;
  /** A table behind the proxy. It retries without pauses, and only records them. */
  readonly table: Table;
  readonly proxy: DynamoDbProxy;
  /** The pauses that the table would have made between attempts, in ms. */
  readonly pauses: number[];
  stop(): Promise<void>;
}

/** An empty table in a separate emulator, or in that of `DYNAMODB_ENDPOINT`. */
export async function startTestTable(): Promise<TestTable> {
  const tableName = `test-${randomUUID()}`;
  const dynamoDb = await startDynamoDb({
    tableName,
    endpoint: process.env["DYNAMODB_ENDPOINT"],
    dropTable: true,
  });
  const proxy = await startDynamoDbProxy(dynamoDb.endpoint);
  const pauses: number[] = [];
  return {
    name: tableName,
    table: openTable({
      name: tableName,
      endpoint: proxy.endpoint,
      async pause(ms) {
        pauses.push(ms);
      },
    }),
    proxy,
    pauses,
    async stop() {
      await proxy.stop();
      await dynamoDb.stop();
    },
  };
}
