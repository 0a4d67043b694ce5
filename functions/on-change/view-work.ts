import type { CatalogChange as IndexChange, IndexTarget } from "#shared/search/catalog-writer.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import type { Documents } from "#shared/search/view-format.ts";
import type { IndexRebuildStore } from "#shared/domain/listing/index-rebuild.ts";
import type { FifoQueue } from "#shared/queues/queue.ts";
import type { Log } from "#shared/runtime/log.ts";

/** Where a view is written, and how its writer tells itself to go on. */
export interface IndexDeps {
  target: IndexTarget;
  rebuilds: IndexRebuildStore;
  /** Its own. */
  queue: FifoQueue;
  /** So much of a rebuild is made in one call; changes wait for it. */
  portionSize: number;
  log: Pick<Log, "warn" | "error">;
}

type Position = Record<string, unknown>;

/** What is particular to a view. How it is kept and how it is made anew is the same of all. */
export interface IndexWork<Change> extends IndexDeps {
  /** The documents that a view begins with. */
  documents(): Promise<Documents>;
  /** What a rebuild goes through, in this order. */
  readonly kinds: readonly string[];
  /** What there is of a kind, as changes, and where it goes on. */
  list(
    kind: string,
    page: { after: Position | undefined; limit: number },
  ): Promise<{ changes: Change[]; next: Position | undefined }>;
  /** What changes come to, over a catalog. */
  viewChanges(changes: readonly Change[], catalog: Catalog): Promise<IndexChange[]>;
  /** What one catalog has and one that was made anew has not. */
  missing(stored: Catalog, made: Catalog): Change[];
  /** Takes away what is kept beside the view of things that it has no more. */
  forget?(stored: Catalog, made: Catalog): Promise<void>;
}
