import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect-customer-family.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";
import { type Uploads, openUploads } from "#shared/files/uploads.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";

export interface Deps extends CustomerFamilyDeps {
  uploads: Uploads;
  documentLinks: DocumentLinks;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { QUARANTINE_BUCKET, UPLOAD_URL, DOCUMENTS_BUCKET, S3_ENDPOINT } = readEnvironment(
    environment,
    ["QUARANTINE_BUCKET", "UPLOAD_URL", "DOCUMENTS_BUCKET", "S3_ENDPOINT"],
  );
  return {
    ...connectCustomerFamily(environment, "enquiries"),
    uploads: openUploads({ bucket: QUARANTINE_BUCKET, url: UPLOAD_URL }),
    documentLinks: openDocumentLinks({ bucket: DOCUMENTS_BUCKET, endpoint: S3_ENDPOINT }),
  };
}
