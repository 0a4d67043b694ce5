import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openers } from "#infra/generated/entries/on-change-catalog-index.ts";
import { openShop } from "#shared/application/shop.ts";
import { openIndexedCatalog } from "#shared/storage/catalog/published-catalog.ts";
import { catalogWork } from "#shared/application/listing/catalog-work.ts";
import { begin } from "#shared/application/listing/rebuild-index.ts";
import { families } from "#functions/families.ts";
import { lambdaContext } from "#infra/local/functions/lambda.ts";
import { loadFamily } from "#infra/local/functions/load-function.ts";
import type { Stack } from "#infra/local/stack.ts";
import { startGuardedStack, useShop } from "#test/support/stack/shop.ts";
import { indexFormat } from "#shared/domain/listing/index-pointer.ts";
import { updateIndex } from "#shared/search/catalog-writer.ts";
import type { Card } from "#shared/domain/catalog/card.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { ProductDetail } from "#shared/domain/catalog/product-detail.ts";
import {
  CategoryTree,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { PublishedHome, PublishedSofaLanding } from "#shared/storage/content/content.ts";
import { CurrentFormats } from "#shared/storage/catalog/index-pointer.ts";
import type { Table } from "#shared/storage/table.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { aCategory } from "#test/support/shop/builders.ts";
import { type Data, mark, soon, soonListed } from "#test/support/back-office/catalog.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { anEvent } from "#test/support/http/in-process.ts";
import { plantProduct, plantSofa, tableOf } from "#test/support/shop/plant.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { tableOpeners } from "#test/support/stack/functions.ts";

const { baseUrl, environment } = await useShop({ effects: ["catalog-index"] });

type CardList = Data<Card[]>;

/** A unique tag, and the list of products with it. */
function aTag() {
  const tag = `tag-${mark()}`;
  return { tag, list: `/products?tag=${tag}` };
}

const listed = (client: Client, path: string, slugs: readonly string[]) =>
  soonListed<CardList>("catalog-index", client, path, ({ body }) =>
    expect(body.data.map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted()),
  );

// Concurrent, because each test mostly waits: functions check the index at most every two seconds.
describe.concurrent("a record that is published", () => {
  const shopper = clientOf(baseUrl);
  const table = tableOf(environment);

  test("appears in lists, in search and among related items, and its detail route returns it", async () => {
    const { tag, list } = aTag();
    const name = `Quokka${randomUUID().replaceAll(/[^a-f]/g, "")}`;
    const friend = await plantProduct(table, { tags: [tag] });
    const picks = [friend.product.id];
    const { product } = await plantProduct(table, { tags: [tag], name, related_ids: picks });
    await listed(shopper, list, [friend.product.slug, product.slug]);
    await listed(shopper, `/products?tag=${tag}&q=${name}`, [product.slug]);
    const detail = await shopper.get<Data<ProductDetail>>(`/products/${product.slug}`);
    expect([detail.status, detail.body.data.name]).toEqual([200, name]);
    const related = await shopper.get<CardList>(`/products/${product.slug}/related?limit=1`);
    expect(related.body.data.map(({ slug }) => slug)).toEqual([friend.product.slug]);
  });

  test("disappears from lists and search, and its detail routes return 404, when it is unpublished", async () => {
    const { tag, list } = aTag();
    const { product } = await plantProduct(table, { tags: [tag] });
    await listed(shopper, list, [product.slug]);
    await table.write(remove(PublishedProducts, product));
    await listed(shopper, list, []);
    await listed(shopper, `/products?tag=${tag}&q=chair`, []);
    expect((await shopper.get(`/products/${product.slug}`)).status).toBe(404);
    expect((await shopper.get(`/products/${product.slug}/related`)).status).toBe(404);
  });

  test("is listed once, under its new slug, after the slug changes", async () => {
    const { tag, list } = aTag();
    const { product } = await plantProduct(table, { tags: [tag] });
    await listed(shopper, list, [product.slug]);
    const moved = { ...product, slug: `moved-${product.slug}` };
    await table.transact([remove(PublishedProducts, product), put(PublishedProducts, moved)]);
    await listed(shopper, list, [moved.slug]);
  });

  test("is listed with its new availability when its stock state or shown quantity changes", async () => {
    const { tag, list } = aTag();
    const { stock } = await plantProduct(table, { tags: [tag] });
    const isShown = (state: string, quantity: number | null = null) =>
      soonListed<CardList>("catalog-index", shopper, list, ({ body }) =>
        expect(body.data.map(({ availability }) => availability)).toMatchObject([
          { state, quantity },
        ]),
      );
    const leave = async (units: number) =>
      table.write(put(Stocks, { ...(await stock()), on_hand: units, available: units }));
    await isShown("in_stock");
    await leave(2);
    await isShown("low_stock", 2);
    await leave(1);
    await isShown("low_stock", 1);
    await leave(0);
    await isShown("out_of_stock");
    await leave(7);
    await isShown("in_stock");
  });

  test("has the current availability of every variant in its detail, even if lists do not show that variant", async () => {
    const { slug, variants } = (await plantProduct(table)).product;
    const values = ["small", "large"].map((code) => ({ code, label: code, swatch: null }));
    const options = [{ code: "size", label: "Size", values }];
    const [first] = variants;
    const second = { ...first!, id: newId("var", new Date()), sku: `${first!.sku}-L` };
    const { product } = await plantProduct(table, {
      slug: `${slug}-two`,
      options,
      variants: [
        { ...first!, sku: `${first!.sku}-S`, options: { size: "small" } },
        { ...second, options: { size: "large" } },
      ],
    });
    const shows = (states: string[]) =>
      soon<Data<ProductDetail>>(shopper, `/products/${product.slug}`, ({ body }) =>
        expect(body.data.variants.map(({ availability }) => availability.state)).toEqual(states),
      );
    await shows(["in_stock", "in_stock"]);
    const row = (await table.get(Stocks, second))!;
    await table.write(put(Stocks, { ...row, on_hand: 0, available: 0 }));
    await shows(["in_stock", "out_of_stock"]);
  });

  test("shows the current names of its materials if it is a sofa", async () => {
    const { tag } = aTag();
    const { sofa, material } = await plantSofa(table, { tags: [tag] });
    const list = `/sofas?tag=${tag}`;
    const shows = (label: string) =>
      soonListed<CardList>("catalog-index", shopper, list, ({ body }) =>
        expect(body.data.map(({ swatches }) => swatches.map(({ label }) => label))).toEqual([
          [label],
        ]),
      );
    await shows(material.name);
    await table.write(put(PublishedMaterials, { ...material, name: "Sailcloth" }));
    await shows("Sailcloth");
    await soon(shopper, `/sofas/${sofa.slug}`, ({ text }) => expect(text).toContain("Sailcloth"));
  });

  test("is returned by its detail route even while object storage is unavailable and lists return 503", async () => {
    const { product } = await plantProduct(table);
    const family = families.find(({ name }) => name === "catalog")!;
    const { handler, ...of } = await loadFamily(
      family,
      { ...environment, S3_ENDPOINT: "http://127.0.0.1:9" },
      () => tableOpeners,
    );
    const detail = anEvent("GET /api/v1/products/{slug}", { params: { slug: product.slug } });
    const answer = await handler(detail, lambdaContext(of, "detail"));
    expect(answer).toMatchObject({ statusCode: 200, body: expect.stringContaining(product.name) });
    const list = await handler(anEvent("GET /api/v1/products"), lambdaContext(of, "list"));
    expect(list).toMatchObject({ statusCode: 503 });
  });
});

describe("the catalog of a shop", { tags: "slow" }, () => {
  let stack: Stack;
  let shopper: Client;
  let table: Table;
  beforeAll(async () => {
    stack = await startGuardedStack({
      effects: ["catalog-index", "staff-index"],
      dynamoDbEndpoint: process.env["DYNAMODB_ENDPOINT"],
    });
    shopper = clientOf(stack.baseUrl);
    table = tableOf(stack.environment);
  });
  afterAll(() => stack.stop());

  test("lists each category with its current name and its products", async () => {
    const chairs = aCategory({ slug: "accent-chairs", name: "Accent chairs" });
    const { product } = await plantProduct(table);
    const store = (name: string, version: number) =>
      table.write(put(CategoryTree, { categories: [{ ...chairs, name }], version }));
    for (const [version, name] of ["Accent chairs", "Armchairs"].entries()) {
      await store(name, version + 1);
      await soonListed("catalog-index", shopper, "/categories?kind=category", ({ text }) =>
        expect(text).toContain(`"name":"${name}"`),
      );
      await soonListed<CardList>(
        "catalog-index",
        shopper,
        "/products?category=accent-chairs",
        ({ body }) =>
          expect(body.data.map((card) => [card.slug, card.category.name])).toEqual([
            [product.slug, name],
          ]),
      );
    }
  });

  test("replaces an incorrect index in batches, each of which enqueues the next", async () => {
    const { tag, list } = aTag();
    const planted = await Promise.all([1, 2, 3].map(() => plantProduct(table, { tags: [tag] })));
    const slugs = planted.map(({ product }) => product.slug);
    await listed(shopper, list, slugs);
    // A change that is still being processed would undo the removals below.
    await stack.settled();
    const { catalogIndexWriter } = openShop(stack.environment, {
      ...openers,
      table: tableOpeners.table,
    });
    const wrong = planted.map(({ product }) => ({ type: "remove", id: product.id }) as const);
    await updateIndex(catalogIndexWriter.target, async () => wrong);
    await listed(shopper, list, []);
    const published = openIndexedCatalog(table);
    await begin(catalogWork({ ...catalogIndexWriter, published, portionSize: 1 }));
    await listed(shopper, list, slugs);
    await waitFor("catalog-index", async () =>
      expect(await catalogIndexWriter.rebuilds.current()).toBeUndefined(),
    );
  });

  test("rebuilds its indexes if they were last updated by another release", async () => {
    const { tag, list } = aTag();
    const indexes = ["catalog", "staff"] as const;
    for (const index of indexes) {
      await table.write(put(CurrentFormats, { index, format: indexFormat + 1 }));
    }
    const { product } = await plantProduct(table, { tags: [tag] });
    for (const index of indexes) {
      await waitFor(`${index}-index`, async () =>
        expect(await table.get(CurrentFormats, { index })).toEqual({ format: indexFormat }),
      );
      const { rebuilds } = openShop(stack.environment, {
        ...openers,
        table: tableOpeners.table,
      }).catalogIndexWriter;
      await waitFor("catalog-index", async () => expect(await rebuilds.current()).toBeUndefined());
    }
    await listed(shopper, list, [product.slug]);
  });

  test("features a sofa on the landing page only while the sofa is published", async () => {
    const { sofa } = await plantSofa(table);
    const seo = { title: null, description: null };
    const featured = [{ kind: "sofa" as const, id: sofa.id }];
    await table.write(
      put(PublishedSofaLanding, {
        hero: null,
        intro_html: "",
        featured,
        usps: [],
        seo,
        version: 1,
      }),
    );
    const features = (slugs: readonly string[]) =>
      soonListed<{ meta: { landing: { featured: Card[] } | null } }>(
        "catalog-index",
        shopper,
        "/sofas",
        ({ body }) => expect(body.meta.landing?.featured.map(({ slug }) => slug)).toEqual(slugs),
      );
    await features([sofa.slug]);
    await table.write(remove(PublishedSofas, sofa));
    await features([]);
  });

  test("shows a product on the homepage only while the product is published", async () => {
    const { product } = await plantProduct(table);
    const items = [{ kind: "product" as const, id: product.id }];
    const data = { title: "New", link: null, items };
    await table.write(
      put(PublishedHome, {
        sections: [{ id: newId("sec", new Date()), type: "product_rail", data }],
        version: 1,
        published_at: product.published_at,
      }),
    );
    await soonListed("catalog-index", shopper, "/home", ({ text }) =>
      expect(text).toContain(product.slug),
    );
    await table.write(remove(PublishedProducts, product));
    await soonListed("catalog-index", shopper, "/home", ({ text, status }) =>
      expect([status, text.includes(product.slug)]).toEqual([200, false]),
    );
  });
});
