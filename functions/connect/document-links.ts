import type { Opener, Parts } from "#shared/application/shop.ts";
import { openDocumentLinks } from "#shared/application/document/document-links.ts";
import { bucketOf } from "./bucket.ts";

export const documentLinks: Opener<Parts["documentLinks"]> = (environment) =>
  openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET"));
