import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Card } from "#shared/domain/catalog/card.ts";
import { colorGroupHex } from "#shared/domain/catalog/material.ts";
import { catalogIndex, compacted } from "#shared/search/catalog-index.ts";
import { catalogPage, type CatalogQuery } from "#shared/search/catalog-page.ts";
import { type IndexEntry, emptySegment, segmentOf } from "#shared/search/segment.ts";
import { decodeBase, encodeBase } from "#shared/search/index-format.ts";
import {
  aCardVariant,
  anEntry,
  entries,
  laterEntries,
  queries,
  searches,
  withVariants,
} from "../catalog-index/entries.ts";
import { comparable, expectedPage } from "../catalog-index/oracle.ts";

const indexOf = (list: IndexEntry[]) => catalogIndex(segmentOf(list), emptySegment);
const firstPage = { page: 1, per_page: 24 };

describe("a page of the catalog list", () => {
  test("equals the result of a full scan", () => {
    fc.assert(
      fc.property(entries(40), queries, (list, query: CatalogQuery) => {
        expect(comparable(catalogPage(indexOf(list), query))).toEqual(expectedPage(list, query));
      }),
      { numRuns: 400 },
    );
  });

  test("does not depend on earlier queries", () => {
    fc.assert(
      fc.property(entries(40), fc.array(queries, { minLength: 2, maxLength: 6 }), (list, asked) => {
        const index = indexOf(list);
        for (const query of [{ ...firstPage, facets: true }, ...asked]) {
          expect(comparable(catalogPage(index, query))).toEqual(expectedPage(list, query));
        }
      }),
      { numRuns: 200 },
    );
  });

  test("is ordered by relevance for every search", () => {
    fc.assert(
      fc.property(entries(40), searches, fc.integer({ min: 1, max: 3 }), (list, q, page) => {
        const query = { q, page, per_page: 10, facets: true };
        expect(comparable(catalogPage(indexOf(list), query))).toEqual(expectedPage(list, query));
      }),
      { numRuns: 400 },
    );
  });

  test("equals the result of a full scan, even if few cards of a large catalog match", () => {
    const list = Array.from({ length: 500 }, (_, at) =>
      anEntry(`id${at}`, {
        card: { price: (at * 37) % 50, name: `Name ${at % 7}` },
        facets: { color: [at % 100 === 3 ? "rare" : "common"], tag: [`tag-${at % 90}`] },
        popularity: at % 5,
      }),
    );
    const index = indexOf(list);
    for (const sort of ["newest", "price", "-price", "name", "popular"] as const) {
      for (const page of [1, 2]) {
        const query = { filters: { color: ["rare"] }, sort, page, per_page: 3, facets: true };
        expect(comparable(catalogPage(index, query))).toEqual(expectedPage(list, query));
      }
    }
  });

  test(
    "is the same with an overlay of changes as after the overlay was merged into the base",
    { tags: "slow" },
    () => {
      const gone = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 6 });
      // Only queries of one word: with several words, the score depends on how rare each word is, and cards that the
      // overlay replaced count until the merge.
      const ofOneWord = queries.map((query) => ({
        ...query,
        q: query.q?.split(" ")[0] || undefined,
      }));
      fc.assert(
        fc.property(entries(40), laterEntries(), gone, ofOneWord, (list, later, removed, query) => {
          const ids = new Set(later.map(({ card }) => card.id));
          const removedIds = removed.map((at) => `id${at}`).filter((id) => !ids.has(id));
          const rest = list.filter(
            ({ card }) => !ids.has(card.id) && !removedIds.includes(card.id),
          );
          const expected = expectedPage([...rest, ...later], query);
          const index = catalogIndex(segmentOf(list), segmentOf(later), removedIds);
          expect(comparable(catalogPage(index, query))).toEqual(expected);
          const stored = encodeBase({ segment: compacted(index), documents: {} });
          const reread = catalogIndex(decodeBase(stored).segment, emptySegment);
          expect(comparable(catalogPage(reread, query))).toEqual(expected);
        }),
        { numRuns: 300 },
      );
    },
  );

  test("contains each product card as its original JSON", () => {
    const entry = anEntry("id1", { card: { name: 'Fauteuil "Crème" – सोफ़ा' } });
    const [card] = catalogPage(indexOf([entry]), firstPage).cards;
    expect(card).toBe(JSON.stringify(entry.card));
  });

  test("answers filters by one variant, and shows, sorts and counts that variant", () => {
    const soldOut = {
      state: "out_of_stock" as const,
      quantity: null,
      lead_time: { min_days: 1, max_days: 2 },
    };
    const picture = (name: string) => ({
      url: `media://chairs/${name}.webp`,
      alt: name,
      width: 4,
      height: 3,
    });
    const blue = aCardVariant("BLUE", {
      shown: { price: 10_000, image: picture("blue") },
      color: ["blue"],
      swatch: "blue",
    });
    const red = aCardVariant("RED", {
      shown: { price: 50_000, image: picture("red"), availability: soldOut },
      color: ["red"],
      swatch: "red",
    });
    const chair = withVariants(anEntry("chair", { card: { image: picture("main") } }), [blue, red]);
    const other = anEntry("other", { card: { price: 30_000 }, facets: { color: ["red"] } });
    const index = indexOf([chair, other]);
    const found = (query: Partial<CatalogQuery>) => {
      const page = catalogPage(index, { ...firstPage, facets: true, ...query });
      return {
        ...page,
        cards: page.cards.map((card) => JSON.parse(card)),
        colors: page.facets?.find(({ code }) => code === "color")?.values,
      };
    };
    const red50 = { sku: "RED", price: 50_000, availability: soldOut, image: { alt: "red" } };

    expect(found({ filters: { color: ["red"] }, in_stock: true }).cards).toMatchObject([
      { id: "other" },
    ]);
    expect(found({ filters: { color: ["red"] }, price_max: 20_000 }).total).toBe(0);
    expect(found({ filters: { color: ["red"] }, sort: "price" })).toMatchObject({
      cards: [{ id: "other" }, red50],
      price_range: { min: 30_000, max: 50_000 },
    });
    expect(found({ filters: { color: ["red"] }, sort: "-price" }).cards).toMatchObject([
      red50,
      { id: "other" },
    ]);
    expect(found({ in_stock: true }).colors).toMatchObject([
      { value: "blue", count: 1 },
      { value: "red", count: 1 },
    ]);
    expect(found({ price_min: 40_000 })).toMatchObject({
      cards: [red50],
      colors: [{ value: "red", count: 1 }],
    });
    expect(found({ sort: "price" }).cards).toMatchObject([
      { sku: "BLUE", image: { alt: "main" } },
      { id: "other" },
    ]);
    expect(found({ q: "chair above 400", sort: "price" }).cards).toMatchObject([red50]);
  });

  test("shows a named colour's variant only if it answers the filters", () => {
    const [oat, moss] = ["oat", "moss"].map((code, at) =>
      aCardVariant(code, {
        shown: {
          price: 100 + at,
          image: { url: `media://${code}`, alt: code, width: 4, height: 3 },
        },
        color: [code === "moss" ? "green" : "beige"],
        swatch: code,
      }),
    );
    const swatches = ["oat", "moss"].map((code) => ({
      code,
      label: code,
      hex: null,
      sku: null,
      image: null,
    }));
    const looks = swatches.map((swatch) => ({ words: swatch.code, swatch, image: null }));
    const chair = anEntry("chair", {
      card: { swatches },
      looks,
      text: { attributes: "oat\nmoss" },
    });
    const index = indexOf([withVariants(chair, [oat!, moss!])]);
    const shown = (query: Partial<CatalogQuery>) => {
      const { cards } = catalogPage(index, { ...firstPage, ...query });
      return cards.map((card) => {
        const {
          sku,
          image,
          swatches: [first],
        } = JSON.parse(card) as Card;
        return [sku, image?.alt, first?.code];
      });
    };
    expect(shown({ q: "moss chair" })).toEqual([["moss", "moss", "moss"]]);
    expect(shown({ q: "moss chair", price_max: 100 })).toEqual([["oat", "oat", "moss"]]);
  });

  test("is empty beyond the last page and still has the total", () => {
    const index = indexOf([anEntry("id1"), anEntry("id2")]);
    expect(catalogPage(index, { page: 3, per_page: 24 })).toMatchObject({ cards: [], total: 2 });
  });

  test("is empty for an empty catalog", () => {
    const page = catalogPage(indexOf([]), { ...firstPage, q: "sofa", facets: true });
    expect(page).toMatchObject({
      cards: [],
      total: 0,
      match: "none",
      facets: [],
      price_range: null,
    });
  });
});

describe("the values of a catalog facet", () => {
  const grey = { label: "Slate grey", swatch: { hex: "#777777", image: null } };
  const labelled = anEntry("id1", {
    facets: { color: ["grey"], room: ["living-room"] },
    labels: { color: { grey, blue: { label: "Blue" } } },
  });

  test("have a label and swatch, or else a label derived from the slug", () => {
    const { facets } = catalogPage(indexOf([labelled]), { ...firstPage, facets: true });
    expect(facets).toEqual([
      {
        code: "room",
        label: "Room",
        values: [{ value: "living-room", label: "Living room", count: 1 }],
      },
      { code: "color", label: "Colour", values: [{ value: "grey", ...grey, count: 1 }] },
    ]);
  });

  test("have the colour group's swatch if the cards have none", () => {
    const plain = anEntry("id3", { facets: { color: ["blue"], tag: ["blue"] } });
    const { facets } = catalogPage(indexOf([plain]), { ...firstPage, facets: true });
    const swatchOf = (facet: string) =>
      facets?.find(({ code }) => code === facet)?.values.map(({ swatch }) => swatch);
    expect(swatchOf("color")).toEqual([{ hex: colorGroupHex.blue, image: null }]);
    expect(swatchOf("tag")).toEqual([undefined]);
  });

  test("include selected values, even if they are unknown or named like an object property", () => {
    const query = { ...firstPage, filters: { color: ["constructor"] }, facets: true };
    const { facets } = catalogPage(indexOf([labelled]), query);
    expect(facets?.find(({ code }) => code === "color")?.values).toContainEqual({
      value: "constructor",
      label: "Constructor",
      count: 0,
    });
  });

  test("are stored with exactly the labels that cards use", () => {
    const stored = decodeBase(encodeBase({ segment: segmentOf([labelled]), documents: {} }));
    expect(stored.segment.labels).toEqual({ color: { grey } });
  });

  test("use the label of the most recent card", () => {
    const later = anEntry("id2", {
      facets: { color: ["grey"] },
      labels: { color: { grey: { label: "Grey" } } },
    });
    const index = catalogIndex(segmentOf([labelled]), segmentOf([later]));
    const { facets } = catalogPage(index, { ...firstPage, facets: true });
    expect(facets?.find(({ code }) => code === "color")?.values).toEqual([
      { value: "grey", label: "Grey", swatch: { hex: colorGroupHex.grey, image: null }, count: 2 },
    ]);
  });
});
