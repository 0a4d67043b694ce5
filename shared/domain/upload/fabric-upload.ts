import * as z from "zod";
import { Id } from "../base/ids.ts";
import { Timestamp } from "../base/text.ts";
import {
  type UploadRequest,
  UploadedPicture,
  RejectionMessage,
  pendingUpload,
  unfinishedLifetimeMs,
} from "./upload.ts";

/** A fabric picture uploaded by a visitor. Anybody who knows its id can read it. */
export const FabricUpload = UploadedPicture.extend({
  id: Id("upl"),
  expires_at: Timestamp.nullable().meta({
    description:
      "When the picture is deleted; null once a quote or an order uses it. A picture in a cart " +
      "is kept longer than the cart",
  }),
  /** The number of quotes that hold the upload. */
  quotes: z.int().min(0).optional(),
  /** Whether an order holds the upload. */
  ordered: z.literal(true).optional(),
});
export type FabricUpload = z.output<typeof FabricUpload>;

export const FabricUploadView = FabricUpload.omit({ quotes: true, ordered: true })
  .extend(RejectionMessage.shape)
  .meta({ id: "FabricUpload" });

export function newFabricUpload(
  request: UploadRequest,
  { id, now }: { id: string; now: Date },
): FabricUpload {
  const expires = new Date(now.getTime() + unfinishedLifetimeMs);
  return { ...pendingUpload(request, now), id, expires_at: expires.toISOString() };
}
