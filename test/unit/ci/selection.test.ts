import { expect, test } from "vitest";
import { recordAfter } from "#test/changed/called-record.ts";
import { changedOption } from "#test/changed/changed-files.ts";
import { type Change, chosenFiles, unbundled } from "#test/changed/selection.ts";

const money = "shared/domain/base/money.ts";
const faqs = "functions/content/faqs.ts";
const inputs = { cart: [money, "functions/cart/cart.ts"], content: [faqs] };
const [cart, content, starts, unknown] = ["cart", "content", "starts", "unknown"].map(
  (name) => `test/api/${name}.test.ts`,
) as [string, string, string, string];

const after = (changed: string[], overrides: Partial<Change> = {}): Record<string, string> =>
  Object.fromEntries(
    chosenFiles({
      changed,
      files: [cart, content, starts, unknown].map((path) => ({
        path,
        loadsFunctions: path === starts,
      })),
      called: { [cart]: ["authorizer", "cart"], [content]: ["content"], [starts]: ["content"] },
      inputs,
      importing: new Set(),
      ...overrides,
    }),
  );

const everyFile = [cart, content, starts, unknown];

test.each([
  ["a file of one bundle", [money], [cart, starts, unknown]],
  ["files of two bundles", [money, faqs], everyFile],
  ["a file that no bundle holds", ["README.md"], []],
  ["a test file", [content], [content]],
  ["what tests share", ["test/support/http/client.ts"], everyFile],
  ["the local stack", ["infra/local/stack.ts"], everyFile],
  ["the configuration of the tests", ["test/vitest.config.ts"], everyFile],
  ["the lock file", ["package-lock.json"], everyFile],
  ["a file of the storefront's documentation", ["infra/README.md"], []],
])("after a change of %s run the files that may fail", (_what, changed, chosen) => {
  expect(Object.keys(after(changed))).toEqual(chosen);
});

test("without a record of a whole run all files run, unless no bundle holds what changed", () => {
  expect(Object.keys(after([money], { called: undefined }))).toEqual(everyFile);
  expect(after(["README.md"], { called: undefined })).toEqual({});
});

test("files that import what no bundle holds run", () => {
  const change = after(["infra/cli/import/catalog.ts"], { importing: new Set([content]) });
  expect(change).toEqual({ [content]: "it imports what changed" });
});

test("every chosen file has its reason", () => {
  expect(after([money])).toEqual({
    [cart]: "it called a changed function",
    [starts]: "it loads functions itself",
    [unknown]: "the functions that it calls are not recorded",
  });
});

test("the files that no bundle holds are known", () => {
  expect(unbundled([money, "README.md"], inputs)).toEqual(["README.md"]);
});

test.each([
  [["test/api"], { isChanged: false, since: undefined, others: ["test/api"] }],
  [["--changed"], { isChanged: true, since: undefined, others: [] }],
  [["--changed", "main", "--bail"], { isChanged: true, since: "main", others: ["--bail"] }],
  [["--changed", "--bail"], { isChanged: true, since: undefined, others: ["--bail"] }],
  [["--changed=main"], { isChanged: true, since: "main", others: [] }],
])("the parameters %j are read", (args, option) => {
  expect(changedOption(args)).toEqual(option);
});

test("a record begins with a whole run, follows later runs, and forgets files that failed", () => {
  const ran = (path: string, functions: string[], passed = true) => ({ path, passed, functions });
  const part = { isWhole: false, wholeFiles: true };
  expect(recordAfter(undefined, { ...part, files: [ran("a", ["cart"])] })).toBeUndefined();
  const whole = { isWhole: true, wholeFiles: true };
  const first = recordAfter(
    { gone: ["cart"] },
    { ...whole, files: [ran("a", ["cart"]), ran("b", [])] },
  );
  expect(first).toEqual({ a: ["cart"], b: [] });
  expect(recordAfter(first, { ...part, files: [ran("a", ["content"])] })).toEqual({
    a: ["content"],
    b: [],
  });
  expect(recordAfter(first, { ...part, files: [ran("a", [], false)] })).toEqual({ b: [] });
  // Of a file of which only some tests ran, the record keeps what it knows.
  const some = { isWhole: false, wholeFiles: false };
  expect(recordAfter(first, { ...some, files: [ran("a", [])] })).toEqual(first);
});
