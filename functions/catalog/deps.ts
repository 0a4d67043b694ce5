import { type CatalogView, openCatalogView } from "#shared/catalog-view/catalog-view.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type LiveCatalog, openLiveCatalog } from "#shared/storage/catalog.ts";
import { openTable } from "#shared/storage/table.ts";
import { openViewPointer } from "#shared/storage/view-pointer.ts";

export interface Deps extends FrameDeps {
  view: CatalogView;
  catalog: LiveCatalog;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, VIEW_BUCKET, S3_ENDPOINT, MEDIA_BASE_URL } =
    readEnvironment(environment, [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "VIEW_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
    ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("catalog");
  return {
    view: openCatalogView({
      pointer: openViewPointer(table, "catalog").pointer,
      object: openObjectReader({ bucket: VIEW_BUCKET, endpoint: S3_ENDPOINT }),
      now: Date.now,
      log,
    }),
    catalog: openLiveCatalog(table),
    mediaBaseUrl: MEDIA_BASE_URL,
    log,
  };
}
