import { type Log, openLog } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { connectTable } from "./table.ts";

/** Dependencies of most functions that a queue or a schedule invokes. */
interface ConsumerDeps {
  table: Table;
  log: Log;
  now(): Date;
}

/** @param name the name of the function in its log */
export const connectConsumer = (environment: NodeJS.ProcessEnv, name: string): ConsumerDeps => ({
  table: connectTable(environment),
  log: openLog(name),
  now: () => new Date(),
});
