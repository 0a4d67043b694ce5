import { expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { makePicture } from "#shared/files/make-picture.ts";
import type { PictureType } from "#shared/domain/upload/upload.ts";
import { flat } from "#test/support/shop/uploads.ts";

const id = "med_01KE66PJA0M594E921BVM9D6BK";
const outcomeOf = async (bytes: Buffer, content_type: PictureType, clock?: () => number) =>
  (await makePicture(bytes, { id, content_type }, clock)).outcome;

/** The picture without its end: the header is complete, but decoding fails. */
const cut = (bytes: Buffer) => bytes.subarray(0, Math.ceil(bytes.byteLength * 0.9));

async function expectRefusedByHeader(format: "jpeg" | "png" | "avif"): Promise<void> {
  const type: PictureType = `image/${format}`;
  const small = await outcomeOf(cut(await flat(format, [500, 500])), type);
  expect(small).toEqual({ status: "rejected", reason: "not_a_picture" });
  const large = await outcomeOf(cut(await flat(format, [5_001, 5_000])), type);
  expect(large).toEqual({ status: "rejected", reason: "too_many_pixels" });
}

const byHeader = "a picture (%s) above 25 megapixels is refused by its header, without decoding it";
test.each(["jpeg", "png"] as const)(byHeader, expectRefusedByHeader);
// Encoding the large picture takes ten seconds.
test.each(["avif"] as const)(byHeader, { tags: "slow" }, expectRefusedByHeader);

test("a picture of exactly 25 megapixels is accepted", { tags: "slow" }, async () => {
  const outcome = await outcomeOf(await flat("jpeg", [5_000, 5_000]), "image/jpeg");
  expect(outcome).toMatchObject({ status: "ready", width: 5_000, height: 5_000 });
});

test(
  "an AVIF whose header announces fewer pixels than it has is rejected",
  { tags: "slow" },
  async () => {
    const bytes = await flat("avif");
    const size = bytes.indexOf("ispe") + 8;
    bytes.writeUInt32BE(100, size);
    bytes.writeUInt32BE(50, size + 4);
    expect(await outcomeOf(bytes, "image/avif")).toEqual({
      status: "rejected",
      reason: "not_a_picture",
    });
  },
);

test("a picture that is not processed within the time limit is rejected with the reason", async () => {
  const times = [0, 61_000];
  const clock = () => times.shift() ?? 61_000;
  expect(await outcomeOf(await flat("png", [8, 8]), "image/png", clock)).toEqual({
    status: "rejected",
    reason: "took_too_long",
  });
});

test("at most four pictures are processed concurrently", () => {
  const media = consumers.find(({ name }) => name === "on-change-media");
  expect(media?.source).toMatchObject({ kind: "queue", batchSize: 1, maxConcurrency: 4 });
});
