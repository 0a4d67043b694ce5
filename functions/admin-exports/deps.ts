import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";
import { type LinkTo, openLinks } from "#shared/files/signed-link.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { type Queue, openQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type Pause, wait } from "#shared/runtime/pause.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  queue: Pick<Queue, "send">;
  linkTo: LinkTo;
  documentLinks: DocumentLinks;
  now(): Date;
  /** Waits between two reads of an unfinished export. */
  pause: Pause;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    DOCUMENTS_BUCKET,
    EXPORTS_BUCKET,
    EXPORTS_QUEUE_URL,
    S3_ENDPOINT,
    SQS_ENDPOINT,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "DOCUMENTS_BUCKET",
    "EXPORTS_BUCKET",
    "EXPORTS_QUEUE_URL",
    "S3_ENDPOINT",
    "SQS_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    identity: openStaffIdentity(table),
    queue: openQueue({ url: EXPORTS_QUEUE_URL, endpoint: SQS_ENDPOINT }),
    linkTo: openLinks({ bucket: EXPORTS_BUCKET, endpoint: S3_ENDPOINT }),
    documentLinks: openDocumentLinks({ bucket: DOCUMENTS_BUCKET, endpoint: S3_ENDPOINT }),
    now: () => new Date(),
    pause: wait,
    log: openLog("admin-exports"),
  };
}
