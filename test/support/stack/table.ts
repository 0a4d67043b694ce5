import { randomUUID } from "node:crypto";
import { type DynamoDb, startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { patience } from "#infra/local/emulators/patient-client.ts";
import { type Table, type TableClient, openTable } from "#shared/storage/table.ts";
import {
  type CallRecorder,
  type DynamoDbProxy,
  startDynamoDbProxy,
} from "../emulators/dynamodb-proxy.ts";
import { memoryAt, memoryDynamoDb } from "#test/memory-table/addresses.ts";
import { openMemoryTable } from "#test/memory-table/memory-table.ts";
import { type StackEnvironment, type StackOptions, startStack } from "#infra/local/stack.ts";
import { withoutSockets } from "../http/in-process.ts";
import { everyItem } from "./every-item.ts";
import { testedFunctions } from "./functions.ts";
import { usesEmulator } from "./table-kind.ts";
import { withNotedCalls } from "./called-functions.ts";

export interface TestTable {
  readonly name: string;
  /** It retries immediately, and records the pauses that it would have made. */
  readonly table: Table;
  /** Records the calls of `table`, and makes them fail. */
  readonly proxy: CallRecorder;
  /** Another client of the same table. */
  open(options?: { requestTimeout?: number; name?: string }): Table;
  /** Every item of the table. */
  items(): Promise<Record<string, unknown>[]>;
  /** The pauses that the table would have made between attempts, in ms. */
  readonly pauses: number[];
  stop(): Promise<void>;
}

/** An empty table: in memory, or that of the emulator (see `usesEmulator`). */
export const startTestTable = async (): Promise<TestTable> =>
  usesEmulator() ? startProxiedTable() : tableInMemory();

function tableInMemory(): TestTable {
  const memory = openMemoryTable();
  return {
    ...testTable(memory.name, memory, () => ({ client: memory.client })),
    items: async () => memory.items(),
    stop: async () => undefined,
  };
}

/** Starts an emulator with an empty table. If `DYNAMODB_ENDPOINT` is set, the table is created there instead. */
export async function startProxiedTable(): Promise<TestTable & { readonly proxy: DynamoDbProxy }> {
  const tableName = `test-${randomUUID()}`;
  const dynamoDb = await startDynamoDb({
    tableName,
    endpoint: process.env["DYNAMODB_ENDPOINT"],
    dropTable: true,
  });
  const proxy = await startDynamoDbProxy(dynamoDb.endpoint);
  return {
    ...testTable(tableName, proxy, () => ({ endpoint: proxy.endpoint })),
    proxy,
    items: () => everyItem({ TABLE_NAME: tableName, DYNAMODB_ENDPOINT: dynamoDb.endpoint }),
    async stop() {
      await proxy.stop();
      await dynamoDb.stop();
    },
  };
}

function testTable(
  tableName: string,
  proxy: CallRecorder,
  place: () => { endpoint: string } | { client: TableClient },
): Omit<TestTable, "items" | "stop"> {
  const pauses: number[] = [];
  const open: TestTable["open"] = ({ requestTimeout = patience, name = tableName } = {}) =>
    openTable({
      name,
      ...place(),
      requestTimeout,
      async pause(ms) {
        pauses.push(ms);
      },
    });
  return { name: tableName, table: open(), open, proxy, pauses };
}

export interface ProxiedService {
  readonly baseUrl: string;
  /** Address of the table whose calls `proxy` records. */
  readonly endpoint: string;
  readonly proxy: CallRecorder;
  stop(): Promise<void>;
}

type ProxiedOptions = Pick<StackOptions, "functions" | "timeoutMultiplier">;

/**
 * Functions in this process that use the data of a running stack, with a client of the table that records their calls.
 * The consumers run in that stack, so it records only the calls that the requests themselves make.
 *
 * @param options.latencyMs of each call, where the table is not in memory
 */
export async function startProxiedService(
  environment: StackEnvironment,
  { latencyMs = 0, ...options }: { latencyMs?: number } & ProxiedOptions = {},
): Promise<ProxiedService> {
  const memory = memoryAt(environment.DYNAMODB_ENDPOINT)?.another();
  if (memory) return serviceWith(memory, memoryDynamoDb(memory), environment, options);
  const proxy = await startDynamoDbProxy(environment.DYNAMODB_ENDPOINT, { latencyMs });
  const { streamArn } = await startDynamoDb({
    tableName: environment.TABLE_NAME,
    endpoint: environment.DYNAMODB_ENDPOINT,
  });
  const { endpoint, stop } = proxy;
  const tableName = environment.TABLE_NAME;
  return serviceWith(proxy, { endpoint, tableName, streamArn, stop }, environment, options);
}

async function serviceWith(
  proxy: CallRecorder,
  table: DynamoDb,
  environment: StackEnvironment,
  options: ProxiedOptions,
): Promise<ProxiedService> {
  const stack = withoutSockets(
    await startStack({
      table,
      consumers: [],
      ...options,
      functions: withNotedCalls(options.functions ?? testedFunctions),
      environment: { ...environment, DYNAMODB_ENDPOINT: table.endpoint },
    }),
  );
  return { baseUrl: stack.baseUrl, endpoint: table.endpoint, proxy, stop: stack.stop };
}
