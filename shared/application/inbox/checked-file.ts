import { hasSignature, signatureBytes, isPictureType } from "#shared/domain/upload/media-type.ts";
import type { FileRejection } from "#shared/domain/inbox/message-media.ts";
import { makePicture } from "#shared/files/make-picture.ts";

interface FetchedFile {
  readonly bytes: Uint8Array;
  /** Content type according to WhatsApp. */
  readonly content_type: string;
}

export type CheckedFile =
  | ({ readonly kind: "checked" } & FetchedFile)
  | { readonly kind: "refused"; readonly reason: FileRejection };

const refused = (reason: FileRejection): CheckedFile => ({ kind: "refused", reason });

/** What no browser opens: such a file can only be saved. */
const sealedType = "application/octet-stream";

/**
 * Checks a file that a customer sent. Returns a picture reduced to its pixels, and every other file unchanged. An MP4
 * video or PDF must be one; a file of any other type can only be saved.
 */
export async function checkedFile({ bytes, content_type }: FetchedFile): Promise<CheckedFile> {
  if (isPictureType(content_type)) {
    const { outcome, files } = await makePicture(bytes, {
      id: "picture",
      content_type,
      isVisitors: true,
      widths: [],
    });
    if (outcome.status === "rejected") return refused(outcome.reason);
    const [picture] = files;
    if (!picture) throw new Error("A ready picture has no file");
    return { kind: "checked", bytes: picture.bytes, content_type };
  }
  if (content_type !== "application/pdf" && content_type !== "video/mp4") {
    return { kind: "checked", bytes, content_type: sealedType };
  }
  const head = bytes.subarray(0, signatureBytes);
  if (!hasSignature(content_type, head, bytes.byteLength)) return refused("wrong_type");
  return { kind: "checked", bytes, content_type };
}
