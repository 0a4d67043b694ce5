import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectKeys } from "#functions/connect/keys.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import type { Queue } from "#shared/queues/queue.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";
import { type LinkTo, openLinks } from "#shared/files/signed-link.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Pause, wait } from "#shared/runtime/pause.ts";

export interface Deps extends StaffFamilyDeps {
  queue: Pick<Queue, "send">;
  linkTo: LinkTo;
  documentLinks: DocumentLinks;
  /** The keys that sign links to confirmations. */
  linkKeys: KeySource;
  settings: SettingsStore<"store">;
  /** The address of the API as callers use it; undefined if it is not configured. */
  apiBaseUrl: string | undefined;
  now(): Date;
  /** Waits between two reads of an unfinished export. */
  pause: Pause;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-exports");
  return {
    ...family,
    linkKeys: connectKeys(environment, "LINK"),
    settings: openGroups(family.table, ["store"]),
    apiBaseUrl: readVariable(environment, "API_BASE_URL"),
    queue: connectQueue(environment, "EXPORTS_QUEUE_URL"),
    linkTo: openLinks(bucketOf(environment, "EXPORTS_BUCKET")),
    documentLinks: openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET")),
    now: () => new Date(),
    pause: wait,
  };
}
