import { describe, expect, test } from "vitest";
import { demoShop } from "#infra/local/demo/demo-shop.ts";
import { readMedia } from "#infra/local/demo/exported.ts";

const { media, ...records } = await demoShop(new Date("2026-11-21T09:00:00.000Z"));

describe("the demo pictures", () => {
  test("exist exactly once for every picture URL of every demo record", () => {
    const addresses = JSON.stringify(records).matchAll(/media:\/\/[^"]+/g);
    const asked = new Set(Array.from(addresses, ([address]) => address));
    expect(asked.size).toBeGreaterThan(300);
    expect(media.map(({ url }) => url).toSorted()).toEqual([...asked].toSorted());
  });

  test("are small, complete SVG documents without invalid numbers, with the text alternative as title", async () => {
    const drawings = media.filter(({ content_type }) => content_type === "image/svg+xml");
    expect(drawings.length).toBeGreaterThan(300);
    for (const drawing of drawings) {
      const { filename, alt } = drawing;
      const svg = Buffer.from(await readMedia(drawing)).toString("utf8");
      expect(svg, filename).toMatch(/^<svg [^>]+viewBox="0 0 1200 900"[\s\S]+<\/svg>$/);
      expect(svg, filename).not.toMatch(/NaN|undefined|Infinity/);
      expect(svg, filename).toContain(`<title>${alt?.replaceAll("&", "&amp;")}</title>`);
    }
  });
});
