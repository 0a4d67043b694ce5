import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { isTimeout, makePicture } from "#shared/files/make-picture.ts";
import type { PictureType } from "#shared/domain/upload/upload.ts";
import { flat } from "#test/support/shop/uploads.ts";

const id = "med_01KE66PJA0M594E921BVM9D6BK";
const announced = (content_type: PictureType, isVisitors = false) => ({
  id,
  content_type,
  isVisitors,
});
const outcomeOf = async (bytes: Buffer, content_type: PictureType, clock?: () => number) =>
  (await makePicture(bytes, announced(content_type), clock)).outcome;

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

test.each([
  ["a visitor's", true, 10_000],
  ["staff's", false, 60_000],
])(
  "%s picture that is not processed in time is rejected with the reason",
  async (_whose, isVisitors, limit) => {
    const bytes = await flat("png", [8, 8]);
    const after = async (ms: number) => {
      const times = [0, ms];
      const clock = () => times.shift() ?? ms;
      return (await makePicture(bytes, announced("image/png", isVisitors), clock)).outcome;
    };
    expect(await after(limit)).toEqual({ status: "rejected", reason: "took_too_long" });
    expect(await after(limit - 1_000)).toMatchObject({ status: "ready" });
  },
);

test.each([
  ["timeout: 10% complete", true],
  ["source: bad seek to 1581339\nsource: bad seek to 1581340\ntimeout: 10% complete", true],
  ["heif: Invalid input: Unspecified: the timeout: box", false],
])("sharp's error %j says that its time has passed: %s", (message, isOver) => {
  expect(isTimeout(new Error(message))).toBe(isOver);
});

test("at most four pictures are processed concurrently", () => {
  const media = consumers.find(({ name }) => name === "on-change-media");
  expect(media?.source).toMatchObject({ kind: "queue", batchSize: 1, maxConcurrency: 4 });
});

const clay = [194, 75, 46] as const;
const clayPicture = () =>
  sharp(Buffer.from(Array.from({ length: 64 * 64 }, () => clay).flat()), {
    raw: { width: 64, height: 64, channels: 3 },
  });
const avif = { quality: 95, chromaSubsampling: "4:4:4" } as const;
const png16 = () => clayPicture().toColourspace("rgb16");

test.each<[string, PictureType, () => Sharp]>([
  ["an 8-bit PNG", "image/png", () => clayPicture().png()],
  ["an 8-bit PNG in sRGB", "image/png", () => clayPicture().withIccProfile("srgb").png()],
  ["an 8-bit PNG in P3", "image/png", () => clayPicture().withIccProfile("p3").png()],
  ["a 16-bit PNG", "image/png", () => png16().png()],
  ["a 16-bit PNG in sRGB", "image/png", () => png16().withIccProfile("srgb").png()],
  ["a 16-bit PNG in P3", "image/png", () => png16().withIccProfile("p3").png()],
  ["an 8-bit AVIF in P3", "image/avif", () => clayPicture().withIccProfile("p3").avif(avif)],
  ["a 10-bit AVIF", "image/avif", () => clayPicture().avif({ ...avif, bitdepth: 10 })],
  [
    "a 10-bit AVIF in sRGB",
    "image/avif",
    () =>
      clayPicture()
        .withIccProfile("srgb")
        .avif({ ...avif, bitdepth: 10 }),
  ],
  [
    "a 12-bit AVIF in P3",
    "image/avif",
    () =>
      clayPicture()
        .withIccProfile("p3")
        .avif({ ...avif, bitdepth: 12 }),
  ],
  ["a JPEG in P3", "image/jpeg", () => clayPicture().withIccProfile("p3").jpeg({ quality: 95 })],
  ["a WebP in P3", "image/webp", () => clayPicture().withIccProfile("p3").webp({ lossless: true })],
])("%s keeps its colours, in the original and its copies", async (_what, type, make) => {
  const { files } = await makePicture(await make().toBuffer(), announced(type));
  expect(files).toHaveLength(2);
  for (const { bytes } of files) {
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const shown = [...data.subarray(0, info.channels)];
    clay.forEach((value, at) => expect(Math.abs(shown[at]! - value)).toBeLessThanOrEqual(6));
  }
});

test("a visitor's AVIF above 12 megapixels is refused by its header, staff's is not", async () => {
  const bytes = Buffer.from(await flat("avif", [64, 48]));
  const size = bytes.indexOf("ispe") + 8;
  bytes.writeUInt32BE(4_001, size);
  bytes.writeUInt32BE(3_000, size + 4);
  const reasonFor = async (isVisitors: boolean) => {
    const { outcome } = await makePicture(bytes, announced("image/avif", isVisitors));
    return outcome.status === "rejected" ? outcome.reason : null;
  };
  expect(await reasonFor(true)).toBe("avif_too_large");
  expect(await reasonFor(false)).toBe("not_a_picture");
});
