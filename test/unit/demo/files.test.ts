import sharp from "sharp";
import { expect, test } from "vitest";
import { copiesOf } from "#shared/domain/upload/public-picture.ts";
import { hasSignature, isFileType } from "#shared/domain/upload/media-type.ts";
import { demoShop } from "#infra/local/demo/demo-shop.ts";
import { readCopies, readMedia } from "#infra/local/demo/exported.ts";

const shop = await demoShop(new Date("2026-11-21T09:00:00.000Z"));
const bytesAt = async (address: string | undefined) => {
  const file = shop.media.find(({ url }) => url === address);
  if (!file) throw new RangeError(`The demo shop has no file ${address}`);
  return Buffer.from(await readMedia(file));
};

test("every file of the demo shop is small and has the size that its record states", async () => {
  for (const file of shop.media) {
    const { byteLength } = await readMedia(file);
    expect(byteLength, file.filename).toBe(file.bytes);
    expect(byteLength, file.filename).toBeLessThan(20_000);
  }
});

test("every copy of a demo picture is a WebP of the size that its record and its picture's address state", async () => {
  for (const item of shop.media) {
    expect(
      item.variants.map(({ bytes: _bytes, ...variant }) => variant),
      item.filename,
    ).toEqual(copiesOf(item.url).variants);
    const files = await Promise.all(readCopies(item));
    expect(files.map(({ byteLength }) => byteLength)).toEqual(
      item.variants.map(({ bytes }) => bytes),
    );
    for (const [at, { width, height }] of item.variants.entries()) {
      const { format, ...size } = await sharp(files[at]).metadata();
      expect([format, size.width, size.height]).toEqual(["webp", width, height]);
    }
  }
});

test("every model and manual of the demo shop has the signature of its type", async () => {
  const files = shop.media.filter(({ content_type }) => content_type !== "image/svg+xml");
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const { filename, content_type } = file;
    const content = await readMedia(file);
    if (!isFileType(content_type)) throw new TypeError(`${filename} is ${content_type}`);
    expect(hasSignature(content_type, content, content.byteLength), filename).toBe(true);
  }
});

test("a demo 3D model has the dimensions of its product", async () => {
  const shown = shop.products.filter(({ media }) => media.some(({ type }) => type === "model_3d"));
  expect(shown.length).toBeGreaterThan(0);
  for (const { media, dimensions } of shown) {
    const model = await bytesAt(media.find(({ type }) => type === "model_3d")?.url);
    const jsonLength = model.readUInt32LE(12);
    const { accessors, buffers } = JSON.parse(model.toString("utf8", 20, 20 + jsonLength)) as {
      accessors: { min: number[]; max: number[] }[];
      buffers: { byteLength: number }[];
    };
    expect(buffers[0]?.byteLength).toBe(model.readUInt32LE(20 + jsonLength));
    const size = [0, 1, 2].map((axis) =>
      Math.round(((accessors[0]?.max[axis] ?? 0) - (accessors[0]?.min[axis] ?? 0)) * 1_000),
    );
    expect(size).toEqual([dimensions.width_mm, dimensions.height_mm, dimensions.depth_mm]);
  }
});

test("a demo manual names its product and packages, and states the same assembly time as the product record", async () => {
  const assembled = shop.products.filter(({ assembly }) => assembly.manual_url !== null);
  expect(assembled.length).toBeGreaterThan(0);
  for (const { name, assembly, packages } of assembled) {
    const manual = (await bytesAt(assembly.manual_url ?? undefined)).toString("latin1");
    expect(manual).toContain(name);
    expect(manual).toContain(`About ${assembly.minutes} minutes`);
    for (const { label } of packages) expect(manual).toContain(label);
    const [, table] = /startxref\n(\d+)\n/.exec(manual) ?? [];
    expect(manual.slice(Number(table))).toMatch(/^xref\n/);
  }
});
