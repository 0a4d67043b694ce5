import { type IndexReader, openIndexReader } from "#shared/search/index-reader.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type PublishedCatalog, openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import { openTable } from "#shared/storage/table.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";

export interface Deps extends FrameDeps {
  indexReader: IndexReader;
  catalog: PublishedCatalog;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, INDEX_BUCKET, S3_ENDPOINT, MEDIA_BASE_URL } =
    readEnvironment(environment, [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INDEX_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
    ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("catalog");
  return {
    indexReader: openIndexReader({
      pointer: openIndexPointer(table, "catalog").pointer,
      object: openObjectReader({ bucket: INDEX_BUCKET, endpoint: S3_ENDPOINT }),
      now: Date.now,
      log,
    }),
    catalog: openPublishedCatalog(table),
    mediaBaseUrl: MEDIA_BASE_URL,
    log,
  };
}
