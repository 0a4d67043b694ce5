import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { messageTo } from "#functions/on-change/stream/effects.ts";
import { everyEntity } from "#infra/entities.ts";
import { MediaAddress } from "#shared/domain/upload/media.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { distinctUses, mediaItemsIn } from "#shared/domain/upload/media-item.ts";

const one = "med_01KE66PJA0M594E921BVM9D6BK";
const other = "med_01KE66PJA0ES1DT3A83NW8J283";
const addressOf = (id: string) => `media://uploads/${id}/320.webp`;

test("the search for media references finds each once, at any depth and within text", () => {
  const record = {
    cover: { url: addressOf(one) },
    blocks: [{ data: { html: `<img src="${addressOf(other)}"><img src="${addressOf(one)}">` } }],
    plain: ["media://chairs/oslo.webp", `media://uploads/${one}`, 1, null],
  };
  expect(mediaItemsIn(record)).toEqual(new Set([one, other]));
});

/** Whether records of a schema hold the address of a media item. */
function showsMedia(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { def, parent } = schema._zod;
  if (schema === MediaAddress || parent === MediaAddress) return true;
  // Each kind of Zod schema keeps its inner schemas in other members of its definition.
  const parts = def as { shape?: z.core.$ZodShape; options?: z.core.$ZodType[] } & Partial<
    Record<"element" | "innerType" | "valueType" | "in" | "out", z.core.$ZodType>
  >;
  const { shape = {}, options = [], element, innerType, valueType, in: input, out } = parts;
  return [...Object.values(shape), ...options, element, innerType, valueType, input, out].some(
    (part) => part !== undefined && showsMedia(part, seen),
  );
}

/** Entities whose records hold media addresses, but do not keep a media item from being deleted. */
const holdsNothing: Readonly<Record<string, string>> = {
  page_version: "An earlier version; restoring it checks that its pictures exist",
  story_version: "The same as for page_version",
  home_version: "The same as for page_version",
  story_teaser: "Part of a published story",
  message: "It was sent, and a sent message cannot be changed",
  fabric_upload: "The file itself",
  media_item: "The file itself",
};

test("an entity says that it shows pictures if its records hold media addresses", async () => {
  const entities = (await everyEntity()).filter(({ readsOthers }) => !readsOthers);
  const names = (chosen: typeof entities) => chosen.map(({ name }) => name);
  const withAddresses = entities.filter(
    ({ name, schema }) => !(name in holdsNothing) && showsMedia(schema),
  );
  expect(
    names(entities.filter(({ showsPictures }) => showsPictures)),
    "Declare `showsPictures`, or name the entity in holdsNothing with the reason",
  ).toEqual(names(withAddresses));
});

describe("a change of a record with pictures", () => {
  const change = (entity: string, before: object | undefined, after: object | undefined) => {
    const keys = { pk: "PAGE#page_1", sk: "PAGE", entity, id: "page_1" };
    return messageTo("mediaUses", {
      pk: keys.pk,
      before: before && { ...keys, ...before },
      after: after && { ...keys, ...after },
    });
  };

  test("is enqueued with the added and removed pictures", () => {
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

  test("is not enqueued if the pictures are unchanged or occur only in old versions", () => {
    expect(change("page", { a: addressOf(one) }, { b: addressOf(one) })).toBeUndefined();
    expect(change("page_version", undefined, { a: addressOf(one) })).toBeUndefined();
    expect(change("order", undefined, { items: [], a: addressOf(one) })).toBeUndefined();
  });

  test("is enqueued once for draft and published copy", () => {
    const uses = [
      { kind: "product", id: "prd_2" },
      { kind: "product", id: "prd_1" },
      { kind: "product", id: "prd_2" },
    ];
    expect(distinctUses(uses)).toEqual([uses[1], uses[0]]);
  });
});

test("a new order enqueues one message with the distinct uploads of its lines, so that they are kept; later changes enqueue none", () => {
  const [line] = aPlacedOrder().items;
  const itemsOf = (...uploads: string[][]) =>
    uploads.map((upload_ids) => ({ ...line, upload_ids }));
  const after = { entity: "order", items: itemsOf(["upl_1", "upl_2"], [], ["upl_1"]) };
  expect(messageTo("mediaUses", { pk: "", before: undefined, after })).toEqual({
    ordered: ["upl_1", "upl_2"],
  });
  expect(messageTo("mediaUses", { pk: "", before: after, after })).toBeUndefined();
  const plain = { ...after, items: itemsOf([]) };
  expect(messageTo("mediaUses", { pk: "", before: undefined, after: plain })).toBeUndefined();
});

test("an expired upload row enqueues the deletion of its files", () => {
  const row = { entity: "media_item", id: one, url: addressOf(one), variants: [] };
  expect(messageTo("media", { pk: "", before: row, after: undefined })).toEqual({
    gone: { id: one, files: [`uploads/${one}/320.webp`] },
  });
  expect(messageTo("media", { pk: "", before: row, after: row })).toBeUndefined();
  const use = { ...row, entity: "media_use" };
  expect(messageTo("media", { pk: "", before: use, after: undefined })).toBeUndefined();
});
