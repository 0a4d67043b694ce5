import { type UploadForm, quarantineKey } from "../domain/upload/upload.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import { formSigner } from "./upload-form.ts";

interface ExpectedFile {
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
}

/** The one way in for files: they wait in quarantine until somebody has looked at their bytes. */
export interface UploadDesk {
  /** What the client sends the announced file to storage with. */
  formFor(id: string, file: ExpectedFile): Promise<UploadForm>;
  /** Sends a file that came in the call itself. Throws Unavailable when storage does not take it. */
  send(form: UploadForm, file: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** @param url where the quarantine takes forms; the bucket's own address unless given */
export function openUploadDesk({ bucket, url }: { bucket: string; url?: string | undefined }) {
  const sign = formSigner(bucket, url);
  const desk: UploadDesk = {
    formFor: (id, { content_type, size }) =>
      sign({ key: quarantineKey(id), contentType: content_type, size }),
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
