import type { Shop } from "#shared/application/shop.ts";
import { type CreatingCall, once } from "#shared/application/once.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import type { UploadRequest } from "#shared/domain/upload/upload.ts";
import { newFabricUpload } from "#shared/domain/upload/fabric-upload.ts";
import type { Uploads } from "#shared/files/uploads.ts";
import { FabricUploads, addFabricUpload } from "#shared/storage/upload/fabric-uploads.ts";
import type * as z from "zod";

interface FabricCall extends CreatingCall {
  readonly body: z.output<typeof UploadRequest>;
  readonly file?: Parameters<Uploads["send"]>[1] | undefined;
}

/**
 * Creates the upload of a shopper's fabric picture, once per idempotency key, and sends the file if the request
 * contains it.
 *
 * @returns the upload, the form that uploads its file, and the headers of the answer
 */
export async function offerFabricUpload(
  call: FabricCall,
  { table, uploads }: Shop<"table" | "uploads">,
) {
  const { body, file, now } = call;
  const fresh = newFabricUpload(body, { id: newId("upl", now), now });
  const creation = {
    route: "POST /media/fabric",
    id: fresh.id,
    at: (id: string) => `/media/fabric/${id}`,
    replay: async (id: string) => ({ upload: orNotFound(await table.get(FabricUploads, { id })) }),
  };
  const { upload, replayed, headers } = await once(creation, call, table, async (bind) => {
    await table.transact([addFabricUpload(fresh), ...bind()]);
    return { upload: fresh };
  });
  const form = await uploads.formFor(upload.id, body);
  if (file && !replayed) await uploads.send(form, file);
  return { upload, form, headers };
}
