import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { offerFabricUpload } from "#shared/application/upload/offer-fabric-upload.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import {
  UploadForm,
  UploadRequest,
  maxFormFileBytes,
  withRejectionMessage,
} from "#shared/domain/upload/upload.ts";
import { type FabricUpload, FabricUploadView } from "#shared/domain/upload/fabric-upload.ts";
import { fileForm } from "#shared/http/multipart.ts";
import { anyone, route } from "#shared/http/route.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";

export const uploadFabric = route({
  method: "POST",
  path: "/media/fabric",
  summary: "Upload a fabric picture",
  description:
    "Returns a form, valid for 15 minutes, that uploads exactly this file. A " +
    "file of up to 4 MB may also be sent here. The picture is then checked and " +
    "re-encoded: poll it until it is `ready`, or `rejected` with a reason. It may have at most 25 " +
    "megapixels and 16,383 pixels a side, and must not be animated. It is deleted after 24 hours " +
    "unless a cart, a quote or an order uses it.",
  access: anyone,
  limit: "fabric_upload",
  form: fileForm(maxFormFileBytes),
  idempotent: true,
  request: {
    body: UploadRequest.meta({
      example: { filename: "our-sofa.jpg", content_type: "image/jpeg", size: 482_113 },
    }),
  },
  response: {
    status: 201,
    data: FabricUploadView.and(z.object({ upload: UploadForm.nullable() })),
  },
  async handle(call, shop: Shop<"table" | "uploads">) {
    const { upload, form, headers } = await offerFabricUpload(call, shop);
    return {
      data: { ...withRejectionMessage(upload), upload: call.file ? null : form },
      headers,
    };
  },
});

export const getFabricUpload = route({
  method: "GET",
  path: "/media/fabric/{id}",
  summary: "Get an upload",
  description: "After an upload, poll until `status` is `ready`, or `rejected` with a `reason`.",
  access: anyone,
  request: { params: z.object({ id: z.string().max(60) }) },
  response: { status: 200, data: FabricUploadView },
  first: ({ params }, { table }: Shop<"table">) => table.get(FabricUploads, params),
  async handle({ first, now }) {
    if (!first || hasExpired(first, now)) throw new AppError("not_found");
    return { data: withRejectionMessage(first) };
  },
});

const hasExpired = ({ expires_at }: FabricUpload, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

export const routes = [uploadFabric, getFabricUpload];
