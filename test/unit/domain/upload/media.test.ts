import { describe, expect, test } from "vitest";
import { mediaUrl, withMediaAddresses, withMediaUrls } from "#shared/domain/upload/media.ts";

const base = "https://media.test/files";
const stored = {
  name: "See media://chairs/oslo.webp",
  image: { url: "media://chairs/oslo.webp", width: 1600 },
  files: ["media://manuals/oslo.pdf", null],
};
const shown = {
  name: "See media://chairs/oslo.webp",
  image: { url: `${base}/chairs/oslo.webp`, width: 1600 },
  files: [`${base}/manuals/oslo.pdf`, null],
};

describe("stored media addresses", () => {
  test("are replaced by URLs at any depth, and other texts are unchanged", () => {
    expect(withMediaUrls(stored, base)).toEqual(shown);
    expect(mediaUrl("media://a.webp", base)).toBe(`${base}/a.webp`);
  });

  test("are not recognised within other texts", () => {
    for (const text of ["media://", "media://../a", "media://a b", "Media://a", '"media://a"']) {
      expect(withMediaUrls(text, base)).toBe(text);
    }
  });

  test("can be derived from their URLs", () => {
    expect(withMediaAddresses(shown, base)).toEqual(stored);
    expect(withMediaAddresses(withMediaUrls(stored, base), base)).toEqual(stored);
    for (const text of [`${base}.evil.test/a.webp`, `${base}/a.webp is blurred`, `${base}/`]) {
      expect(withMediaAddresses(text, base)).toBe(text);
    }
  });
});
