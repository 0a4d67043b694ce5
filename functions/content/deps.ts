import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type LiveCatalog, openLiveCatalog } from "#shared/storage/catalog.ts";
import { type LiveContent, openLiveContent } from "#shared/storage/content.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings.ts";
import { openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  appName: string;
  content: LiveContent;
  catalog: LiveCatalog;
  settings: SettingsStore<"store" | "payments" | "seo">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { APP_NAME, TABLE_NAME, DYNAMODB_ENDPOINT, MEDIA_BASE_URL } = readEnvironment(environment, [
    "APP_NAME",
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "MEDIA_BASE_URL",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    appName: APP_NAME,
    content: openLiveContent(table),
    catalog: openLiveCatalog(table),
    settings: openGroups(table, ["store", "payments", "seo"]),
    mediaBaseUrl: MEDIA_BASE_URL,
    log: openLog("content"),
  };
}
