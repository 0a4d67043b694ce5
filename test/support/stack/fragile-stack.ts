import { rmSync } from "node:fs";
import { copyPlantedShop, plantedTable } from "#infra/local/planting/planted-shop.ts";
import { type DynamoDb, scratchDirectory, startDynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { startMail } from "#infra/local/emulators/mail.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import { type DynamoDbProxy, startDynamoDbProxy } from "../emulators/dynamodb-proxy.ts";
import { sourceFunctions } from "#infra/local/functions/load-function.ts";
import { withNotedCalls } from "./called-functions.ts";
import { consumersOf, everyEffect } from "./effects.ts";

/** A separate stack on disk, whose parts can fail. */
export interface FragileStack {
  readonly stack: Stack;
  /** A proxy in front of the table, for all functions and consumers. */
  readonly proxy: DynamoDbProxy;
  /** Kills the DynamoDB emulator with SIGKILL, so requests in progress fail. */
  crashTable(): Promise<void>;
  /** Restarts the DynamoDB emulator with the same data. */
  restartTable(): Promise<void>;
  failMail(): void;
  recoverMail(): void;
  stop(): Promise<void>;
}

/** Starts the stack with the demo shop. */
export async function startFragileStack(): Promise<FragileStack> {
  const dataDir = scratchDirectory();
  await copyPlantedShop(dataDir);
  const tableName = plantedTable;
  const startTable = () => startDynamoDb({ tableName, dataDir });
  let table: DynamoDb = await startTable();
  const mail = await startMail();
  const proxy = await startDynamoDbProxy(() => table.endpoint);
  const stack = await startStack({
    dataDir,
    dynamoDbEndpoint: proxy.endpoint,
    tableName,
    consumers: consumersOf(everyEffect),
    functions: withNotedCalls(sourceFunctions),
    environment: { SES_ENDPOINT: mail.endpoint },
  });
  await stack.settled();

  return {
    stack,
    proxy,
    crashTable: () => table.stop("SIGKILL"),
    async restartTable() {
      table = await startTable();
    },
    failMail: mail.fail,
    recoverMail: mail.recover,
    async stop() {
      await stack.stop();
      await proxy.stop();
      await mail.stop();
      await table.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
