import { describe, expect, test } from "vitest";
import type { CategoryNode } from "#shared/domain/catalog/category.ts";
import type { Facet, PublicCard } from "#shared/domain/catalog/card.ts";
import type { ProductDetail } from "#shared/domain/catalog/product-detail.ts";
import type { Data } from "#test/support/back-office/catalog.ts";
import { clientOf } from "#test/support/http/client.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl } = await useShop();
const shopper = clientOf(baseUrl);

interface Meta {
  total: number;
  match?: string;
  facets?: Facet[];
  price_range?: { min: number; max: number };
}
interface Found {
  data: { type: string; card?: PublicCard }[];
  meta: Meta;
}

const find = async (query: string): Promise<Found> => {
  const { status, body, text } = await shopper.get<Found>(`/search?${query}`);
  expect([query, status], text).toEqual([query, 200]);
  return body;
};
const totalOf = async (path: string): Promise<number> =>
  (await shopper.get<{ meta: Meta }>(path)).body.meta.total;

describe("GET /search without words", () => {
  test("lists all products and sofas as one list, by popularity", async () => {
    const { data, meta } = await find("per_page=100");
    expect(meta.total).toBe((await totalOf("/products")) + (await totalOf("/sofas")));
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(["product", "sofa"]));
    expect(meta.match).toBeUndefined();
    expect(await totalOf("/search?type=sofa")).toBe(await totalOf("/sofas"));
  });

  test.each(["category", "collection", "room", "style"])(
    "has as many items of each %s as its count says",
    async (kind) => {
      const { body } = await shopper.get<Data<CategoryNode[]>>(`/categories?kind=${kind}`);
      const all = (nodes: readonly CategoryNode[]): CategoryNode[] =>
        nodes.flatMap((node) => [node, ...all(node.children)]);
      const nodes = all(body.data);
      expect(nodes.length).toBeGreaterThan(3);
      for (const { slug, count } of nodes) {
        expect([slug, await totalOf(`/search?${kind}=${slug}`)]).toEqual([slug, count]);
      }
    },
  );

  test.each([
    ["price", (one: PublicCard, other: PublicCard) => one.price <= other.price],
    ["-price", (one: PublicCard, other: PublicCard) => one.price >= other.price],
  ])("sorts both kinds by %s", async (sort, inOrder) => {
    const { data } = await find(`room=living-room&sort=${sort}&per_page=100`);
    const cards = data.map(({ card }) => card!);
    expect(new Set(cards.map(({ kind }) => kind)).size).toBe(2);
    for (const [at, card] of cards.slice(1).entries()) expect(inOrder(cards[at]!, card)).toBe(true);
  });

  test.each([
    "color=grey",
    "price_min=2000000&price_max=6000000",
    "width_max_mm=1800",
    "in_stock=true",
    "room=living-room&style=mid-century",
  ])("takes the filters of both kinds: %s", async (filter) => {
    const both = (await totalOf(`/products?${filter}`)) + (await totalOf(`/sofas?${filter}`));
    expect(both).toBeGreaterThan(0);
    expect(await totalOf(`/search?${filter}`)).toBe(both);
  });

  test("takes the filter of sofas alone", async () => {
    expect(await totalOf("/search?seats=3")).toBe(await totalOf("/sofas?seats=3"));
  });

  test("refuses pages, and the order of relevance", async () => {
    for (const [query, member] of [
      ["type=page", "type"],
      ["type=product,interior", "type"],
      ["sort=relevance", "sort"],
    ]) {
      const { status, body } = await shopper.get<{ errors: object }>(`/search?${query}`);
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, [member]]);
    }
  });
});

test("a filter or another sort leaves pages out of a search, which cannot answer it", async () => {
  const types = async (query: string) =>
    new Set((await find(`${query}&per_page=100`)).data.map(({ type }) => type));
  expect(await types("q=sofa")).toContain("interior");
  const goods = new Set(["product", "sofa"]);
  expect((await types("q=sofa&color=grey")).isSubsetOf(goods)).toBe(true);
  expect((await types("q=sofa&sort=price")).isSubsetOf(goods)).toBe(true);
});

test.each(["/products?", "/sofas?", "/search?", "/search?q=sofa&", "/products?color=grey&"])(
  "every value of every facet of GET %s can be applied, and its count is the total then",
  async (path) => {
    const { body } = await shopper.get<{ meta: Meta }>(`${path}include=facets&per_page=1`);
    const { facets = [], price_range: range } = body.meta;
    expect(facets.length).toBeGreaterThan(4);
    for (const { code, values } of facets) {
      const others = new URLSearchParams(path.slice(path.indexOf("?") + 1));
      others.delete(code);
      const list = path.slice(0, path.indexOf("?"));
      for (const { value, count } of values) {
        const query = new URLSearchParams([...others, [code, value], ["per_page", "1"]]);
        expect([code, value, await totalOf(`${list}?${query.toString()}`)]).toEqual([
          code,
          value,
          count,
        ]);
      }
    }
    const ofGoods = path.includes("q=") ? `${path}type=product,sofa&` : path;
    expect(await totalOf(`${path}price_min=${range?.min}&price_max=${range?.max}`)).toBe(
      await totalOf(ofGoods),
    );
  },
);

test("the categories among the facets form a tree, in which a parent counts at least what its children count", async () => {
  const { meta } = await find("include=facets&per_page=1");
  const values = meta.facets?.find(({ code }) => code === "category")?.values ?? [];
  const counts = new Map(values.map(({ value, count }) => [value, count]));
  const below = values.filter(({ parent }) => parent !== null);
  expect(below.length).toBeGreaterThan(3);
  for (const { parent, count } of below)
    expect(counts.get(parent ?? "")).toBeGreaterThanOrEqual(count);
  expect(values.some(({ parent }) => parent === null)).toBe(true);
  const others = meta.facets?.filter(({ code }) => code !== "category") ?? [];
  for (const { values: plain } of others) expect(plain[0]).not.toHaveProperty("parent");
});

test("the first swatch of a card, and its picture, have the colour by which the list was filtered", async () => {
  const products = await shopper.get<Data<PublicCard[]>>("/products?color=blue&per_page=100");
  let compared = 0;
  for (const { slug, swatches, image } of products.body.data) {
    if (swatches.length < 2) continue;
    const { options } = (await shopper.get<Data<ProductDetail>>(`/products/${slug}`)).body.data;
    const value = options
      .flatMap((option) => option.values)
      .find(({ code }) => code === swatches[0]?.code);
    expect([slug, value?.swatch?.color_group]).toEqual([slug, "blue"]);
    expect(image?.alt.toLowerCase()).toContain(value?.label.toLowerCase());
    compared += 1;
  }
  expect(compared).toBeGreaterThan(0);

  const materials = await shopper.get<Data<{ code: string }[]>>(
    "/sofas/materials?color=green&type=velvet&per_page=100",
  );
  const green = materials.body.data.map(({ code }) => code);
  const sofas = await shopper.get<Data<PublicCard[]>>("/sofas?color=green&material=velvet");
  expect(sofas.body.data.length).toBeGreaterThan(0);
  for (const { swatches } of sofas.body.data) expect(green).toContain(swatches[0]?.code);
});
