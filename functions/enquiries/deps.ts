import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect/customer-family.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectUploads } from "#functions/connect/uploads.ts";
import type { Uploads } from "#shared/files/uploads.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";

export interface Deps extends CustomerFamilyDeps {
  uploads: Uploads;
  documentLinks: DocumentLinks;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  return {
    ...connectCustomerFamily(environment, "enquiries"),
    uploads: connectUploads(environment),
    documentLinks: openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET")),
  };
}
