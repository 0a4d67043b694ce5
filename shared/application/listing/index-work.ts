import type { IndexChange, IndexTarget } from "#shared/search/catalog-writer.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import type { IndexDocuments } from "#shared/search/index-format.ts";
import type { IndexRebuildStore } from "#shared/domain/listing/index-pointer.ts";
import type { FifoQueue } from "#shared/queues/queue.ts";
import type { Log } from "#shared/runtime/log.ts";

/** Where a read model is written, and the queue through which its writer continues a rebuild. */
export interface IndexDeps {
  target: IndexTarget;
  rebuilds: IndexRebuildStore;
  /** The writer's own queue. */
  queue: FifoQueue;
  /** Number of records per portion of a rebuild. Changes wait while a portion is processed. */
  portionSize: number;
  log: Pick<Log, "warn" | "error">;
}

type Position = Record<string, unknown>;

/** What an update or a rebuild needs to know about one read model; the steps are the same for all. */
export interface IndexWork<Change> extends IndexDeps {
  /** The documents that a rebuild stores before it adds records. */
  documents(): Promise<IndexDocuments>;
  /** The kinds that a rebuild reads, in this order. */
  readonly kinds: readonly string[];
  /** One page of the records of a kind, as changes, and the position of the next page. */
  list(
    kind: string,
    page: { after: Position | undefined; limit: number },
  ): Promise<{ changes: Change[]; next: Position | undefined }>;
  /** Returns the index changes that changes of records require. */
  indexChanges(changes: readonly Change[], catalog: Catalog): Promise<IndexChange[]>;
  /** Changes for records that the stored catalog has and the rebuilt one lacks. */
  missing(stored: Catalog, rebuilt: Catalog): Change[];
  /** Deletes data that is stored outside the read model, for records that the rebuilt read model no longer contains. */
  removeObsolete?(stored: Catalog, rebuilt: Catalog): Promise<void>;
}
