import { describe, expect, test } from "vitest";
import { changesBetween } from "#shared/domain/staff/activity.ts";

describe("the changes of a record in the activity log", () => {
  test("list exactly the changed members by dotted path", () => {
    const before = { name: "Oslo", price: 100, tags: ["a", "b"], seo: { title: null }, version: 1 };
    const after = { name: "Oslo", price: 120, tags: ["a"], seo: { title: "Sofa" }, version: 2 };
    expect(changesBetween(before, after)).toEqual([
      { path: "price", from: 100, to: 120 },
      { path: "tags", from: "b", to: null },
      { path: "seo.title", from: null, to: "Sofa" },
    ]);
  });

  test("distinguish an empty list from a filled one and omit equal lists", () => {
    expect(changesBetween({ tags: [] }, { tags: ["new"] })).toEqual([
      { path: "tags", from: null, to: "new" },
    ]);
    expect(changesBetween({ tags: [], seo: {} }, { tags: [], seo: {} })).toEqual([]);
  });

  test("name each permission that a role lost or gained, and ignore the order of the permissions", () => {
    const before = { permissions: ["catalog.view", "leads", "orders.view"] };
    const after = { permissions: ["analytics.view", "catalog.view", "orders.view"] };
    expect(changesBetween(before, after)).toEqual([
      { path: "permissions", from: "leads", to: null },
      { path: "permissions", from: null, to: "analytics.view" },
    ]);
  });

  test("mask secrets and show only that they changed", () => {
    expect(changesBetween({ password_hash: "a" }, { password_hash: "b" })).toEqual([
      { path: "password_hash", from: "••••", to: "••••" },
    ]);
  });

  test("contain only length and hash of a long text", () => {
    const [change] = changesBetween({ body: "x".repeat(5_000) }, { body: "short" });
    expect(change).toMatchObject({ path: "body", from: { length: 5_000 }, to: "short" });
    expect(JSON.stringify(change).length).toBeLessThan(300);
  });

  test("count the changes above the limit instead of listing them", () => {
    const many = (value: number) =>
      Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`m${at}`, value]));
    const changes = changesBetween(many(1), many(2));
    expect(changes).toHaveLength(100);
    expect(changes.at(-1)).toMatchObject({
      path: "and 151 more",
      to: { sha256: expect.any(String) },
    });
  });

  test("list every member of a created or deleted record", () => {
    expect(changesBetween(undefined, { name: "Oslo" })).toEqual([
      { path: "name", from: null, to: "Oslo" },
    ]);
    expect(changesBetween({ name: "Oslo" }, undefined)).toEqual([
      { path: "name", from: "Oslo", to: null },
    ]);
  });
});
