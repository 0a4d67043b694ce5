import { randomBytes } from "node:crypto";
import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type IndexReader, openIndexReader } from "#shared/search/index-reader.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { type SettingsStore, openGroups, openSettings } from "#shared/storage/settings/settings.ts";
import { openIndexPointer } from "#shared/storage/catalog/index-pointer.ts";

export interface Deps extends StaffFamilyDeps {
  mediaBaseUrl: string;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
  settings: Pick<SettingsStore, "current">;
  searchSettings: Pick<SettingsStore<"search">, "current">;
  /** Reads the staff index: all products, sofas, materials and SKUs, drafts included. */
  indexReader: IndexReader;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-catalog");
  const { table, log } = family;
  const mediaBaseUrl = readVariable(environment, "MEDIA_BASE_URL");
  const { pointer } = openIndexPointer(table, "staff");
  return {
    ...family,
    mediaBaseUrl,
    randomBytes,
    settings: openSettings(table),
    searchSettings: openGroups(table, ["search"]),
    indexReader: openIndexReader({
      state: async () => ({ pointer: await pointer() }),
      object: openObjectReader(bucketOf(environment, "INDEX_BUCKET")),
      // `Infinity` makes every request check for a newer index version, so that staff find what they have just saved.
      now: () => Infinity,
      mediaBaseUrl,
      log,
    }),
  };
}
