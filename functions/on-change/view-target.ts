import type { ViewTarget } from "#shared/catalog-view/catalog-writer.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type ViewName, openViewPointer } from "#shared/storage/view-pointer.ts";

/** Where a view is written. */
export function openViewTarget(
  table: Table,
  bucket: { bucket: string; endpoint: string | undefined },
  view: ViewName,
  log: Log,
): ViewTarget {
  const objects = openObjectStore(bucket);
  return {
    folder: `${view}-view`,
    log,
    ...openViewPointer(table, view),
    object: objects.get,
    now: Date.now,
    remove: objects.remove,
    put: (key, bytes) => objects.put(key, bytes, "application/octet-stream"),
  };
}
