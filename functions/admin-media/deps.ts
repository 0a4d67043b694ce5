import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import { type Uploads, openUploads } from "#shared/files/uploads.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type MediaLibrary, openMediaLibrary } from "#shared/storage/upload/media.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  media: MediaLibrary;
  uploads: Uploads;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, MEDIA_BASE_URL, QUARANTINE_BUCKET, UPLOAD_URL } =
    readEnvironment(environment, [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BASE_URL",
      "QUARANTINE_BUCKET",
      "UPLOAD_URL",
    ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    media: openMediaLibrary(table, () => new Date()),
    uploads: openUploads({ bucket: QUARANTINE_BUCKET, url: UPLOAD_URL }),
    identity: openStaffIdentity(table),
    mediaBaseUrl: MEDIA_BASE_URL,
    log: openLog("admin-media"),
  };
}
