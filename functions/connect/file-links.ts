import { openDocumentLinks } from "#shared/application/document/document-links.ts";
import type { Opener, Parts } from "#shared/application/shop.ts";
import { openLinks } from "#shared/files/signed-link.ts";
import { type Calling, bucketOf } from "./bucket.ts";

export const linkToExport: Opener<Parts["linkToExport"], Calling> = (environment, shop) =>
  openLinks(bucketOf(environment, "EXPORTS_BUCKET", shop));

export const linkToInboxFile: Opener<Parts["linkToInboxFile"], Calling> = (environment, shop) =>
  openLinks(bucketOf(environment, "INBOX_BUCKET", shop));

export const documentLinks: Opener<Parts["documentLinks"], Calling> = (environment, shop) =>
  openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET", shop));
