import { describe, expect, test } from "vitest";
import {
  type ContentDocument,
  nextDraft,
  newState,
  published,
  documentSlugs,
  unpublished,
} from "#shared/domain/content/document.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";

const later = new Date(noon.getTime() + 60_000);
const draft = (): ContentDocument => ({
  id: anId("page"),
  slug: "a",
  title: "A",
  ...newState(noon),
});

describe("a document with a draft and a published copy", () => {
  test("is published with the content of its draft and the version that publishing creates", () => {
    expect(published(draft(), later)).toMatchObject({
      status: "published",
      version: 2,
      published: { slug: "a", version: 2 },
      published_at: later.toISOString(),
      updated_at: later.toISOString(),
    });
  });

  test("keeps its published copy when its draft is edited", () => {
    const after = nextDraft(published(draft(), noon), { slug: "b" }, later);
    expect(after).toMatchObject({ slug: "b", version: 3, published: { slug: "a", version: 2 } });
    expect(documentSlugs(after)).toEqual(new Set(["b", "a"]));
  });

  test("keeps the date of its first publication when it is published again", () => {
    const back = unpublished(published(draft(), noon), later);
    expect(back).toMatchObject({ status: "draft", published: null, version: 3 });
    expect(published(back, later)).toMatchObject({
      published_at: noon.toISOString(),
      published: { version: 4 },
    });
  });

  test("reserves its slug, and a document that does not exist reserves none", () => {
    expect(documentSlugs(undefined)).toEqual(new Set());
    expect(documentSlugs(draft())).toEqual(new Set(["a"]));
  });
});
