import { randomBytes } from "node:crypto";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps {
  table: Table;
  settings: SettingsStore<"checkout">;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
  log: Pick<Log, "error">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    settings: openGroups(table, ["checkout"]),
    randomBytes,
    log: openLog("on-change-marketing"),
    now: () => new Date(),
  };
}
