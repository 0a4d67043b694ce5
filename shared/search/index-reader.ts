import type { Log } from "../runtime/log.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { loadCatalog, type Catalog, type LoadedCatalog } from "./load-catalog.ts";
import type { IndexSource } from "../domain/listing/index-pointer.ts";

export interface IndexReader {
  /** Throws Unavailable only if no catalog was ever loaded. */
  current(): Promise<Catalog>;
  /**
   * For callers that work without the catalog: returns undefined if none was ever loaded, without waiting or
   * throwing. From the second call on it starts loading for later ones; the first belongs to a cold start.
   */
  ifLoaded(): Promise<Catalog | undefined>;
}

const maxAgeMs = 2_000;

/**
 * The catalog index in a function's memory. A frozen function refreshes nothing, so a call more than two seconds
 * after the last check waits for a read of the pointer, and for the objects if it moved; concurrent calls share it. A
 * failure is logged, and the loaded catalog is used until the next check.
 */
export function openIndexReader({
  now,
  log,
  ...source
}: IndexSource & { now: () => number; log: Pick<Log, "error"> }): IndexReader {
  let loaded: LoadedCatalog | undefined;
  let checkedAt = -Infinity;
  let checking: Promise<Catalog> | undefined;
  let calledBefore = false;

  async function check(): Promise<Catalog> {
    const startedAt = now();
    try {
      loaded = await loadCatalog(source, loaded);
    } catch (cause) {
      log.error("Catalog index could not be read", { cause, version: loaded?.pointer?.version });
      if (loaded === undefined)
        throw new Unavailable("The catalog index is not available", { cause });
    } finally {
      checkedAt = startedAt;
      checking = undefined;
    }
    return loaded.catalog;
  }

  async function current(): Promise<Catalog> {
    if (loaded !== undefined && now() - checkedAt <= maxAgeMs) return loaded.catalog;
    checking ??= check();
    return checking;
  }

  return {
    current,
    async ifLoaded() {
      if (loaded !== undefined) return current();
      if (calledBefore) current().catch(() => undefined);
      calledBefore = true;
      return undefined;
    },
  };
}
