import { describe, expect, test } from "vitest";
import type { AdminProduct } from "#shared/domain/catalog/product.ts";
import type { ProductDetail } from "#shared/domain/catalog/product-detail.ts";
import type { PricedConfiguration } from "#shared/domain/sofa/configuration.ts";
import type { SofaDetail } from "#shared/domain/sofa/sofa-detail.ts";
import { type Data, aProductBody, aSofaBody, mark } from "#test/support/back-office/catalog.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { FeedFileLists } from "#shared/storage/seo/feed-files.ts";
import { feedItemsOf, membersOfXml, parsedXml, textsOf } from "#test/support/http/xml.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, staffAs } = await useShop({ effects: ["feeds"] });

const { MEDIA_BASE_URL } = environment;
const client: Client = clientOf(baseUrl);
const owner = await staffAs("owner");

/** Reads a feed as a crawler does, which follows the redirect of a large file to another host. */
async function textOf(address: string): Promise<string> {
  const answer = await fetch(new URL(address, baseUrl));
  expect(answer.status, address).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  return answer.text();
}

/** The addresses of all pages in the sitemaps that the index names. */
async function pagesInSitemaps(): Promise<string[]> {
  const sitemaps = textsOf(parsedXml(await textOf("/sitemap.xml")), "loc");
  const texts = await Promise.all(sitemaps.map(textOf));
  return texts.flatMap((text) => textsOf(parsedXml(text), "loc"));
}
const feed = async () => feedItemsOf(await textOf("/feeds/google-products.xml"));
const ending = (pages: readonly string[], path: string) =>
  pages.filter((page) => page.endsWith(path));

/** The product or sofa in the JSON-LD of its page. */
const soldIn = ({ json_ld }: Pick<ProductDetail, "json_ld">) =>
  (json_ld["@graph"] as [Record<string, unknown>])[0];

async function created<Made>(path: string, body: object): Promise<Made> {
  const reply = await owner.post<Data<Made>>(path, { ...body, status: "published" });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

/** The pictures of a product of the demo shop. */
async function someMedia(): Promise<AdminProduct["media"]> {
  const shown = await client.get<Data<{ id: string }>>("/products/kaveri-lounge-chair");
  const { id } = shown.body.data;
  return (await owner.get<Data<AdminProduct>>(`/admin/products/${id}`)).body.data.media;
}

describe("sitemaps and product feed", () => {
  test(
    "show a product from its publication until it is archived, and changes of price and stock",
    { tags: "slow" },
    async () => {
      const sku = `FEED-${mark().toUpperCase()}`;
      const unlisted = await created<AdminProduct>("/admin/products", aProductBody());
      const { id, slug } = await created<AdminProduct>(
        "/admin/products",
        aProductBody({
          variants: [{ sku, price: 1_250_000 }],
          brand: `Maker "&" Sons`,
          media: await someMedia(),
        }),
      );
      await waitFor("feeds", async () => {
        expect(ending(await pagesInSitemaps(), `/products/${slug}`)).toHaveLength(1);
        expect((await feed()).get(sku)).toMatchObject({
          "g:brand": `Maker "&" Sons`,
          "g:price": "12500.00 INR",
          "g:availability": "out_of_stock",
        });
      });
      // Staff see how many items the feed does not list.
      expect((await feed()).get(unlisted.variants[0]?.sku ?? "")).toBeUndefined();
      const { body } =
        await owner.get<Data<{ feed: { without_picture: number } }>>("/admin/dashboard");
      expect(body.data.feed.without_picture).toBeGreaterThan(0);
      await owner.patch(`/admin/inventory/${sku}`, { set: 40, reason: "Delivery" });
      await waitFor("feeds", async () =>
        expect((await feed()).get(sku)).toMatchObject({ "g:availability": "in_stock" }),
      );
      const variants = [{ sku, price: 999_000, compare_at_price: 1_250_000 }];
      await owner.patch(`/admin/products/${id}`, { variants });
      await waitFor("feeds", async () =>
        expect((await feed()).get(sku)).toMatchObject({
          "g:price": "12500.00 INR",
          "g:sale_price": "9990.00 INR",
        }),
      );
      await owner.delete(`/admin/products/${id}`);
      await waitFor("feeds", async () => {
        expect(ending(await pagesInSitemaps(), `/products/${slug}`)).toEqual([]);
        expect((await feed()).get(sku)).toBeUndefined();
      });
    },
  );

  test("show sofas, pages, stories and categories", { tags: "slow" }, async () => {
    const sofa = await created<SofaDetail>("/admin/sofas", aSofaBody({ media: await someMedia() }));
    const page = { slug: `page-${mark()}`, title: "About us", blocks: [] };
    const made = await owner.post<Data<{ id: string }>>("/admin/pages", page);
    await owner.post(`/admin/pages/${made.body.data.id}/publish`, {});
    await waitFor("feeds", async () => {
      const pages = await pagesInSitemaps();
      expect(ending(pages, `/sofas/${sofa.slug}`)).toHaveLength(1);
      expect(ending(pages, `/pages/${page.slug}`)).toHaveLength(1);
      expect(ending(pages, "/categories/accent-chairs")).toHaveLength(1);
      expect(pages.some((address) => address.includes("/interiors/"))).toBe(true);
      expect((await feed()).get(sofa.id)).toMatchObject({ "g:price": "90000.00 INR" });
    });
  });

  test("are the same at the media distribution, to which the API redirects for large files", async () => {
    await waitFor("feeds", async () => {
      const { files = [] } = (await table.get(FeedFileLists, {})) ?? {};
      const named = files.map(({ path }) => path);
      expect(named).toEqual(expect.arrayContaining(["sitemap.xml", "feeds/google-products.xml"]));
      for (const { path, key } of files)
        expect(await textOf(`${MEDIA_BASE_URL}/${key}`)).toBe(await textOf(`/${path}`));
    });
  });

  test("say of each page of the demo shop when it changed", async () => {
    await waitFor("feeds", async () => {
      const index = parsedXml(await textOf("/sitemap.xml"));
      const sitemaps = await Promise.all(textsOf(index, "loc").map(textOf));
      const entries = sitemaps.flatMap((text) => parsedXml(text).children.map(membersOfXml));
      expect(entries.length).toBeGreaterThan(100);
      expect(entries.filter(({ lastmod }) => lastmod === undefined)).toEqual([]);
    });
  });

  test("no longer show a page once it is unpublished", { tags: "slow" }, async () => {
    const page = { slug: `page-${mark()}`, title: "About us", blocks: [] };
    const { body } = await owner.post<Data<{ id: string }>>("/admin/pages", page);
    await owner.post(`/admin/pages/${body.data.id}/publish`, {});
    await waitFor("feeds", async () =>
      expect(ending(await pagesInSitemaps(), `/pages/${page.slug}`)).toHaveLength(1),
    );
    await owner.post(`/admin/pages/${body.data.id}/unpublish`, {});
    await waitFor("feeds", async () =>
      expect(ending(await pagesInSitemaps(), `/pages/${page.slug}`)).toEqual([]),
    );
  });
});

describe("the JSON-LD of a page", () => {
  test("has the product's brand, or the shop's name if the product has no brand", async () => {
    const own = await created<AdminProduct>("/admin/products", aProductBody());
    const other = await created<AdminProduct>("/admin/products", aProductBody({ brand: "Nordic" }));
    const jsonLd = async ({ slug }: AdminProduct) => {
      const { body } = await client.get<Data<ProductDetail>>(`/products/${slug}`);
      return soldIn(body.data);
    };
    expect(await jsonLd(own)).toMatchObject({ brand: { name: "Dehleez" } });
    expect(await jsonLd(other)).toMatchObject({
      "@type": "Product",
      brand: { name: "Nordic" },
      offers: { "@type": "Offer", priceCurrency: "INR" },
    });
  });

  test("has an offer and the URLs of the pictures for each SKU of a product of the demo shop", async () => {
    const path = "/products/kaveri-lounge-chair";
    const { body } = await client.get<Data<ProductDetail>>(path);
    const { variants } = body.data;
    const sold = soldIn(body.data)["hasVariant"] as {
      sku: string;
      image: string[];
      offers: object;
    }[];
    expect(sold.map(({ sku }) => sku)).toEqual(variants.map(({ sku }) => sku));
    expect(variants.length).toBeGreaterThan(1);
    for (const { image, offers } of sold) {
      expect(image[0]).toMatch(/^http/);
      expect(offers).toMatchObject({ price: expect.stringMatching(/^\d+\.\d{2}$/) });
    }
    expect(sold[0]?.offers).toMatchObject({
      shippingDetails: expect.arrayContaining([
        expect.objectContaining({ "@type": "OfferShippingDetails" }),
      ]),
    });
  });

  test("has the price and the dimensions of a sofa's default configuration", async () => {
    const { body } = await client.get<Data<SofaDetail>>("/sofas/saanjh-sofa");
    const { default_configuration: configuration } = body.data;
    const priced = await client.post<Data<PricedConfiguration>>("/sofas/saanjh-sofa/price", {
      configuration,
    });
    const { price, dimensions } = priced.body.data;
    expect(soldIn(body.data)).toMatchObject({
      "@type": "Product",
      offers: { price: ((price ?? 0) / 100).toFixed(2) },
      width: { value: dimensions?.width_mm },
      depth: { value: dimensions?.depth_mm },
      height: { value: dimensions?.height_mm },
    });
  });
});

test("/llms.txt says what the demo shop sells and how to buy", async () => {
  const { status, headers, text } = await client.send("GET", "/llms.txt");
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(text).toMatch(/^# Dehleez\n/);
  expect(text).toMatch(/- \[[^\]]+\]\(http[^)]+\/categories\/[a-z-]+\)/);
  expect(text).toContain("`POST /api/v1/checkout`");
});
