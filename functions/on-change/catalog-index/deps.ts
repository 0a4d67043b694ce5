import type { Log } from "#shared/runtime/log.ts";
import {
  type PublishedCatalog,
  openPublishedCatalog,
} from "#shared/storage/catalog/published-catalog.ts";
import { connectIndexWriter } from "../connect-index-writer.ts";
import type { IndexDeps } from "#shared/application/listing/index-work.ts";

export interface Deps extends IndexDeps {
  published: PublishedCatalog;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const writer = connectIndexWriter(environment, "catalog", "CATALOG_INDEX_QUEUE_URL");
  return { ...writer, published: openPublishedCatalog(writer.table) };
}
