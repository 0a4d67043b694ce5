import * as fc from "fast-check";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { makePicture } from "#shared/files/make-picture.ts";
import { PublicPicture, PublicSwatch, copiesOf } from "#shared/domain/upload/public-picture.ts";

const folder = "media://uploads/med_01KE66PJA0M594E921BVM9D6BK/";
const copies = (...sizes: [width: number, height: number][]) =>
  sizes.map(([width, height]) => ({
    url: `${folder}${width}.webp`,
    width,
    height,
    content_type: "image/webp",
  }));

describe("the copies of a picture", () => {
  test("and its colour are those that the media worker has made, for any size", async () => {
    const side = fc.integer({ min: 1, max: 2_000 });
    await fc.assert(
      fc.asyncProperty(side, side, async (width, height) => {
        const background = { r: 194, g: 75, b: 46 };
        const bytes = await sharp({ create: { width, height, channels: 3, background } })
          .png()
          .toBuffer();
        const { outcome } = await makePicture(bytes, {
          id: "med_01KE66PJA0M594E921BVM9D6BK",
          content_type: "image/png",
          isVisitors: false,
        });
        if (outcome.status !== "ready") throw new Error(outcome.reason);
        const { color, variants } = copiesOf(outcome.url ?? "");
        expect(outcome.variants).toHaveLength(variants.length);
        expect(outcome.variants).toMatchObject(variants);
        const channels = Buffer.from(color!.slice(1), "hex");
        [194, 75, 46].forEach((value, at) =>
          expect(Math.abs(channels[at]! - value)).toBeLessThanOrEqual(8),
        );
      }),
      { numRuns: 12 },
    );
  });

  test("follow from the size in the address, whatever size a record states", () => {
    const stored = { alt: "", width: 9_000, height: 10 };
    expect(
      PublicPicture.parse({ ...stored, url: `${folder}original-1200x900-d9cbb2.jpg` }),
    ).toMatchObject({ color: "#d9cbb2", variants: copies([320, 240], [800, 600]) });
  });

  test("follow from the record's size for a picture from before addresses had sizes, which has no colour", () => {
    const picture = { url: `${folder}original.avif`, alt: "", width: 2_000, height: 1_000 };
    expect(PublicPicture.parse(picture)).toEqual({
      ...picture,
      color: null,
      variants: copies([320, 160], [800, 400], [1_600, 800]),
    });
  });

  test("are never wider than the original", () => {
    expect(copiesOf(`${folder}original-200x100-ffffff.png`).variants).toEqual(copies([200, 100]));
    expect(copiesOf(`${folder}800.webp`, { width: 800, height: 400 }).variants).toEqual(
      copies([320, 160], [800, 400]),
    );
  });

  test.each([
    `${folder}original.mp4`,
    `${folder}original.pdf`,
    "media://chairs/oslo.webp",
    "https://elsewhere.example/original.jpg",
  ])("do not exist for %s", (url) => {
    expect(copiesOf(url, { width: 2_000, height: 1_000 })).toEqual({ color: null, variants: [] });
  });
});

test("a swatch carries the narrowest copy of its close-up alone", () => {
  const swatch = { code: "oat", label: "Oat", hex: null };
  const image = `${folder}original-1200x900-d9cbb2.webp`;
  expect(PublicSwatch.parse({ ...swatch, image }).variants).toEqual(copies([320, 240]));
  expect(PublicSwatch.parse({ ...swatch, image: null }).variants).toEqual([]);
});
