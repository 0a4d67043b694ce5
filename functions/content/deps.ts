import { connectTable } from "#functions/connect/table.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import type { Table } from "#shared/storage/table.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type ReadObject, openObjectReader } from "#shared/files/object-reader.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { openLog } from "#shared/runtime/log.ts";
import { openPublicMemory } from "#shared/runtime/public-memory.ts";
import { rememberIn } from "#shared/http/remembered.ts";
import { refreshed } from "#shared/runtime/refreshed.ts";
import { type PublishedCatalog, openPublishedCatalog } from "#shared/storage/catalog/catalog.ts";
import { type PublishedContent, openPublishedContent } from "#shared/storage/content/content.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { readPublicState } from "#shared/storage/public-state.ts";

export interface Deps extends FrameDeps {
  appName: string;
  table: Table;
  content: PublishedContent;
  catalog: PublishedCatalog;
  settings: SettingsStore<"store" | "payments" | "shipping" | "seo">;
  /** The settings from which the heads of pages are made. */
  headSettings: SettingsStore<"store" | "seo">;
  mediaBaseUrl: string;
  /** Reads a public file. */
  publicFile: ReadObject;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const table = connectTable(environment);
  const log = openLog("content");
  const state = refreshed(() => readPublicState(table), {
    now: Date.now,
    failed: (cause) =>
      log.error("Public generation and index pointer could not be read", { cause }),
  });
  return {
    appName: readVariable(environment, "APP_NAME"),
    table,
    content: openPublishedContent(table),
    catalog: openPublishedCatalog(table),
    settings: openGroups(table, ["store", "payments", "shipping", "seo"]),
    headSettings: openGroups(table, ["store", "seo"]),
    remember: rememberIn(
      openPublicMemory(async () => {
        const { generation, pointer } = await state.current();
        return `${generation} ${pointer?.version}`;
      }),
    ),
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
    publicFile: openObjectReader(bucketOf(environment, "MEDIA_BUCKET")),
    log,
  };
}
