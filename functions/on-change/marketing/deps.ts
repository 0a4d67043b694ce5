import { randomBytes } from "node:crypto";
import { connectConsumer } from "#functions/connect/consumer.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps {
  table: Table;
  settings: SettingsStore<"checkout">;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
  log: Pick<Log, "error">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-change-marketing");
  return { ...consumer, settings: openGroups(consumer.table, ["checkout"]), randomBytes };
}
