import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import { type LinkTo, openLinks } from "#shared/files/signed-link.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  settings: SettingsStore<"store">;
  /** Signs links to files that customers sent. */
  linkTo: LinkTo;
  /**
   * Public URL of the media library. The frame's `mediaBaseUrl` is not set: with it, the frame would replace `media://`
   * everywhere in a response, also in the text of messages.
   */
  publicFilesUrl: string;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, INBOX_BUCKET, S3_ENDPOINT, MEDIA_BASE_URL } =
    readEnvironment(environment, [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INBOX_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
    ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    identity: openStaffIdentity(table),
    settings: openGroups(table, ["store"]),
    linkTo: openLinks({ bucket: INBOX_BUCKET, endpoint: S3_ENDPOINT }),
    publicFilesUrl: MEDIA_BASE_URL,
    log: openLog("admin-inbox"),
  };
}
