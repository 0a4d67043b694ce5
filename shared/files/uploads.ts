import { type UploadForm, quarantineKey } from "../domain/upload/upload.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import { openS3 } from "./s3.ts";

interface ExpectedFile {
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
}

/** Accepts uploads. Files stay in the quarantine bucket until their bytes are checked. */
export interface Uploads {
  /** The form with which the client uploads the announced file to S3. */
  formFor(id: string, file: ExpectedFile): Promise<UploadForm>;
  /** Uploads a file that came in the request itself. Throws Unavailable when S3 does not accept it. */
  send(form: UploadForm, file: Uint8Array<ArrayBuffer>): Promise<void>;
}

/**
 * Opens the quarantine bucket for uploads. @param url where the bucket accepts forms; defaults to the bucket's own
 * address
 */
export function openUploads({ bucket, url }: { bucket: string; url?: string | undefined }) {
  const sign = formSigner(bucket, url);
  const uploads: Uploads = {
    formFor: (id, { content_type, size }) =>
      sign({ key: quarantineKey(id), contentType: content_type, size }),
    async send({ url, fields }, file) {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append("file", new Blob([file]));
      try {
        const { status } = await fetch(url, { method: "POST", body });
        if (status !== 204) throw new Error(`Object storage answered ${status} to an upload form`);
      } catch (error) {
        throw new Unavailable("Object storage did not accept the file", { cause: error });
      }
    },
  };
  return uploads;
}

/** The exact properties of one upload. */
interface ExpectedObject {
  readonly key: string;
  readonly contentType: string;
  readonly size: number;
}

const lifetimeSeconds = 15 * 60;

/**
 * Signs forms that S3 accepts for one object only: S3 POST policies. S3 checks the form's content type, not the
 * bytes.
 *
 * @param url where the bucket accepts forms; defaults to the bucket's own address
 */
function formSigner(Bucket: string, url: string | undefined) {
  const client = openS3({ endpoint: url });
  return async ({ key, contentType, size }: ExpectedObject): Promise<UploadForm> => {
    const expires_at = endOfForm(new Date());
    const form = await createPresignedPost(client, {
      Bucket,
      Key: key,
      Fields: { "Content-Type": contentType },
      Conditions: [["content-length-range", size, size]],
      Expires: lifetimeSeconds,
    });
    return { url: url ?? form.url, fields: form.fields, expires_at };
  };
}

/** The policy expires on a full second, rounded up. */
function endOfForm(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000) + lifetimeSeconds;
  return new Date(seconds * 1000).toISOString();
}
