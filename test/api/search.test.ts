import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Card } from "#shared/domain/catalog/card.ts";
import type { PageTeaser } from "#shared/domain/listing/page-entry.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import type { Suggestions } from "#shared/search/suggestions.ts";
import { PublishedPages } from "#shared/storage/content/content.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { type Data, soonListed } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table } = await useShop({ effects: ["catalog-index"] });

const shopper = clientOf(baseUrl);

type Result =
  | { type: "product" | "sofa"; card: Card }
  | { type: "interior" | "page"; page: PageTeaser };
interface Found {
  data: Result[];
  meta: { total: number; match: string; query_price?: unknown; facets?: unknown[] };
}

const nameOf = (result: Result) => ("card" in result ? result.card.slug : result.page.slug);
const find = async (query: string) => (await shopper.get<Found>(`/search?${query}`)).body;
/** A word that no other card has. */
const aWord = () => `Quokka${randomUUID().replaceAll(/[^a-f]/g, "")}`;

describe("GET /search", () => {
  test("finds sofas by a synonym, returns the type of each result, and reports that all words match", async () => {
    const { data, meta } = await find("q=couch&per_page=3");
    expect(data.map(({ type }) => type)).toEqual(["sofa", "sofa", "sofa"]);
    expect(meta.match).toBe("all");
  });

  test("lists only the requested types, and lists pages before cards if only pages match all words", async () => {
    const pages = await find("q=warranty&type=page");
    expect(pages.data.map(nameOf)).toContain("warranty");
    const { data } = await find("q=care+guide");
    expect(data[0]).toMatchObject({ type: "page", page: { slug: "care-guide" } });
    const cards = await find("q=sofa&type=product,sofa&per_page=100");
    expect(cards.data.every(({ type }) => type === "product" || type === "sofa")).toBe(true);
    const interiors = await find("q=marine+drive&type=interior");
    expect(interiors.data.map(nameOf)).toContain("deco-on-marine-drive");
  });

  test.each(["/search?type=sofa&", "/sofas?"])(
    "lists only cards within the budget in the words, and returns the budget: GET %s",
    async (path) => {
      const { body } = await shopper.get<{
        data: (Card | { card: Card })[];
        meta: Found["meta"];
      }>(`${path}q=sofa+under+50%2C000`);
      expect(body.meta).toMatchObject({
        match: "all",
        query_price: { min: null, max: 50_000_00 },
      });
      const prices = body.data.map((row) => ("card" in row ? row.card : row).price);
      expect(prices.length).toBeGreaterThan(0);
      expect(Math.max(...prices)).toBeLessThanOrEqual(50_000_00);
    },
  );

  test("paginates cards and pages as one list", async () => {
    const all = await find("q=sofa&per_page=100");
    const parts = [];
    for (let page = 1; page <= Math.ceil(all.meta.total / 7); page += 1) {
      parts.push(...(await find(`q=sofa&per_page=7&page=${page}`)).data.map(nameOf));
    }
    expect(parts).toEqual(all.data.map(nameOf));
    expect(parts).toHaveLength(all.meta.total);
  });

  test("counts facets on request, and refuses unknown types, pages without words and pages after the last", async () => {
    expect((await find("q=lamp&include=facets")).meta.facets?.length).toBeGreaterThan(0);
    expect((await find("q=lamp")).meta.facets).toBeUndefined();
    for (const query of ["q=lamp&type=order", "type=page", "type=page,product", "q=lamp&page=99"]) {
      expect([query, (await shopper.get(`/search?${query}`)).status]).toEqual([query, 422]);
    }
  });
});

test.each(["/products", "/sofas"])("GET %s filters by colour in either spelling", async (path) => {
  const countOf = async (color: string) =>
    (await shopper.get<{ meta: { total: number } }>(`${path}?color=${color}`)).body.meta.total;
  expect(await countOf("grey")).toBeGreaterThan(0);
  expect(await countOf("gray")).toBe(await countOf("grey"));
  expect(await countOf("multicolour")).toBe(await countOf("multicolor"));
});

test.each([
  ["/search?q=SWATCH-AYUR-VEGAN-CHALK", 0, "none"],
  ["/sofas?q=ach-kaveri-lounge-oat", 0, "none"],
  ["/search?q=ach-kaveri-lounge-oat&type=sofa,page,interior", 0, "none"],
  ["/products?q=ach-kaveri-lounge-oat", 1, "all"],
  ["/search?q=ach-kaveri-lounge-oat", 1, "all"],
])("GET %s does not read the SKU as words", async (path, total, match) => {
  const { body } = await shopper.get<Found>(path);
  expect(body.meta).toMatchObject({ total, match });
});

describe("GET /search/suggest", () => {
  test("completes the last word, and suggests categories and cards", async () => {
    const { body } = await shopper.get<Data<Suggestions>>("/search/suggest?q=grey+so");
    expect(body.data.queries).toContain("grey sofas");
    expect(body.data.cards[0]?.kind).toBe("sofa");
    const tables = await shopper.get<Data<Suggestions>>("/search/suggest?q=coffee+ta");
    expect(tables.body.data.queries[0]).toBe("coffee tables");
    expect(tables.body.data.categories[0]).toMatchObject({
      kind: "category",
      slug: "coffee-tables",
    });
  });
});

describe.concurrent("search shows within seconds that a record", () => {
  const shows = (word: string, slugs: readonly string[]) =>
    soonListed<Found>("catalog-index", shopper, `/search?q=${word}&type=product`, ({ body }) =>
      expect(body.data.map(nameOf)).toEqual(slugs),
    );

  test("was published and was unpublished, if the record is a page", async () => {
    const word = aWord();
    const page = {
      id: "page_01JD00000000000000000000Q1",
      slug: word.toLowerCase(),
      title: `About ${word}`,
      excerpt: null,
      blocks: [],
      seo: { title: null, description: null },
      published_at: "2026-11-01T00:00:00.000Z",
    };
    await table.write(put(PublishedPages, page));
    await soonListed<Found>("catalog-index", shopper, `/search?q=${word}`, ({ body }) =>
      expect(body.data).toMatchObject([{ type: "page", page: { slug: page.slug } }]),
    );
    await table.write(remove(PublishedPages, page));
    await soonListed<Found>("catalog-index", shopper, `/search?q=${word}`, ({ body }) =>
      expect(body.data).toEqual([]),
    );
  });

  test("was boosted or hidden by staff, and that a word got a synonym", async () => {
    const [word, alias] = [aWord(), aWord()];
    const plants = [
      await plantProduct(table, { name: `${word} chair`, popularity: 900 }),
      await plantProduct(table, { name: `${word} chair`, popularity: 1 }),
    ];
    const [popular, other] = plants.map(({ product }) => product);
    await shows(word, [popular!.slug, other!.slug]);
    const save = (search: Partial<typeof defaultSettings.search>) =>
      table.write(putSettings("search", { ...defaultSettings.search, ...search }, Date.now()));
    await save({
      synonyms: [[word, alias]],
      boosts: [{ query: word, targets: [other!.id] }],
    });
    await shows(word, [other!.slug, popular!.slug]);
    await shows(alias, [popular!.slug, other!.slug]);
    await save({ hidden: [popular!.id] });
    await shows(word, [other!.slug]);
    await save({});
    await shows(word, [popular!.slug, other!.slug]);
  });
});
