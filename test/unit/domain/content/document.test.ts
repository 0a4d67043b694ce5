import { describe, expect, test } from "vitest";
import {
  type Document,
  edited,
  newState,
  published,
  slugsOf,
  unpublished,
} from "#shared/domain/content/document.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const later = new Date(noon.getTime() + 60_000);
const draft = (): Document => ({ id: anId("page"), slug: "a", title: "A", ...newState(noon) });

describe("a document", () => {
  test("that is published is published as it stands, at the version that publishing makes", () => {
    expect(published(draft(), later)).toMatchObject({
      status: "published",
      version: 2,
      published: { slug: "a", version: 2 },
      published_at: later.toISOString(),
      updated_at: later.toISOString(),
    });
  });

  test("that is edited stays published as it was", () => {
    const after = edited(published(draft(), noon), { slug: "b" }, later);
    expect(after).toMatchObject({ slug: "b", version: 3, published: { slug: "a", version: 2 } });
    expect(slugsOf(after)).toEqual(new Set(["b", "a"]));
  });

  test("that is taken back and published again keeps the day of its first publication", () => {
    const back = unpublished(published(draft(), noon), later);
    expect(back).toMatchObject({ status: "draft", published: null, version: 3 });
    expect(published(back, later)).toMatchObject({
      published_at: noon.toISOString(),
      published: { version: 4 },
    });
  });

  test("that is none holds no slug", () => {
    expect(slugsOf(undefined)).toEqual(new Set());
    expect(slugsOf(draft())).toEqual(new Set(["a"]));
  });
});
