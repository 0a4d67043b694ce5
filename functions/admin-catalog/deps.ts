import { randomBytes } from "node:crypto";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import { type IndexReader, openIndexReader } from "#shared/search/index-reader.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type SettingsStore, openGroups, openSettings } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";

export interface Deps extends FrameDeps {
  mediaBaseUrl: string;
  table: Table;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
  settings: Pick<SettingsStore, "current">;
  searchSettings: Pick<SettingsStore<"search">, "current">;
  /** Reads the staff index: all products, sofas, materials and SKUs, drafts included. */
  indexReader: IndexReader;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, INDEX_BUCKET, S3_ENDPOINT, MEDIA_BASE_URL } =
    readEnvironment(environment, [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INDEX_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
    ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("admin-catalog");
  const { pointer } = openIndexPointer(table, "staff");
  return {
    table,
    randomBytes,
    identity: openStaffIdentity(table),
    settings: openSettings(table),
    searchSettings: openGroups(table, ["search"]),
    indexReader: openIndexReader({
      state: async () => ({ pointer: await pointer() }),
      object: openObjectReader({ bucket: INDEX_BUCKET, endpoint: S3_ENDPOINT }),
      // `Infinity` makes every request check for a newer index version, so that staff find what they have just saved.
      now: () => Infinity,
      mediaBaseUrl: MEDIA_BASE_URL,
      log,
    }),
    mediaBaseUrl: MEDIA_BASE_URL,
    log,
  };
}
