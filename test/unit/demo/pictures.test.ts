import { describe, expect, test } from "vitest";
import { demoShop } from "#infra/local/demo/demo-shop.ts";

const shop = demoShop(new Date("2026-11-21T09:00:00.000Z"));
const { drawings, files, find: _find, ...records } = shop;

describe("the demo pictures", () => {
  const keys = [...drawings, ...files].map(({ key }) => key);

  test("exist exactly once for every picture URL of every demo record", () => {
    const addresses = JSON.stringify(records).matchAll(/media:\/\/([^"]+)/g);
    const asked = new Set(Array.from(addresses, ([, key]) => key));
    expect(asked.size).toBeGreaterThan(300);
    expect(asked).toEqual(new Set(keys));
    expect(keys).toHaveLength(asked.size);
  });

  test("are small, complete SVG documents without invalid numbers", () => {
    for (const { key, draw } of drawings) {
      const svg = draw();
      expect(svg, key).toMatch(/^<svg [^>]+viewBox="0 0 1200 900"[\s\S]+<\/svg>$/);
      expect(svg, key).not.toMatch(/NaN|undefined|Infinity/);
      expect(svg.length, key).toBeLessThan(20_000);
    }
  });
});
