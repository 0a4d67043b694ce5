import { connectTable } from "#functions/connect/table.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import type { Table } from "#shared/storage/table.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type IndexReader, openIndexReader } from "#shared/search/index-reader.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { rememberIn } from "#shared/http/remembered.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type PublicMemory, openPublicMemory } from "#shared/runtime/public-memory.ts";
import { type PublishedCatalog, openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import type { OfferSettings } from "#shared/domain/seo/offers.ts";
import { readPublicState } from "#shared/storage/public-state.ts";

export interface Deps extends FrameDeps {
  table: Table;
  indexReader: IndexReader;
  catalog: PublishedCatalog;
  /** The settings that offers depend on, kept in memory until any public data changes. */
  settings(): Promise<OfferSettings>;
  memory: PublicMemory;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const table = connectTable(environment);
  const mediaBaseUrl = readVariable(environment, "MEDIA_BASE_URL");
  const log = openLog("catalog");
  const indexReader = openIndexReader({
    async state() {
      const { generation, pointer } = await readPublicState(table);
      return {
        generation,
        pointer: pointer ?? (await openIndexPointer(table, "catalog").pointer()),
      };
    },
    object: openObjectReader(bucketOf(environment, "INDEX_BUCKET")),
    now: Date.now,
    mediaBaseUrl,
    log,
  });
  const memory = openPublicMemory(() => indexReader.revision());
  return {
    table,
    indexReader,
    memory,
    remember: rememberIn(memory),
    catalog: openPublishedCatalog(table),
    rates: openRateCounters(table, log),
    settings: () =>
      memory.keep("settings", async () => {
        const value = await readSettings(table, ["store", "seo", "shipping", "tax"]);
        return { value, bytes: JSON.stringify(value).length, until: Infinity };
      }),
    mediaBaseUrl,
    log,
  };
}
