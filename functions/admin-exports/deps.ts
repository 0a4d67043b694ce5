import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import type { Queue } from "#shared/queues/queue.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";
import { type LinkTo, openLinks } from "#shared/files/signed-link.ts";
import { type Pause, wait } from "#shared/runtime/pause.ts";

export interface Deps extends StaffFamilyDeps {
  queue: Pick<Queue, "send">;
  linkTo: LinkTo;
  documentLinks: DocumentLinks;
  now(): Date;
  /** Waits between two reads of an unfinished export. */
  pause: Pause;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  return {
    ...connectStaffFamily(environment, "admin-exports"),
    queue: connectQueue(environment, "EXPORTS_QUEUE_URL"),
    linkTo: openLinks(bucketOf(environment, "EXPORTS_BUCKET")),
    documentLinks: openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET")),
    now: () => new Date(),
    pause: wait,
  };
}
