import type { Log } from "../runtime/log.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { loadCatalog, type Catalog, type LoadedCatalog } from "./load-catalog.ts";
import type { IndexSource } from "../domain/listing/index-pointer.ts";

export interface CatalogView {
  /** Throws Unavailable only when nothing was ever loaded. */
  current(): Promise<Catalog>;
  /**
   * For who can do without: the same, but where nothing was ever loaded it waits for nothing and never throws;
   * loading begins for those who ask later.
   */
  ifLoaded(): Promise<Catalog | undefined>;
}

const maxAgeMs = 2_000;

/**
 * The view as a function holds it. A frozen function refreshes nothing, so a question that finds the last check
 * over two seconds old waits for a read of the pointer, and for the objects if it moved; questions at the same time
 * share it. When that fails the failure is logged and the catalog at hand keeps answering until the next check.
 */
export function openCatalogView({
  now,
  log,
  ...source
}: IndexSource & { now: () => number; log: Pick<Log, "error"> }): CatalogView {
  let loaded: LoadedCatalog | undefined;
  let checkedAt = -Infinity;
  let checking: Promise<Catalog> | undefined;

  async function check(): Promise<Catalog> {
    const startedAt = now();
    try {
      loaded = await loadCatalog(source, loaded);
    } catch (cause) {
      log.error("The catalog view could not be read", { cause, version: loaded?.pointer?.version });
      if (loaded === undefined) throw new Unavailable("The catalog view was never read", { cause });
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
      current().catch(() => undefined);
      return undefined;
    },
  };
}
