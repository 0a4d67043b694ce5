import type { Shop } from "#shared/application/shop.ts";
import { type CreatingCall, createOnce } from "#shared/application/create-once.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { newFabricUpload, type UploadRequest } from "#shared/domain/upload/upload.ts";
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
 * @returns the upload, and the form that uploads its file
 */
export async function offerFabricUpload(
  call: FabricCall,
  { table, uploads }: Shop<"table" | "uploads">,
) {
  const { body, file, now } = call;
  const fresh = newFabricUpload(body, { id: newId("upl", now), now });
  const creation = { route: "POST /media/fabric", id: fresh.id };
  const created = await createOnce(creation, call, table, (binding) =>
    table.transact([addFabricUpload(fresh), ...binding]),
  );
  const upload = orNotFound(created.replayed ? await table.get(FabricUploads, created) : fresh);
  const form = await uploads.formFor(upload.id, body);
  if (file && !created.replayed) await uploads.send(form, file);
  return { ...created, upload, form };
}
