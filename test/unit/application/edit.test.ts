import { expect, test } from "vitest";
import { isUnchanged } from "#shared/application/edit.ts";

const cart = { version: 3, updated_at: "2026-11-27", lines: [{ id: "a", note: null, media: [] }] };
const [line] = cart.lines;

test.each([
  ["a later version and time", { ...cart, version: 4, updated_at: "2026-11-28" }],
  ["a member that is not stored", { ...cart, lines: [{ ...line, shown: undefined }] }],
])("a record with %s is unchanged", (_, after) => {
  expect(isUnchanged(cart, after)).toBe(true);
  expect(isUnchanged(after, cart)).toBe(true);
});

test.each([
  ["a member more", { ...cart, lines: [{ ...line, shown: 1 }] }],
  ["a member less", { ...cart, lines: [{ id: "a", media: [] }] }],
  ["an element more", { ...cart, lines: [line, line] }],
  ["another kind of value", { ...cart, lines: [{ ...line, media: {} }] }],
  ["null instead of a value", { ...cart, lines: [{ ...line, id: null }] }],
])("a record with %s has changed", (_, after) => {
  expect(isUnchanged(cart, after)).toBe(false);
  expect(isUnchanged(after, cart)).toBe(false);
});
