import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { connectUploads } from "#functions/connect/uploads.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Uploads } from "#shared/files/uploads.ts";
import { type MediaLibrary, openMediaLibrary } from "#shared/storage/upload/media.ts";

export interface Deps extends StaffFamilyDeps {
  media: MediaLibrary;
  uploads: Uploads;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-media");
  return {
    ...family,
    media: openMediaLibrary(family.table, () => new Date()),
    uploads: connectUploads(environment),
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
  };
}
