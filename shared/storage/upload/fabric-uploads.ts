import { FabricUpload } from "../../domain/upload/fabric-upload.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put } from "../writes.ts";

export const FabricUploads = entity({
  name: "fabric_upload",
  notExported: "transient",
  schema: FabricUpload,
  key: ({ id }: { id: string }) => ({ pk: `UPLOAD#${id}`, sk: "UPLOAD" }),
  ttl: ({ expires_at }) =>
    expires_at === null ? undefined : Math.ceil(Date.parse(expires_at) / 1000),
});

export const addFabricUpload = (upload: FabricUpload): Write => put(FabricUploads, upload, isNew);

/** Records the result of an upload's check. The write is refused unless the upload is pending. */
export const settleFabricUpload = (upload: FabricUpload): Write =>
  put(FabricUploads, upload, is("status", "pending"));
