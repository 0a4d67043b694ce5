import type { Opener, Parts } from "#shared/application/shop.ts";
import { openDocumentLinks } from "#shared/application/document/document-links.ts";
import { type Calling, bucketOf } from "./bucket.ts";

export const documentLinks: Opener<Parts["documentLinks"], Calling> = (environment, shop) =>
  openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET", shop));
