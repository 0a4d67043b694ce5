import { describe, expect, test } from "vitest";
import { fileToSend } from "#shared/domain/inbox/message-media.ts";
import type { MediaItem } from "#shared/domain/upload/media-item.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const mb = 1024 * 1024;
const at = noon.toISOString();

const aMediaItem = (overrides: Partial<MediaItem> = {}): MediaItem => ({
  id: anId("med"),
  status: "ready",
  content_type: "image/jpeg",
  filename: "sofa.jpg",
  url: "/media/sofa.jpg",
  bytes: 5 * mb,
  width: 800,
  height: 600,
  variants: [],
  reason: null,
  alt: null,
  tags: [],
  version: 1,
  created_at: at,
  updated_at: at,
  deleted_at: null,
  ...overrides,
});

describe("a file of the shop that goes out by WhatsApp", () => {
  test.each([
    ["image/jpeg", 5 * mb, "image"],
    ["image/png", 5 * mb, "image"],
    ["application/pdf", 5 * mb + 1, "document"],
  ] as const)("is sent as %s of %i bytes", (content_type, bytes, kind) => {
    const sent = fileToSend(aMediaItem({ content_type, bytes }), "Your sofa");
    expect(sent).toMatchObject({ kind, media: { content_type, caption: "Your sofa" } });
  });

  test.each([
    ["a picture above 5 MB", { bytes: 5 * mb + 1 }, "WhatsApp accepts pictures of up to 5 MB."],
    [
      "a WebP picture",
      { content_type: "image/webp" },
      "WhatsApp accepts JPEG and PNG pictures and PDFs.",
    ],
    ["a pending file", { status: "pending" }, "The media item is not ready."],
    ["a deleted file", { deleted_at: at }, "The selected media id is invalid."],
  ] as const)("is refused as %s", (_name, overrides, problem) => {
    expect(fileToSend(aMediaItem(overrides), null)).toEqual({ problem });
  });
});
