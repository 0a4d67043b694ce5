import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps {
  table: Table;
  log: Pick<Log, "error">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
  ]);
  return {
    table: openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT }),
    log: openLog("on-change-media-uses"),
  };
}
