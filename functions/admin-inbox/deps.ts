import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type LinkTo, openLinks } from "#shared/files/signed-link.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps extends StaffFamilyDeps {
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
  const family = connectStaffFamily(environment, "admin-inbox");
  return {
    ...family,
    settings: openGroups(family.table, ["store"]),
    linkTo: openLinks(bucketOf(environment, "INBOX_BUCKET")),
    publicFilesUrl: readVariable(environment, "MEDIA_BASE_URL"),
  };
}
