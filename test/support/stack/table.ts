import { randomUUID } from "node:crypto";
import { startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { patience } from "#infra/local/emulators/patient-client.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { type DynamoDbProxy, startDynamoDbProxy } from "../emulators/dynamodb-proxy.ts";
import { type StackEnvironment, type StackOptions, startStack } from "#infra/local/stack.ts";
import { withoutSockets } from "../http/in-process.ts";

export interface TestTable {
  readonly name: string;
  /** A table behind the proxy. It retries immediately, and records the pauses that it would have made. */
  readonly table: Table;
  readonly proxy: DynamoDbProxy;
  /** The pauses that the table would have made between attempts, in ms. */
  readonly pauses: number[];
  stop(): Promise<void>;
}

/** Starts an emulator with an empty table. If `DYNAMODB_ENDPOINT` is set, the table is created there instead. */
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
      requestTimeout: patience,
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

export interface ProxiedService {
  readonly baseUrl: string;
  readonly proxy: DynamoDbProxy;
  stop(): Promise<void>;
}

/**
 * Functions in this process that use the data of a running stack and reach DynamoDB through a proxy. The consumers run
 * in that stack, so the proxy sees only the calls that the requests themselves make.
 */
export async function startProxiedService(
  environment: StackEnvironment,
  {
    latencyMs = 0,
    ...options
  }: { latencyMs?: number } & Pick<StackOptions, "functions" | "timeoutMultiplier"> = {},
): Promise<ProxiedService> {
  const proxy = await startDynamoDbProxy(environment.DYNAMODB_ENDPOINT, { latencyMs });
  const stack = withoutSockets(
    await startStack({
      dynamoDbEndpoint: environment.DYNAMODB_ENDPOINT,
      tableName: environment.TABLE_NAME,
      consumers: [],
      ...options,
      environment: { ...environment, DYNAMODB_ENDPOINT: proxy.endpoint },
    }),
  );
  return {
    baseUrl: stack.baseUrl,
    proxy,
    async stop() {
      await stack.stop();
      await proxy.stop();
    },
  };
}
