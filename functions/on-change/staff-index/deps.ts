import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { connectIndexWriter } from "../connect-index-writer.ts";
import type { IndexDeps } from "#shared/application/listing/index-work.ts";

export interface Deps extends IndexDeps {
  table: Table;
  log: Log;
}

export const connect = (environment: NodeJS.ProcessEnv): Deps =>
  connectIndexWriter(environment, "staff", "STAFF_INDEX_QUEUE_URL");
