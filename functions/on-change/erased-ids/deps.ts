import { type ObjectStore, openObjectStore } from "#shared/files/object-store.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps {
  table: Table;
  ledger: Pick<ObjectStore, "put">;
  log: Pick<Log, "error">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, ERASED_IDS_BUCKET, S3_ENDPOINT } = readEnvironment(
    environment,
    ["TABLE_NAME", "DYNAMODB_ENDPOINT", "ERASED_IDS_BUCKET", "S3_ENDPOINT"],
  );
  return {
    table: openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT }),
    ledger: openObjectStore({ bucket: ERASED_IDS_BUCKET, endpoint: S3_ENDPOINT }),
    log: openLog("on-change-erased-ids"),
  };
}
