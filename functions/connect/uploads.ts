import { type Uploads, openUploads } from "#shared/files/uploads.ts";
import { readVariable } from "#shared/runtime/environment.ts";

/** The quarantine bucket, which takes uploads. */
export const connectUploads = (environment: NodeJS.ProcessEnv): Uploads =>
  openUploads({
    bucket: readVariable(environment, "QUARANTINE_BUCKET"),
    url: readVariable(environment, "UPLOAD_URL"),
  });
