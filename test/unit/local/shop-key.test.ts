// @module-tag slow
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type ShopSources,
  currentKey,
  rememberedKey,
  shopSources,
} from "#infra/local/planting/shop-key.ts";

const day = "2026-11-21";
let sources: ShopSources;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "shop-key-"));
  sources = {
    root,
    entries: ["plant.ts"],
    further: ["package-lock.json"],
    directories: ["export"],
    list: join(root, "kept", "imported-files.json"),
  };
  mkdirSync(join(root, "data"));
  mkdirSync(join(root, "export/media"), { recursive: true });
  write(
    "plant.ts",
    'import { chairs } from "./data/chairs.ts";\nimport type { Row } from "./row.ts";\nconsole.log(chairs);\n',
  );
  write("data/chairs.ts", 'import "zod";\nexport const chairs = ["Kaveri"];\n');
  write("row.ts", "export type Row = string;\n");
  write("other.ts", "export const other = 1;\n");
  write("package-lock.json", "{}\n");
  write("export/media/chair.svg", "<svg/>");
});
afterEach(() => rmSync(sources.root, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(sources.root, file), text);

describe("the key of the planted shop", () => {
  test("is unknown without a list of the imported files, and then known without following imports", async () => {
    expect(rememberedKey(sources, day)).toBeUndefined();
    const key = await currentKey(sources, day);
    expect(rememberedKey(sources, day)).toBe(key);
    expect(rememberedKey({ ...sources, entries: ["other.ts"] }, day)).toBeUndefined();
  });

  test.each([
    ["the program", "plant.ts", 'import "./other.ts";\n'],
    ["an imported file", "data/chairs.ts", 'export const chairs = ["Kaveri", "Mysore"];\n'],
    ["the lockfile", "package-lock.json", '{ "lockfileVersion": 3 }\n'],
    ["a file below a directory of data", "export/media/chair.svg", "<svg></svg>"],
    ["a new file below a directory of data", "export/media/table.svg", "<svg/>"],
  ])("changes with the content of %s", async (_name, file, text) => {
    const key = await currentKey(sources, day);
    write(file, text);
    expect(rememberedKey(sources, day)).not.toBe(key);
    expect(await currentKey(sources, day)).not.toBe(key);
  });

  test("changes when an imported file is deleted", async () => {
    const key = await currentKey(sources, day);
    rmSync(join(sources.root, "data/chairs.ts"));
    expect(rememberedKey(sources, day)).not.toBe(key);
  });

  test("changes with the day", async () => {
    expect(await currentKey(sources, day)).not.toBe(await currentKey(sources, "2026-11-22"));
  });

  test("stays when files change that planting does not import, or only their times change", async () => {
    const key = await currentKey(sources, day);
    write("other.ts", "export const other = 2;\n");
    write("row.ts", "export type Row = number;\n");
    utimesSync(join(sources.root, "data/chairs.ts"), 0, 0);
    expect(rememberedKey(sources, day)).toBe(key);
    expect(await currentKey(sources, day)).toBe(key);
  });

  test("follows the imports of a file that has become imported", async () => {
    write("plant.ts", 'import "./other.ts";\n');
    const key = await currentKey(sources, day);
    write("other.ts", "export const other = 2;\n");
    expect(rememberedKey(sources, day)).not.toBe(key);
  });
});

test("the key covers the demo shop's data, the consumers and what stores their records, but no endpoint", async () => {
  const list = join(sources.root, "kept", "imported-files.json");
  await currentKey({ ...shopSources, list }, day);
  expect(shopSources.directories).toEqual(["infra/local/demo/export"]);
  const { files } = JSON.parse(readFileSync(list, "utf8")) as { files: string[] };
  expect(files).toEqual(
    expect.arrayContaining([
      "infra/local/demo/data/orders.ts",
      "infra/local/demo/catalog.ts",
      "functions/on-change/indexes.ts",
      "shared/documents/fonts.ts",
      "shared/storage/table.ts",
      "shared/search/index-format.ts",
    ]),
  );
  const ofEndpoints = /^functions\/(?!on-|connect\/)[\w-]+\//;
  expect(files.filter((file) => ofEndpoints.test(file) || file.startsWith("test/"))).toEqual([]);
});
