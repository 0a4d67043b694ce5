import type { Opener, Parts } from "#shared/application/shop.ts";
import { openUploads } from "#shared/files/uploads.ts";
import { readVariable } from "#shared/runtime/environment.ts";

export const uploads: Opener<Parts["uploads"]> = (environment) =>
  openUploads({
    bucket: readVariable(environment, "QUARANTINE_BUCKET"),
    url: readVariable(environment, "UPLOAD_URL"),
  });
