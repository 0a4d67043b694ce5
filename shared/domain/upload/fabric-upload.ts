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

/** A picture of a cloth that a visitor shows us. Its id is all that opens it. */
export const FabricUpload = UploadedPicture.extend({
  id: Id("upl"),
  expires_at: Timestamp.nullable().meta({
    description:
      "When it goes: long after the cart that holds it; null, never, once a quote or an order does",
  }),
  /** How many quotes hold on to it. */
  quotes: z.int().min(0).optional(),
  /** Whether an order does. */
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
