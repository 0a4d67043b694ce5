import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { updateIndex } from "#shared/search/catalog-writer.ts";
import { materialsOf, pagesOf } from "#shared/search/documents.ts";
import { withMediaUrlsIn } from "#shared/search/media-urls.ts";
import { stringAt, stringColumn } from "#shared/search/string-column.ts";
import { withMediaUrls } from "#shared/domain/upload/media.ts";
import { anEntry } from "../catalog-index/entries.ts";
import { memoryTarget, readerOf } from "../catalog-index/memory-target.ts";

const texts = fc.constantFrom(
  "media://a/b.webp",
  "media://med_1/1280.webp",
  "media://not an address",
  "media://",
  'say "media://a/b.webp"',
  "\\",
  "सोफ़ा media://a",
  "",
);
const values = fc.dictionary(
  fc.constantFrom("url", "alt", "name"),
  fc.oneof(texts, fc.array(texts)),
);

describe("a column of JSON texts", () => {
  test.each(["https://media.example.com", "x:"])(
    "has the URLs of %s that its values would have, and only those",
    (baseUrl) => {
      fc.assert(
        fc.property(fc.array(values), (rows) => {
          const column = withMediaUrlsIn(
            stringColumn(rows.map((row) => JSON.stringify(row))),
            baseUrl,
          );
          const read = rows.map((_row, position) => stringAt(column, position));
          expect(read).toEqual(rows.map((row) => JSON.stringify(withMediaUrls(row, baseUrl))));
        }),
      );
    },
  );
});

const picture = (name: string) => ({
  url: `media://uploads/${name}.webp`,
  alt: name,
  width: 800,
  height: 600,
});
const swatch = (code: string) => ({
  code,
  label: code,
  hex: null,
  sku: null,
  image: `media://${code}.webp`,
});

/** A chair in two colours: the look of one has a picture, and the card does not show the swatch of the other. */
const chair = (id: string, own: string | null) =>
  anEntry(id, {
    card: { image: own === null ? null : picture(own), swatches: [swatch("oat")] },
    looks: [
      { words: "Oat", swatch: swatch("oat"), image: picture(`${id}-oat`) },
      { words: "Rust", swatch: swatch("rust"), image: null },
    ],
    text: { attributes: "Oat\nRust" },
  });

describe("an index that is loaded by stacks at different addresses", () => {
  const { target, objects } = memoryTarget();
  const upsert = (entry: ReturnType<typeof chair>) =>
    updateIndex(target, async () => [{ type: "upsert", entry }]);
  const oat = { code: "oat", swatch: { sku: null, image: picture("oat") } };
  const pages = [{ type: "page", picture: picture("page") }];

  async function shownAt(mediaBaseUrl: string, q: string) {
    const reader = readerOf({ ...target, now: () => Infinity, mediaBaseUrl });
    const catalog = await reader.current();
    const { cards } = catalogPage(catalog.index, { q, sort: "name", page: 1, per_page: 9 });
    return {
      cards: cards.map((card) => JSON.parse(card) as object),
      pages: pagesOf(catalog.documents),
      materials: [...materialsOf(catalog.documents).values()],
    };
  }

  test("contains the URLs of each, in its base and in what has changed since", async () => {
    await upsert(chair("based", "based-oat-too"));
    await upsert(chair("bare", null));
    await updateIndex(target, async () => [
      { type: "document", name: "pages", value: pages },
      { type: "document", name: "materials", value: [oat] },
    ]);
    expect([...objects.values()]).toHaveLength(3);

    for (const baseUrl of ["https://media.example.com", "http://127.0.0.1:4000/media"]) {
      const shown = (own: string | null, colours: string[]) => ({
        image: own && { ...picture(own), url: `${baseUrl}/uploads/${own}.webp` },
        swatches: colours.map((code) => ({ ...swatch(code), image: `${baseUrl}/${code}.webp` })),
      });
      const plain = await shownAt(baseUrl, "chair");
      expect(plain.cards).toMatchObject([shown(null, ["oat"]), shown("based-oat-too", ["oat"])]);
      expect(plain.pages).toEqual([
        { type: "page", picture: { ...picture("page"), url: `${baseUrl}/uploads/page.webp` } },
      ]);
      // Answers complete the addresses of these, as their schemas declare.
      expect(plain.materials).toEqual([oat]);
      expect((await shownAt(baseUrl, "oat chair")).cards).toMatchObject([
        shown("bare-oat", ["oat"]),
        shown("based-oat", ["oat"]),
      ]);
      expect((await shownAt(baseUrl, "rust chair")).cards).toMatchObject([
        shown(null, ["rust", "oat"]),
        shown("based-oat-too", ["rust", "oat"]),
      ]);
    }
  });
});
