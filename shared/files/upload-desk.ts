import { type UploadForm, quarantineKey } from "../domain/upload.ts";
import { ownIdentity } from "../runtime/aws-service.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { uploadForm } from "./upload-form.ts";

interface ExpectedFile {
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
}

/** The one way in for files: they wait in quarantine until somebody has looked at their bytes. */
export interface UploadDesk {
  /** What the client sends the announced file to storage with. */
  formFor(id: string, file: ExpectedFile, now: Date): UploadForm;
  /** Sends a file that came in the call itself. Throws Unavailable when storage does not take it. */
  send(form: UploadForm, file: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** @param url where the quarantine takes forms; the bucket's own address unless given */
export function openUploadDesk({ bucket, url }: { bucket: string; url?: string | undefined }) {
  const desk: UploadDesk = {
    formFor(id, { content_type, size }, now) {
      const identity = ownIdentity(url);
      const address = url ?? `https://${bucket}.s3.${identity.region}.amazonaws.com/`;
      const object = { bucket, key: quarantineKey(id), contentType: content_type, size };
      return uploadForm(address, object, identity, now);
    },
    async send({ url, fields }, file) {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append("file", new Blob([file]));
      try {
        const { status } = await fetch(url, { method: "POST", body });
        if (status !== 204) throw new Error(`Storage answered ${status} to a form`);
      } catch (error) {
        throw new Unavailable("Storage did not take a file", { cause: error });
      }
    },
  };
  return desk;
}
