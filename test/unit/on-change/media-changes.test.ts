import { describe, expect, test } from "vitest";
import {
  mediaUses,
  picturesOrdered,
  uploadGone,
} from "#functions/on-change/stream/media-changes.ts";
import { aPlacedOrder } from "#test/support/shop/placed-order.ts";
import { distinctUses, mediaItemsIn } from "#shared/domain/upload/media-item.ts";

const one = "med_01KE66PJA0M594E921BVM9D6BK";
const other = "med_01KE66PJA0ES1DT3A83NW8J283";
const addressOf = (id: string) => `media://uploads/${id}/320.webp`;

test("a search for media references finds each once, at any depth and in text", () => {
  const record = {
    cover: { url: addressOf(one) },
    blocks: [{ data: { html: `<img src="${addressOf(other)}"><img src="${addressOf(one)}">` } }],
    plain: ["media://chairs/oslo.webp", `media://uploads/${one}`, 1, null],
  };
  expect(mediaItemsIn(record)).toEqual(new Set([one, other]));
});

describe("a record that shows a picture", () => {
  const change = (entity: string, before: object | undefined, after: object | undefined) => {
    const keys = { pk: "PAGE#page_1", sk: "PAGE", entity, id: "page_1" };
    return mediaUses({
      pk: keys.pk,
      before: before && { ...keys, ...before },
      after: after && { ...keys, ...after },
    });
  };

  test("is reported with added and removed pictures", () => {
    expect(change("page", { cover: addressOf(one) }, { cover: addressOf(other) })).toEqual({
      pk: "PAGE#page_1",
      sk: "PAGE",
      media: [one, other],
      shown_by: { kind: "page", id: "page_1" },
    });
    expect(change("published_page", { cover: addressOf(one) }, undefined)).toMatchObject({
      media: [one],
      shown_by: { kind: "page", id: "page_1" },
    });
  });

  test("is not reported if the pictures are unchanged or only in old versions", () => {
    expect(change("page", { a: addressOf(one) }, { b: addressOf(one) })).toBeUndefined();
    expect(change("page_version", undefined, { a: addressOf(one) })).toBeUndefined();
    expect(change("order", undefined, { a: addressOf(one) })).toBeUndefined();
  });

  test("is reported once for draft and published copy", () => {
    const uses = [
      { kind: "product", id: "prd_2" },
      { kind: "product", id: "prd_1" },
      { kind: "product", id: "prd_2" },
    ];
    expect(distinctUses(uses)).toEqual([uses[1], uses[0]]);
  });
});

test("a new order keeps each picture of its lines once; a later change keeps none", () => {
  const [line] = aPlacedOrder().items;
  const itemsOf = (...uploads: string[][]) =>
    uploads.map((upload_ids) => ({ ...line, upload_ids }));
  const after = { entity: "order", items: itemsOf(["upl_1", "upl_2"], [], ["upl_1"]) };
  expect(picturesOrdered({ pk: "", before: undefined, after })).toEqual({
    ordered: ["upl_1", "upl_2"],
  });
  expect(picturesOrdered({ pk: "", before: after, after })).toBeUndefined();
  const plain = { ...after, items: itemsOf([]) };
  expect(picturesOrdered({ pk: "", before: undefined, after: plain })).toBeUndefined();
});

test("an expired upload row reports its files for deletion", () => {
  const row = { entity: "media_item", id: one, url: addressOf(one), variants: [] };
  expect(uploadGone({ pk: "", before: row, after: undefined })).toEqual({
    gone: { id: one, files: [`uploads/${one}/320.webp`] },
  });
  expect(uploadGone({ pk: "", before: row, after: row })).toBeUndefined();
  const use = { ...row, entity: "media_use" };
  expect(uploadGone({ pk: "", before: use, after: undefined })).toBeUndefined();
});
