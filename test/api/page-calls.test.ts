import { describe, expect, test } from "vitest";
import { introduction } from "#functions/docs/introduction.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { PublicCard } from "#shared/domain/catalog/card.ts";
import type { CategoryNode, ListedCategory } from "#shared/domain/catalog/category.ts";
import type { PageSeo } from "#shared/domain/catalog/page-seo.ts";
import type { ProductDetail } from "#shared/domain/catalog/product-detail.ts";
import type { Facet } from "#shared/domain/catalog/card.ts";
import type { PublicSettings } from "#shared/domain/settings/settings-groups.ts";
import type { SofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aMember } from "#test/support/people/members.ts";
import { plantCoupon, tableOf } from "#test/support/shop/plant.ts";
import { type Data, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop();
const client = clientOf(baseUrl);
const sku = "ACH-KAVERI-LOUNGE-OAT";

async function read<Answer>(path: string, headers = {}): Promise<Answer> {
  const { status, body, text } = await client.get<Answer>(path, headers);
  expect([path, status], text).toEqual([path, 200]);
  return body;
}
const dataOf = async <Content>(path: string, headers = {}) =>
  (await read<Data<Content>>(path, headers)).data;

const picture = {
  url: expect.stringMatching(/^http/),
  alt: expect.any(String),
  width: expect.any(Number),
  height: expect.any(Number),
  color: expect.toSatisfy((color: string | null) => color === null || color.startsWith("#")),
  variants: expect.any(Array),
};

describe("a page of the storefront in the calls that the introduction of the API lists", () => {
  const rows = new Map(
    Array.from(
      introduction.matchAll(/^\| ([\w :]+) \| (`.+`) \|$/gm),
      ([, page = "", calls = ""]) => [
        page,
        Array.from(calls.matchAll(/`([^`]+)`/g), ([, call = ""]) => call),
      ],
    ),
  );
  const callOf = (page: string): string => {
    const [call, ...others] = rows.get(page) ?? [];
    expect([page, others]).toEqual([page, []]);
    return (call ?? "no call").replace("GET ", "");
  };
  const fill = (path: string, values: Readonly<Record<string, string>>) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "missing");

  test("each visit begins with one call for what all pages need", async () => {
    const { store, payment_methods, countries } = await dataOf<PublicSettings>(
      callOf("Each visit"),
    );
    expect(store.currency).toBe("INR");
    expect(payment_methods).toContainEqual({
      code: "gateway",
      label: expect.any(String),
      enabled: true,
      publishable_key: expect.stringMatching(/^pk_/),
    });
    expect(countries.map(({ code }) => code)).toEqual(["IN"]);
    expect(countries[0]?.address).toMatchObject({
      postal_code: "required",
      pattern: "[1-9]\\d{5}",
      states: expect.arrayContaining([{ code: "KA", name: "Karnataka" }]),
    });
  });

  test("home", async () => {
    const { sections, seo } = await dataOf<{ sections: object[]; seo: PageSeo }>(callOf("Home"));
    expect(sections.length).toBeGreaterThan(3);
    expect(seo).toEqual({
      title: expect.any(String),
      description: expect.any(String),
      canonical_path: "/",
      image: expect.objectContaining(picture),
    });
  });

  test("a list, with its category, facets and cards", async () => {
    const path = fill(callOf("List"), { slug: "accent-chairs" });
    const { data, meta } = await read<{
      data: { card: PublicCard }[];
      meta: { total: number; facets: Facet[]; category: ListedCategory };
    }>(path);
    expect(data.length).toBeGreaterThan(3);
    expect(meta.facets.length).toBeGreaterThan(3);
    expect(meta.category).toMatchObject({
      kind: "category",
      slug: "accent-chairs",
      breadcrumbs: [
        { slug: "seating", name: expect.any(String), path: "/categories/seating" },
        { slug: "accent-chairs", name: meta.category.name, path: "/categories/accent-chairs" },
      ],
      seo: { title: meta.category.name, canonical_path: "/categories/accent-chairs" },
    });
  });

  test("a product", async () => {
    const { name, variants, media, seo, breadcrumbs } = await dataOf<ProductDetail>(
      fill(callOf("Product"), { slug: "kaveri-lounge-chair" }),
    );
    expect(variants.length).toBeGreaterThan(1);
    expect(media.length).toBeGreaterThan(0);
    expect(seo).toMatchObject({
      title: expect.stringContaining(name),
      description: expect.any(String),
      canonical_path: "/products/kaveri-lounge-chair",
      image: picture,
    });
    expect(breadcrumbs.at(-1)).toMatchObject({ slug: "accent-chairs" });
  });

  test("a sofa, with its default configuration and that one's price", async () => {
    const sofa = await dataOf<SofaDetail>(fill(callOf("Sofa"), { slug: "saanjh-sofa" }));
    expect(sofa.seo.canonical_path).toBe("/sofas/saanjh-sofa");
    const priced = await client.post<Data<object>>("/sofas/saanjh-sofa/price", {
      configuration: sofa.default.configuration,
    });
    const { price, configuration_id, image, dimensions, lead_time } = sofa.default;
    expect(price).toBeGreaterThan(0);
    expect(priced.body.data).toMatchObject({
      price,
      configuration_id,
      image,
      dimensions,
      lead_time,
      suggestion: null,
    });
  });

  test("the cart, also after each change of it", async () => {
    const table = tableOf(environment);
    const coupon = await plantCoupon(table);
    const shopper = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const { headers } = shopper;
    const cart = await dataOf<Cart>(fill(callOf("Cart"), { postal_code: "560001" }), headers);
    expect(cart.totals.provisional).toBe(false);
    const tried = await client.post<Data<{ valid: boolean; cart: Cart }>>(
      "/checkout/coupon",
      { code: coupon.code },
      headers,
    );
    expect(tried.body.data).toMatchObject({ valid: true, cart: { coupon: { code: coupon.code } } });
    expect(tried.body.data.cart).toEqual(await shopper.read());
    const refused = await client.post<Data<{ cart: Cart }>>(
      "/checkout/coupon",
      { code: "NOSUCHCOUPON" },
      headers,
    );
    expect(refused.body.data).toMatchObject({ valid: false });
    expect(refused.body.data.cart).toEqual(tried.body.data.cart);
    const removed = await client.delete<Data<Cart>>(`/cart/items/${cart.items[0]?.id}`, headers);
    expect([removed.status, removed.body.data]).toEqual([200, await shopper.read()]);
    expect(removed.body.data.items).toEqual([]);
  });

  test("the steps of checkout", async () => {
    const { headers, checkOut } = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
    const values = { postal_code: "560001", shipping_method: "room_of_choice" };
    const quote = await dataOf<{ methods: { code: string; slots: unknown }[] }>(
      fill(callOf("Checkout: address"), values),
      headers,
    );
    const slots = new Map(quote.methods.map(({ code, slots: offered }) => [code, offered]));
    const calendar = await dataOf<{ earliest_on: string }>(
      fill(callOf("Checkout: slot"), values),
      headers,
    );
    expect(slots.get("room_of_choice")).toEqual({
      required: false,
      earliest_on: calendar.earliest_on,
    });
    expect(slots.get("standard")).toBeNull();
    expect(rows.get("Checkout: order")).toEqual(["POST /checkout"]);
    expect((await checkOut({ payment_method: "bank_transfer" })).status).toBe(201);
  });

  test("each tab of an account", async () => {
    const { headers } = await aMember(baseUrl);
    const tabs = [...rows].filter(([page]) => page.startsWith("Account: "));
    expect(tabs.map(([page]) => page)).toEqual(
      ["profile", "addresses", "orders", "wishlist"].map((tab) => `Account: ${tab}`),
    );
    for (const [page] of tabs) await dataOf(callOf(page), headers);
  });
});

test("goods that go with a sofa are a call of their own, as with a product", async () => {
  const related = await dataOf<PublicCard[]>("/sofas/saanjh-sofa/related?limit=4");
  expect(related).toHaveLength(4);
  expect(new Set(related.map(({ kind }) => kind)).size).toBe(2);
  expect(related.map(({ slug }) => slug)).not.toContain("saanjh-sofa");
  expect((await client.get("/sofas/no-such-sofa/related")).status).toBe(404);
});

describe("pages of content", () => {
  test("have a head for search engines", async () => {
    const story = (await dataOf<{ slug: string }[]>("/interiors"))[0]!;
    const head = {
      title: expect.any(String),
      description: expect.any(String),
      image: picture,
    };
    expect(story).toMatchObject({
      seo: { ...head, canonical_path: `/interiors/${story.slug}` },
    });
    expect(await dataOf(`/interiors/${story.slug}`)).toEqual(story);
  });
});

describe("GET /categories/{slug}", () => {
  test.each(["category", "collection", "room", "style"])(
    "returns the node of the tree, with breadcrumbs: a %s",
    async (kind) => {
      const roots = await dataOf<CategoryNode[]>(`/categories?kind=${kind}`);
      const [root] = roots.toSorted((one, other) => other.children.length - one.children.length);
      const node = root!.children[0] ?? root!;
      const path = (slug: string) => (kind === "category" ? `/categories/${slug}` : null);
      expect(await dataOf(`/categories/${node.slug}?kind=${kind}`)).toEqual({
        ...node,
        breadcrumbs: [...new Set([root!, node])].map(({ slug, name }) => ({
          slug,
          name,
          path: path(slug),
        })),
        seo: expect.objectContaining({ title: node.name, canonical_path: path(node.slug) }),
      });
    },
  );

  test("returns 404 for an unknown slug, and for one of another kind", async () => {
    for (const path of [
      "/categories/no-such",
      "/categories/living-room",
      "/categories/seating?kind=room",
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    }
  });
});

describe("the category in `meta`", () => {
  const categoryOf = async (query: string) =>
    (await read<{ meta: { category?: ListedCategory } }>(query)).meta.category?.slug;

  test("is that of the only value of a filter", async () => {
    expect(await categoryOf("/products?category=seating")).toBe("seating");
    expect(await categoryOf("/sofas?room=living-room")).toBe("living-room");
    expect(await categoryOf("/search?category=seating&room=living-room")).toBe("seating");
  });

  test("is missing without a filter, with several values, and for an unknown one", async () => {
    for (const query of [
      "/products",
      "/products?category=seating,tables",
      "/search?category=no-such",
    ])
      expect([query, await categoryOf(query)]).toEqual([query, undefined]);
  });
});

describe.each(["/products", "/sofas"])("GET %s?ids= and ?slugs=", (list) => {
  test("return the named cards in that order, without those that are not published", async () => {
    const { data: cards } = await read<Data<PublicCard[]>>(`${list}?per_page=3&sort=-price`);
    const named = cards.toReversed();
    const ids = named.map(({ id }) => id);
    const unknown = `${ids[0]!.slice(0, -4)}0000`;
    const byIds = await read<{ data: PublicCard[]; meta: object; links: object }>(
      `${list}?ids=${[ids[0], unknown, ...ids].join(",")}`,
    );
    expect(byIds.data).toEqual(named);
    expect(byIds.meta).toMatchObject({ page: 1, per_page: 100, total: 3, last_page: 1 });
    expect(byIds.links).toMatchObject({ prev: null, next: null });
    const slugs = named.map(({ slug }) => slug);
    expect(await dataOf(`${list}?slugs=no-such,${slugs.join(",")}`)).toEqual(named);
  });

  test("name up to 100 cards on one page", async () => {
    const { data } = await read<Data<PublicCard[]>>(`${list}?per_page=100`);
    const others = Array.from({ length: 100 - data.length }, (_, at) => `no-such-${at}`);
    const slugs = [...data.map(({ slug }) => slug), ...others];
    expect(await dataOf(`${list}?slugs=${slugs.join(",")}`)).toHaveLength(data.length);
    const { status, body } = await client.get<Problem>(`${list}?slugs=${slugs.join(",")},more`);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["slugs"]]);
  });

  test("take no filter, words, sort or further page besides", async () => {
    for (const [other, member] of [
      ["slugs=some", "slugs"],
      ["q=chair", "q"],
      ["color=grey", "color"],
      ["in_stock=true", "in_stock"],
      ["sort=price", "sort"],
      ["include=facets", "include"],
      ["page=2", "page"],
    ]) {
      const id = list === "/products" ? "prd" : "sofa";
      const path = `${list}?ids=${id}_01JD0000000000000000000001&${other}`;
      const { status, body } = await client.get<Problem>(path);
      expect([other, status, Object.keys(body.errors ?? {})]).toEqual([other, 422, [member]]);
    }
  });
});
