import { connectConsumer } from "#functions/connect/consumer.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";

export interface Deps {
  table: Table;
  log: Pick<Log, "error">;
}

export const connect = (environment: NodeJS.ProcessEnv): Deps =>
  connectConsumer(environment, "on-change-order-names");
