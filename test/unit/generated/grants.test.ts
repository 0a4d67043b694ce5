import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { recordedGrants } from "#functions/grants.ts";
import {
  type Grants,
  grantsOf,
  grantsText,
  skippedIn,
  withUses,
  withoutUnused,
} from "#infra/generated/grants.ts";
import { picturedNames } from "#shared/storage/pictured-entities.ts";

const grants = (...uses: readonly string[]): Grants => new Map([["cart", new Set(uses)]]);
const ofCart = ({ grants }: { grants: Grants }) => [...(grants.get("cart") ?? [])].toSorted();
const use = (possible: readonly string[], seen = possible) => ({ name: "cart", possible, seen });

test("the file is as the command writes it, and names only functions of the manifest", async () => {
  expect(await readFile("functions/grants.ts", "utf8")).toBe(grantsText(grantsOf(recordedGrants)));
});

test("the consumer of pictures may read every entity that shows pictures", () => {
  const { reads } = recordedGrants["on-change-media-uses"] ?? {};
  expect(reads).toEqual(expect.arrayContaining([...picturedNames]));
});

test("what a function was seen to use is added, and nothing is removed", () => {
  const after = withUses(grants("reads cart"), [use(["writes cart"]), use(["reads stock"])]);
  expect(after.unclear).toEqual([]);
  expect(ofCart(after)).toEqual(["reads cart", "reads stock", "writes cart"]);
});

test("a function that has no permissions yet gets its first", () => {
  const after = withUses(new Map(), [use(["reads cart"])]);
  expect(ofCart(after)).toEqual(["reads cart"]);
});

test("a call that the permissions allow already adds nothing, although it returned further entities", () => {
  const wholeOrder = use(["reads order", "reads order_change"]);
  expect(ofCart(withUses(grants("reads order"), [wholeOrder]))).toEqual(["reads order"]);
});

test("of the entities that match a key, those are added that any call of the function returned", () => {
  const keys = ["reads order", "reads order_change", "reads order_return"];
  const after = withUses(grants(), [use(keys, ["reads order"]), use(keys, []), use(keys, [])]);
  expect(after.unclear).toEqual([]);
  expect(ofCart(after)).toEqual(["reads order"]);
});

test("a key that may belong to several entities is named, not guessed", () => {
  const unclear = use(["writes customer", "writes customer_session"], []);
  const after = withUses(grants("reads cart"), [unclear, unclear]);
  expect(after.unclear).toEqual(["cart writes customer or writes customer_session"]);
  expect(ofCart(after)).toEqual(["reads cart"]);
});

test("pruning removes what no test needed, of the table alone", () => {
  const unused = ["cart: reads stock", "checkout: writes cart", "cart: sends to outbox"];
  const after = withoutUnused(grants("reads stock", "writes cart"), unused);
  expect(ofCart({ grants: after })).toEqual(["writes cart"]);
});

test("tests that were skipped or never ran are found", () => {
  const assertionResults = ["passed", "skipped", "todo"].map((status) => ({
    fullName: `is ${status}`,
    status,
  }));
  expect(skippedIn({ testResults: [{ assertionResults }] })).toEqual(["is skipped", "is todo"]);
});
