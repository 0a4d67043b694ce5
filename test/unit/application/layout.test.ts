import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: root }).toSorted();

const source = (file: string): string => readFileSync(join(root, file), "utf8");

const useCases = filesOf("shared/application/**/*.ts");

describe("the use cases in shared/application", () => {
  test("have names that no other file of the product has", () => {
    const others = filesOf("{functions,shared}/**/*.ts").filter((file) => !useCases.includes(file));
    const taken = new Set(others.map((file) => basename(file)));
    const twice = useCases.filter(
      (file, index) =>
        taken.has(basename(file)) ||
        useCases.findIndex((one) => basename(one) === basename(file)) !== index,
    );
    expect(twice).toEqual([]);
  });
});

test("functions leave writing to the use cases", () => {
  const writers = filesOf("functions/**/*.ts").filter((file) =>
    /\.(?:write|writeMany|transact|clear)\(/.test(source(file)),
  );
  expect(writers).toEqual([]);
});

/** The lines between the braces of each `handle` in a file, or of its expression. */
function handlersIn(text: string): { line: number; length: number }[] {
  const lines = text.split("\n");
  const indentOf = (line: string) => line.length - line.trimStart().length;
  return lines.flatMap((begin, index) => {
    if (!/^\s*(?:async )?handle(?:\(|: )/.test(begin)) return [];
    const rest = lines.slice(index + 1);
    const length = rest.findIndex((line) => line !== "" && indentOf(line) <= indentOf(begin));
    return [{ line: index + 1, length }];
  });
}

test("handlers of routes have at most 15 lines", () => {
  const handlers = filesOf("functions/**/*.ts").flatMap((file) =>
    handlersIn(source(file)).map((handler) => ({ file, ...handler })),
  );
  expect(handlers.length).toBeGreaterThan(100);
  const long = handlers.filter(({ length }) => length > 15);
  expect(long.map(({ file, line, length }) => `${file}:${line} has ${length} lines`)).toEqual([]);
});

test.each(["shared/application", "infra/local"])("%s has at most 15 files per folder", (place) => {
  const folders = Map.groupBy(filesOf(`${place}/**/*.ts`), dirname);
  const crowded = [...folders].filter(([, files]) => files.length > 15);
  expect(crowded.map(([folder, files]) => `${folder} has ${files.length} files`)).toEqual([]);
});
