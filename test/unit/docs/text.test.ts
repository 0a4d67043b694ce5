import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import project from "../../../package.json" with { type: "json" };

const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
/** The Markdown, without the files that commands write. */
const pages = tracked.filter(
  (path) => path.endsWith(".md") && !/CHANGELOG|KEYS/.test(path) && existsSync(path),
);
/** Names of files. A page may name the `routes.ts` of all functions, for example. */
const names = new Set(tracked.map((path) => basename(path)));
const textOf = (page: string) => readFileSync(page, "utf8");

const found = (page: string, pattern: RegExp) =>
  Array.from(textOf(page).matchAll(pattern), ([, match = ""]) => match);

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string) =>
  found(page, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );

/** Folders and files that a text names from the root, or beside itself. */
const roots = "functions|shared|infra|test|\\.github|\\.ci";
const example = /showroom/;

describe.each(pages)("%s", (page) => {
  test("links to files and headings that exist", () => {
    const links = [
      ...found(page, /\]\(([^)\s]+)\)/g),
      ...found(page, /<img src="([^"]+)"/g),
    ].filter((link) => !/^[a-z]+:/.test(link));
    const broken = links.filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("names files and folders that exist", () => {
    const named = [
      ...found(page, new RegExp(`\`((?:${roots})/[\\w./-]+)\``, "g")),
      ...found(page, /`((?:\.\.\/)*[\w./-]+\.ts)`/g),
    ].filter((path) => !example.test(path));
    const missing = named.filter(
      (path) =>
        !names.has(path) &&
        ![path, `${path}.test.ts`, join(dirname(page), path)].some((each) => existsSync(each)),
    );
    expect(missing).toEqual([]);
  });

  test("names npm scripts that exist", () => {
    const scripts = found(page, /\bnpm (?:run (?:--silent )?([\w:-]+)|(?:start|test)\b)/g).filter(
      Boolean,
    );
    const known = Object.keys(project.scripts);
    expect(scripts.filter((script) => !known.includes(script))).toEqual([]);
  });
});

test("the text is short: the README on one page, the page of a noun on 60 lines, all on 90 KB", () => {
  const readme = textOf("README.md");
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
  expect(statSync("README.md").size).toBeLessThanOrEqual(8_000);
  const nouns = pages.filter((page) => page.startsWith("shared/domain/"));
  expect(nouns.length).toBeGreaterThan(10);
  expect(nouns.filter((page) => textOf(page).split("\n").length > 61)).toEqual([]);
  const size = pages.reduce((sum, page) => sum + statSync(page).size, 0);
  expect(size).toBeLessThanOrEqual(90 * 1024);
});

test("the README of the test support names each of its files in the line of its folder", () => {
  const readme = textOf("test/support/README.md");
  const lineOf = new Map(
    readme.split(/^- /m).map((line) => [/^\*\*([\w-]+)\*\*/.exec(line)?.[1], line]),
  );
  const files = tracked.filter((path) => /^test\/support\/.*\.ts$/.test(path));
  expect(files.length).toBeGreaterThan(60);
  const missing = files.filter((file) => {
    const folder = basename(dirname(file));
    return lineOf.get(folder)?.includes(`\`${basename(file, ".ts")}\``) !== true;
  });
  expect(missing).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(80);
});
