import type { IfOpened, Opener, Parts, Shop } from "#shared/application/shop.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { type CatalogIndexName, openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import { openIndexRebuilds } from "#shared/storage/catalog/index-rebuild.ts";
import { bucketOf } from "./bucket.ts";
import { catalogIndexQueue, staffIndexQueue } from "./queues.ts";

type Calling = IfOpened<"requestHandler">;
type Writer = Parts["catalogIndexWriter"];

/** What writes an index: its pointer, its objects and its queue. */
const writer =
  (
    index: CatalogIndexName,
    queue: Opener<Writer["queue"], Calling>,
  ): Opener<Writer, Shop<"table" | "log"> & Calling> =>
  (environment, { table, log, requestHandler }) => {
    const { get, put, remove } = openObjectStore(
      bucketOf(environment, "INDEX_BUCKET", { requestHandler }),
    );
    return {
      target: {
        folder: `${index}-view`,
        log,
        ...openIndexPointer(table, index),
        object: get,
        now: Date.now,
        remove,
        put: (key, bytes) => put(key, bytes, "application/octet-stream"),
      },
      rebuilds: openIndexRebuilds(table, index),
      queue: queue(environment, { requestHandler }),
      portionSize: 500,
      log,
    };
  };

export const catalogIndexWriter = writer("catalog", catalogIndexQueue);
export const staffIndexWriter = writer("staff", staffIndexQueue);

export const staffIndexSource: Opener<Parts["staffIndexSource"], Shop<"table"> & Calling> = (
  environment,
  { table, requestHandler },
) => ({
  pointer: openIndexPointer(table, "staff").pointer,
  object: openObjectStore(bucketOf(environment, "INDEX_BUCKET", { requestHandler })).get,
});
