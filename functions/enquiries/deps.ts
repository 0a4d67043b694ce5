import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect-customer-family.ts";
import { type Uploads, openUploads } from "#shared/files/uploads.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";

export interface Deps extends CustomerFamilyDeps {
  uploads: Uploads;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { QUARANTINE_BUCKET, UPLOAD_URL } = readEnvironment(environment, [
    "QUARANTINE_BUCKET",
    "UPLOAD_URL",
  ]);
  return {
    ...connectCustomerFamily(environment, "enquiries"),
    uploads: openUploads({ bucket: QUARANTINE_BUCKET, url: UPLOAD_URL }),
  };
}
