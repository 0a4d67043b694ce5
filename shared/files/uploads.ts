import { type UploadForm, quarantineKey } from "../domain/upload/upload.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { formSigner } from "./upload-form.ts";

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
