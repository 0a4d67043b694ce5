import type { IndexTarget } from "#shared/search/catalog-writer.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type IndexName, openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";

/** Opens the storage of an index: its pointer in the table and its objects in the bucket. */
export function openIndexTarget(
  table: Table,
  bucket: { bucket: string; endpoint: string | undefined },
  index: IndexName,
  log: Log,
): IndexTarget {
  const objects = openObjectStore(bucket);
  return {
    folder: `${index}-view`,
    log,
    ...openIndexPointer(table, index),
    object: objects.get,
    now: Date.now,
    remove: objects.remove,
    put: (key, bytes) => objects.put(key, bytes, "application/octet-stream"),
  };
}
