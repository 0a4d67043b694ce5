import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { makePicture } from "#shared/files/make-picture.ts";
import type { PictureType } from "#shared/domain/upload/upload.ts";
import { blueFirst, frames, thumbnailed, tiled, twoStills } from "#test/support/shop/avif-files.ts";

/** What encoders make of one picture: each file is a still that browsers show, or is refused for a reason. */
const [width, height] = [128, 96];
const clay = [194, 75, 46];
const blue = [0, 0, 200];
const picture = (overrides: object = {}) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: clay[0]!, g: clay[1]!, b: clay[2]! },
      ...overrides,
    },
  });
const clear = () => picture({ channels: 4, background: { r: 194, g: 75, b: 46, alpha: 0.5 } });

const make = async (bytes: Buffer, content_type: PictureType) =>
  makePicture(bytes, { id: "med_01KE66PJA0M594E921BVM9D6BK", content_type, isVisitors: true });

/** The colour of the first pixel of each file, and the size of the original. */
async function shown(bytes: Buffer, type: PictureType) {
  const { outcome, files } = await make(bytes, type);
  if (outcome.status !== "ready") return outcome.reason;
  const colours = await Promise.all(
    files.map(async (file) => [
      ...(await sharp(file.bytes).toColourspace("srgb").removeAlpha().raw().toBuffer()).subarray(
        0,
        3,
      ),
    ]),
  );
  return { size: [outcome.width, outcome.height], colours };
}

function expectColour(of: Awaited<ReturnType<typeof shown>>, expected: readonly number[]): void {
  if (typeof of === "string") throw new Error(`The picture is rejected: ${of}`);
  expect(of.colours).not.toEqual([]);
  for (const colour of of.colours) {
    expected.forEach((value, at) => expect(Math.abs(colour[at]! - value)).toBeLessThanOrEqual(8));
  }
}

/** The grey that sharp makes of the clay. */
const grey = [114, 114, 114];
/** A colour of the press, which the screen shows only nearly. */
const nearly = [194, 68, 20];
const relatives: [what: string, type: PictureType, encode: () => Sharp, colour?: number[]][] = [
  ["a baseline JPEG", "image/jpeg", () => picture().jpeg()],
  ["a progressive JPEG", "image/jpeg", () => picture().jpeg({ progressive: true })],
  [
    "a JPEG without chroma subsampling",
    "image/jpeg",
    () => picture().jpeg({ chromaSubsampling: "4:4:4" }),
  ],
  ["a JPEG by mozjpeg", "image/jpeg", () => picture().jpeg({ mozjpeg: true })],
  ["a JPEG with one channel", "image/jpeg", () => picture().greyscale().jpeg(), grey],
  [
    "a JPEG in CMYK",
    "image/jpeg",
    () => picture().toColourspace("cmyk").jpeg({ quality: 100 }),
    nearly,
  ],
  ["a PNG", "image/png", () => picture().png()],
  ["an interlaced PNG", "image/png", () => picture().png({ progressive: true })],
  ["a PNG with a palette", "image/png", () => picture().png({ palette: true })],
  [
    "a PNG with a palette of two colours",
    "image/png",
    () => picture().png({ palette: true, colours: 2 }),
  ],
  ["a PNG of 16 bits", "image/png", () => picture().toColourspace("rgb16").png()],
  [
    "a grey PNG of 16 bits",
    "image/png",
    () => picture().greyscale().toColourspace("grey16").png(),
    grey,
  ],
  ["a PNG with alpha", "image/png", () => clear().png()],
  ["a grey PNG with alpha", "image/png", () => clear().greyscale().png(), grey],
  ["a WebP", "image/webp", () => picture().webp()],
  ["a lossless WebP", "image/webp", () => picture().webp({ lossless: true })],
  ["a nearly lossless WebP", "image/webp", () => picture().webp({ nearLossless: true })],
  ["a WebP with alpha", "image/webp", () => clear().webp()],
  ["an AVIF", "image/avif", () => picture().avif({ effort: 0 })],
  ["a lossless AVIF", "image/avif", () => picture().avif({ lossless: true, effort: 0 })],
  [
    "an AVIF with halved chroma",
    "image/avif",
    () => picture().avif({ chromaSubsampling: "4:2:0", effort: 0 }),
  ],
  ["an AVIF of 10 bits", "image/avif", () => picture().avif({ bitdepth: 10, effort: 0 })],
  ["an AVIF of 12 bits", "image/avif", () => picture().avif({ bitdepth: 12, effort: 0 })],
  ["an AVIF with alpha", "image/avif", () => clear().avif({ effort: 0 })],
];

test.each(relatives)("%s is shown as it looks", async (_what, type, encode, expected = clay) => {
  const of = await shown(await encode().toBuffer(), type);
  expect(of).toMatchObject({ size: [width, height] });
  expectColour(of, expected);
});

const turned = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((orientation) =>
  (["jpeg", "png", "webp", "avif"] as const).map((format) => [format, orientation] as const),
);
test.each(turned)("a picture as %s with orientation %i is upright", async (format, orientation) => {
  const bytes = await picture()
    .withMetadata({ orientation })
    .toFormat(format, format === "avif" ? { effort: 0 } : {})
    .toBuffer();
  const { autoOrient } = await sharp(bytes).metadata();
  const of = await shown(bytes, `image/${format}`);
  expect(of).toMatchObject({ size: [autoOrient.width, autoOrient.height] });
  expectColour(of, clay);
});

test.each([
  ["one of two stills, the first", twoStills, clay],
  ["one of two stills, the second", blueFirst(), blue],
  ["a grid of tiles", tiled, clay],
  ["a picture with a thumbnail", thumbnailed, clay],
] as const)("an AVIF whose primary item is %s shows that one", async (_what, bytes, colour) => {
  const of = await shown(bytes, "image/avif");
  expect(of).toMatchObject({ size: [width, height] });
  expectColour(of, colour);
});

test("an AVIF that is a sequence of frames is refused as animated", async () => {
  expect(await shown(frames, "image/avif")).toBe("animated");
});
