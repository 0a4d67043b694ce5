import { expect, test } from "vitest";
import { productJsonLd, pageJsonLd } from "#shared/domain/seo/json-ld.ts";
import { breadcrumbsOf, homeHead, sellableHead } from "#shared/domain/seo/page-heads.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { aPublishedProduct } from "#test/support/shop/builders.ts";
import { someOfferSettings } from "#test/support/shop/settings.ts";

const settings = someOfferSettings();

test("staff's title and description come before the name and the text", () => {
  const own = aPublishedProduct({ seo: { title: "Oslo", description: "A chair." } });
  expect(sellableHead(own, settings)).toMatchObject({ title: "Oslo", description: "A chair." });
  const without = aPublishedProduct({ seo: { title: null, description: null } });
  expect(sellableHead(without, settings)).toMatchObject({
    title: "Oslo Lounge Chair",
    description: "Made for long evenings & slow mornings.",
    canonical_path: "/products/oslo-lounge-chair",
  });
});

test("a long text is cut after a whole word", () => {
  const description_html = `<p>${"A deep seat, ".repeat(30)}</p>`;
  const product = aPublishedProduct({ description_html, seo: { title: null, description: null } });
  const { description } = sellableHead(product, settings);
  expect(description).toMatch(/(?:A|deep|seat) …$/);
  expect(description?.length).toBeLessThanOrEqual(162);
});

test("a page without text has no description", () => {
  const product = aPublishedProduct({
    description_html: "",
    seo: { title: null, description: null },
  });
  expect(sellableHead(product, settings).description).toBeNull();
});

test("the head of the homepage before the first publication is that of the settings", () => {
  const { store, seo } = defaultSettings;
  expect(homeHead({ sections: [] }, { store, seo })).toEqual({
    title: store.name,
    description: null,
    canonical_path: "/",
    image: null,
  });
});

test("the paths of breadcrumbs are those of the settings, and the JSON-LD of a page lists them before the product", () => {
  const paths = { ...defaultSettings.seo.paths, category: "/c/{slug}" };
  const own = someOfferSettings({ seo: { ...defaultSettings.seo, paths } });
  const product = aPublishedProduct();
  const crumbs = breadcrumbsOf(product.category_path, own);
  expect(crumbs.map(({ path }) => path)).toEqual(
    product.category_path.toReversed().map(({ slug }) => `/c/${slug}`),
  );
  const sold = productJsonLd(product, [], own);
  const { "@context": context, ...inGraph } = sold;
  expect(pageJsonLd(sold, crumbs, own)).toEqual({
    "@context": context,
    "@graph": [
      inGraph,
      {
        "@type": "BreadcrumbList",
        itemListElement: [
          ...crumbs.map(({ name, slug }, at) => ({
            "@type": "ListItem",
            position: at + 1,
            name,
            item: `https://shop.example.com/c/${slug}`,
          })),
          {
            "@type": "ListItem",
            position: crumbs.length + 1,
            name: product.name,
            item: sold["url"],
          },
        ],
      },
    ],
  });
});
