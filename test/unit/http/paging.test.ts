import { describe, expect, test } from "vitest";
import { AppError } from "#shared/domain/request/app-error.ts";
import {
  CursorPage,
  NumberedPage,
  cursorOf,
  keyOfCursor,
  numberedMeta,
  pageLinks,
  pageOf,
} from "#shared/http/paging.ts";

describe("a numbered page of a list", () => {
  test("defaults to page 1 with 24 items", () => {
    expect(NumberedPage.parse({})).toEqual({ page: 1, per_page: 24 });
  });

  test.each([
    "0",
    "-1",
    "1.5",
    "101",
    "1e308",
    "NaN",
    "Infinity",
    "abc",
    "",
    " ",
    "9007199254740993",
  ])("is refused with per_page=%j", (per_page) => {
    expect(NumberedPage.safeParse({ per_page }).success).toBe(false);
  });

  test.each([
    [0, 1],
    [1, 1],
    [24, 1],
    [25, 2],
    [49, 3],
  ])(
    "names the last page at 24 items per page: for a total of %i it is page %i",
    (total, last_page) => {
      expect(numberedMeta({ page: 1, per_page: 24 }, total).last_page).toBe(last_page);
    },
  );

  test("has the items after those of the earlier pages", () => {
    const pages = [1, 2, 3].map((page) => pageOf("abcde".split(""), { page, per_page: 2 }));
    expect(pages).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  });

  test("has links that keep the request's filters", () => {
    const query = { page: 2, per_page: 10, color: "grey,blue", q: "oak & teak", sort: undefined };
    expect(pageLinks("/api/v1/products", query, numberedMeta(query, 35))).toEqual({
      first: "/api/v1/products?page=1&per_page=10&color=grey%2Cblue&q=oak%20%26%20teak",
      prev: "/api/v1/products?page=1&per_page=10&color=grey%2Cblue&q=oak%20%26%20teak",
      next: "/api/v1/products?page=3&per_page=10&color=grey%2Cblue&q=oak%20%26%20teak",
      last: "/api/v1/products?page=4&per_page=10&color=grey%2Cblue&q=oak%20%26%20teak",
    });
  });

  test("has no link beyond the first and last page", () => {
    const only = { page: 1, per_page: 10 };
    expect(pageLinks("/x", only, numberedMeta(only, 3))).toMatchObject({ prev: null, next: null });
  });

  test("is refused if its number exceeds the last page", () => {
    const query = { page: 3, per_page: 10 };
    expect(() => pageLinks("/x", query, numberedMeta(query, 20))).toThrow(
      "The page field must be at most 2.",
    );
  });
});

describe("a pagination cursor", () => {
  const partition = { attribute: "gsi1pk", value: "LIVE#story" };
  const key = { pk: "LIVE#story#a", sk: "LIVE", gsi1pk: "LIVE#story", gsi1sk: "2026#a" };
  const made = cursorOf(key, partition) ?? "";
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const sealed = made.split(".")[1] ?? "";

  test("is null after the last page, and may be omitted for the first", () => {
    expect(cursorOf(undefined, partition)).toBeNull();
    expect(keyOfCursor(undefined, partition)).toBeUndefined();
  });

  test("decodes to the key from which it was created", () => {
    expect(keyOfCursor(made, partition)).toEqual(key);
  });

  test("does not contain key names of the table", () => {
    const text = Buffer.from(made.split(".")[0] ?? "", "base64url").toString();
    expect(text).not.toMatch(/pk|sk/);
  });

  test.each([
    ["not base64", "***"],
    ["empty", ""],
    ["not JSON", `${Buffer.from("{").toString("base64url")}.${sealed}`],
    ["without its signature", made.split(".")[0] ?? ""],
    [
      "another position with the same signature",
      `${encoded(["2027#b", "LIVE#story#b", "LIVE"])}.${sealed}`,
    ],
    ["a valid key without a signature", encoded({ pk: "x", sk: "y", gsi1pk: "LIVE#story" })],
    ["of another list", cursorOf(key, { attribute: "gsi1pk", value: "ORDERS#2026-11" }) ?? ""],
    ["of another index", cursorOf(key, { attribute: "pk", value: "LIVE#story" }) ?? ""],
    ["of a key without its parts", cursorOf({ gsi1sk: 5 }, partition) ?? ""],
  ])("is refused if it is %s", (_what, cursor) => {
    const attempt = () => keyOfCursor(cursor, partition);
    expect(attempt).toThrow(AppError);
    expect(attempt).toThrow("The cursor field is invalid.");
  });

  test("is refused because of its length before it is decoded", () => {
    expect(CursorPage.safeParse({ cursor: "a".repeat(5_000) }).success).toBe(false);
  });
});
