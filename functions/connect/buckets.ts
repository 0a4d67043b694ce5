import { openDocumentLinks } from "#shared/application/document/document-links.ts";
import type { IfOpened, Opener, Parts } from "#shared/application/shop.ts";
import { openCopyObject } from "#shared/files/copy-object.ts";
import { openFileKeeper } from "#shared/files/file-keeper.ts";
import { openGrowingObjects } from "#shared/files/growing-object.ts";
import { openObjectReader } from "#shared/files/object-reader.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import type { BucketOptions } from "#shared/files/s3.ts";
import { openLinks } from "#shared/files/signed-link.ts";
import { openUploads } from "#shared/files/uploads.ts";
import { type VariableName, readVariable } from "#shared/runtime/environment.ts";
import { timeoutOf } from "#shared/runtime/timeouts.ts";

type Calling = IfOpened<"requestHandler">;
type BucketVariable = Extract<VariableName, `${string}_BUCKET`>;

/** The name and address of a bucket, as the functions of `shared/files` take them. */
export const bucketOf = (
  environment: NodeJS.ProcessEnv,
  variable: BucketVariable,
  { requestHandler }: Calling = {},
): BucketOptions => ({
  bucket: readVariable(environment, variable),
  endpoint: readVariable(environment, "S3_ENDPOINT"),
  requestHandler,
});

const objects =
  (
    variable: BucketVariable,
    options: { requestTimeout?: number } = {},
  ): Opener<Parts["publicFiles"], Calling> =>
  (environment, shop) =>
    openObjectStore({ ...bucketOf(environment, variable, shop), ...options });

/** In ms. An upload may take long, because the product feed of a large catalog has tens of megabytes. */
const feedTimeout = 60_000;

export const publicFiles: Opener<Parts["publicFiles"], Calling> = (environment, shop) =>
  objects("MEDIA_BUCKET", { requestTimeout: timeoutOf(feedTimeout) })(environment, shop);
export const publishedFiles = objects("MEDIA_BUCKET");
export const quarantineFiles = objects("QUARANTINE_BUCKET");
export const documentFiles = objects("DOCUMENTS_BUCKET");
export const inboxFiles = objects("INBOX_BUCKET");
export const erasedIdLedger = objects("ERASED_IDS_BUCKET");
export const failedChangeFiles = objects("FAILED_CHANGES_BUCKET");

export const publicFile: Opener<Parts["publicFile"], Calling> = (environment, shop) =>
  openObjectReader(bucketOf(environment, "MEDIA_BUCKET", shop));
export const exportFiles: Opener<Parts["exportFiles"], Calling> = (environment, shop) =>
  openGrowingObjects(bucketOf(environment, "EXPORTS_BUCKET", shop));
export const copyInboxFile: Opener<Parts["copyInboxFile"], Calling> = (environment, shop) =>
  openCopyObject(bucketOf(environment, "INBOX_BUCKET", shop));

export const documentLinks: Opener<Parts["documentLinks"], Calling> = (environment, shop) =>
  openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET", shop));
export const linkToExport: Opener<Parts["linkToExport"], Calling> = (environment, shop) =>
  openLinks(bucketOf(environment, "EXPORTS_BUCKET", shop));
export const linkToInboxFile: Opener<Parts["linkToInboxFile"], Calling> = (environment, shop) =>
  openLinks(bucketOf(environment, "INBOX_BUCKET", shop));

/** Copies from the quarantine bucket to the media bucket. */
export const fileKeeper: Opener<Parts["fileKeeper"], Calling> = (environment, shop) => {
  const published = bucketOf(environment, "MEDIA_BUCKET", shop);
  const from = readVariable(environment, "QUARANTINE_BUCKET");
  return openFileKeeper({ ...published, from, to: published.bucket });
};

export const uploads: Opener<Parts["uploads"]> = (environment) =>
  openUploads({
    bucket: readVariable(environment, "QUARANTINE_BUCKET"),
    url: readVariable(environment, "UPLOAD_URL"),
  });
