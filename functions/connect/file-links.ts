import type { Opener, Parts } from "#shared/application/shop.ts";
import { openLinks } from "#shared/files/signed-link.ts";
import { bucketOf } from "./bucket.ts";

export const linkToExport: Opener<Parts["linkToExport"]> = (environment) =>
  openLinks(bucketOf(environment, "EXPORTS_BUCKET"));

export const linkToInboxFile: Opener<Parts["linkToInboxFile"]> = (environment) =>
  openLinks(bucketOf(environment, "INBOX_BUCKET"));
