import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasSignature, FileType } from "#shared/domain/upload/media-type.ts";
import { aFileOf, aGlb, aPdf, aUsdz, aWebm, anMp4 } from "#test/support/shop/uploads.ts";

const types = FileType.options;
const passes = (type: FileType, bytes: Uint8Array) => hasSignature(type, bytes, bytes.byteLength);

test.each(types)("a file of type %s is accepted as that type and as no other", (type) => {
  expect(types.filter((each) => passes(each, aFileOf[type]()))).toEqual([type]);
});

test("files without their type's signature are refused at any length", () => {
  const begins = new Set(types.map((type) => aFileOf[type]().toString("latin1", 0, 4)));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...types), (bytes, type) => {
      const start = Buffer.from(bytes).subarray(0, 4).toString("latin1");
      fc.pre(!begins.has(start) && Buffer.from(bytes).toString("latin1", 4, 8) !== "ftyp");
      return !passes(type, bytes);
    }),
  );
});

test("a file that ends within its signature is refused without an exception", () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.nat(), (type, cut) => {
      const whole = aFileOf[type]();
      const bytes = whole.subarray(0, cut % 9);
      return !passes(type, bytes);
    }),
  );
});

describe("a file that only resembles the announced type is refused:", () => {
  const html = "<script>alert(1)</script>";
  test.each<[string, FileType, Buffer]>([
    ["HTML in front of a PDF", "application/pdf", Buffer.from(`${html}\n${aPdf().toString()}`)],
    ["a PDF without a version", "application/pdf", Buffer.from(`%PDF-${html}`)],
    ["an AVIF", "video/mp4", anMp4(["avif", "mif1", "miaf"])],
    ["a HEIC", "video/mp4", anMp4(["heic", "mif1", "heic"])],
    ["a QuickTime video", "video/mp4", anMp4(["qt  ", "qt  "])],
    ["a Matroska video", "video/webm", aWebm("matroska")],
    ["a glTF with a wrong length", "model/gltf-binary", Buffer.concat([aGlb(), Buffer.from(html)])],
    ["a compressed zip", "model/vnd.usdz+zip", aUsdz({ method: 8 })],
    ["a zip of another file type", "model/vnd.usdz+zip", aUsdz({ name: "word/document.xml" })],
  ])("%s", (_name, type, bytes) => {
    expect(passes(type, bytes)).toBe(false);
  });
});

/** An EBML header with these elements: their ids and contents in hexadecimal, sizes included. */
const ebmlOf = (elements: string) => {
  const content = Buffer.from(elements.replaceAll(" ", ""), "hex");
  return Buffer.concat([
    Buffer.from("1a45dfa3", "hex"),
    Buffer.from([0x80 | content.length]),
    content,
  ]);
};
const versions = "4286 81 01 42f7 81 01";

test.each([
  ["a name of four bytes", `${versions} 4282 84 7765626d`],
  ["a name that is padded with zero bytes", `${versions} 4282 85 7765626d00`],
  ["a name that is padded with several", `4282 88 7765626d00000000 ${versions}`],
  ["a size of two bytes", `${versions} 4282 4004 7765626d`],
  ["a size of eight bytes", `${versions} 4282 0100000000000004 7765626d`],
])("a WebM with %s passes", (_what, elements) => {
  expect(passes("video/webm", ebmlOf(elements))).toBe(true);
});

test.each([
  ["the type of Matroska", "4282 88 6d6174726f736b61"],
  ["a longer name", "4282 85 7765626d73"],
  ["bytes after a zero byte that make another name", "4282 84 77656200"],
  ["the name in another element", "4283 84 7765626d"],
  ["no document type", versions],
  ["a size beyond the header", "4282 8f 7765626d"],
])("an EBML file with %s is no WebM", (_what, elements) => {
  expect(passes("video/webm", ebmlOf(elements))).toBe(false);
});
