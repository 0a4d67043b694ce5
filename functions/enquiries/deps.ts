import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect-customer-family.ts";
import { type UploadDesk, openUploadDesk } from "#shared/files/upload-desk.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";

export interface Deps extends CustomerFamilyDeps {
  uploads: UploadDesk;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { QUARANTINE_BUCKET, UPLOAD_URL } = readEnvironment(environment, [
    "QUARANTINE_BUCKET",
    "UPLOAD_URL",
  ]);
  return {
    ...connectCustomerFamily(environment, "enquiries"),
    uploads: openUploadDesk({ bucket: QUARANTINE_BUCKET, url: UPLOAD_URL }),
  };
}
