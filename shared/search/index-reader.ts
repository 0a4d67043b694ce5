import type { Log } from "../runtime/log.ts";
import { refreshed } from "../runtime/refreshed.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { loadCatalogAt, type Catalog, type LoadedCatalog } from "./load-catalog.ts";
import type { IndexPointer, IndexSource } from "../domain/listing/index-pointer.ts";

export interface IndexReader {
  /** Throws Unavailable only if no catalog was ever loaded. */
  current(): Promise<Catalog>;
  /**
   * A text that changes whenever `current` may return another catalog, or the generation of public data has changed. It
   * is known without loading the catalog.
   */
  revision(): Promise<string>;
  /** The catalog that was loaded last. It may be old. */
  readonly loaded: Catalog | undefined;
}

/** What a check reads. */
interface IndexState {
  readonly pointer: IndexPointer | undefined;
  /** Rises with each change of public data. Left out by readers of an index that is not public. */
  readonly generation?: number;
}

interface IndexReaderOptions extends Pick<IndexSource, "object"> {
  /** Reads the current pointer. Throws UnreadableIndex if only other releases have written one. */
  state(): Promise<IndexState>;
  now(): number;
  readonly log: Pick<Log, "error">;
  /** Public URL of the media library, which completes the stored addresses when a catalog is loaded. */
  readonly mediaBaseUrl: string;
}

/** The result of a check. The catalog is loaded when a caller first needs it. */
interface Check extends IndexState {
  /** Rises with each check. */
  readonly number: number;
  catalog?: Promise<Catalog>;
}

/** The catalog index in a function's memory. `refreshed` checks its pointer for changes. */
export function openIndexReader({
  now,
  log,
  mediaBaseUrl,
  ...source
}: IndexReaderOptions): IndexReader {
  let loaded: LoadedCatalog | undefined;
  let started = 0;
  /** The number of the check whose catalog is `loaded`. */
  let loadedBy = 0;
  /**
   * The number of failed loads. After a failure, `current` returns an old catalog, and a later call may load the
   * catalog of the same pointer. So the version alone would not tell these two apart, and the revision contains this
   * number too.
   */
  let failures = 0;
  const notRead = (cause: unknown) =>
    log.error("Catalog index not read", { cause, version: loaded?.catalog.version });
  const checks = refreshed<Check>(
    async () => ({ number: (started += 1), ...(await source.state()) }),
    { now, failed: notRead },
  );

  /**
   * Loads the catalog of a check. If it cannot be read, the catalog loaded before is returned. If a later check has
   * loaded its catalog meanwhile, that one is returned. Versions do not show which is later: a restored index has a
   * lower version.
   */
  async function load(check: Check): Promise<Catalog> {
    try {
      const read = await loadCatalogAt(check.pointer, source, { before: loaded, mediaBaseUrl });
      if (loaded === undefined || check.number >= loadedBy) {
        loaded = read;
        loadedBy = check.number;
      }
    } catch (cause) {
      failures += 1;
      notRead(cause);
      if (loaded === undefined) {
        delete check.catalog;
        throw new Unavailable("The catalog index was never loaded", { cause });
      }
    }
    return loaded.catalog;
  }

  return {
    async current() {
      const check = await checks.current();
      return (check.catalog ??= load(check));
    },
    async revision() {
      const { generation = 0, pointer } = await checks.current();
      return `${generation} ${pointer?.version ?? 0} ${failures}`;
    },
    get loaded() {
      return loaded?.catalog;
    },
  };
}
