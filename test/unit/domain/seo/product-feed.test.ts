import { describe, expect, test } from "vitest";
import { type FeedContext, feedEnd, feedItems, feedStart } from "#shared/domain/seo/feeds.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import { productOffers, sofaOffer } from "#shared/domain/seo/offers.ts";
import { feedItemsOf, membersOfXml, parsedXml } from "#test/support/http/xml.ts";
import {
  aLevel,
  aPublishedProduct,
  aPublishedSofa,
  aVariant,
  someMaterials,
} from "#test/support/shop/builders.ts";
import { aStore, aTax, anId } from "#test/support/shop/commerce.ts";
import { someOfferSettings } from "#test/support/shop/settings.ts";

const context = (settings = someOfferSettings()): FeedContext => ({
  settings,
  mediaBaseUrl: "https://media.example.com",
  today: "2026-11-21",
});

/** The items of a feed with one product. */
function itemsOf(
  product: ReturnType<typeof aPublishedProduct>,
  levels: Parameters<typeof productOffers>[1] = [],
  { settings, ...rest } = context(),
) {
  const items = feedItems(product, productOffers(product, levels, settings), { settings, ...rest });
  return feedItemsOf(feedStart(settings) + items + feedEnd);
}

describe("the product feed", () => {
  test("has one item for each SKU, with its product as the group", () => {
    const levels = [aLevel(anId("var"), 2), aLevel(anId("var", 2), 0, { policy: "backorder" })];
    const items = itemsOf(
      aPublishedProduct({ backorder_lead_time: { min_days: 30, max_days: 45 } }),
      levels,
    );
    expect([...items.keys()]).toEqual(["CHR-OSLO-OAT", "CHR-OSLO-SLATE"]);
    expect(items.get("CHR-OSLO-OAT")).toEqual({
      "g:id": "CHR-OSLO-OAT",
      "g:item_group_id": anId("prd"),
      "g:title": "Oslo Lounge Chair, Oat",
      "g:description": "Made for long evenings & slow mornings.",
      "g:link": "https://shop.example.com/products/oslo-lounge-chair?sku=CHR-OSLO-OAT",
      "g:image_link": expect.stringMatching(/^https:\/\/media\.example\.com\/.+/),
      "g:availability": "in_stock",
      "g:price": "24990.00 INR",
      "g:condition": "new",
      "g:brand": "Teak & Thread",
      "g:mpn": "CHR-OSLO-OAT",
      "g:product_type": "Seating > Chairs",
      "g:color": "Oat",
      "g:min_handling_time": "3",
      "g:max_handling_time": "7",
      "g:shipping_weight": "14000 g",
    });
    expect(items.get("CHR-OSLO-SLATE")).toMatchObject({
      "g:availability": "backorder",
      "g:availability_date": "2027-01-05",
      "g:price": "29990.00 INR",
      "g:sale_price": "26990.00 INR",
    });
  });

  test("names pictures in types that Google takes: the largest WebP copy of an AVIF", () => {
    const base = aPublishedProduct();
    const [picture] = base.media;
    const of = (file: string, width: number, id: number) => ({
      ...picture!,
      id: anId("med", id),
      url: `media://uploads/${anId("med", id)}/${file}`,
      width,
      role: "gallery" as const,
    });
    const media = [
      of("original-2400x1800-d9cbb2.avif", 2_400, 1),
      of("original.avif", 900, 2),
      of("original.avif", 200, 3),
      of("original.jpg", 900, 4),
      of("other.avif", 900, 5),
    ];
    const variants = base.variants.slice(0, 1).map((one) => ({ ...one, media_ids: [] }));
    const text = feedItems(
      { ...base, media },
      productOffers({ ...base, media, variants }, [], context().settings),
      context(),
    );
    const linked = [...text.matchAll(/image_link>([^<]*)<\/g/g)].map(([, url = ""]) =>
      url.replace("https://media.example.com/uploads/", ""),
    );
    expect(linked).toEqual([
      `${anId("med", 1)}/1600.webp`,
      `${anId("med", 2)}/800.webp`,
      `${anId("med", 3)}/200.webp`,
      `${anId("med", 4)}/original.jpg`,
    ]);
  });

  test.each<[string, boolean, Partial<PublishedProduct["media"][number]>]>([
    ["a JPEG", true, { url: "media://chair.jpg" }],
    ["a video alone", false, { type: "video", url: "media://chair.mp4" }],
    ["an AVIF with copies", true, { url: `media://uploads/${anId("med")}/original.avif` }],
    ["an AVIF without copies", false, { url: "media://chair.avif" }],
    ["an SVG without copies", false, { url: "media://chair.svg" }],
  ])("lists an item with %s: %s", (_what, isListed, picture) => {
    const product = aPublishedProduct();
    const [media] = product.media;
    const items = itemsOf({ ...product, media: [{ ...media!, ...picture }] });
    expect(items.size).toBe(isListed ? 2 : 0);
  });

  test("does not list an item without pictures, nor one whose own pictures Google does not take", () => {
    expect(itemsOf({ ...aPublishedProduct(), media: [] }).size).toBe(0);
    const product = aPublishedProduct();
    const [media] = product.media;
    const own = { ...media!, id: anId("med", 2), url: "media://slate.svg" };
    const [oat, slate] = product.variants;
    const variants = [oat!, { ...slate!, media_ids: [own.id] }];
    const items = itemsOf({ ...product, media: [media!, own], variants });
    expect([...items.keys()]).toEqual(["CHR-OSLO-OAT"]);
  });

  test.each([
    ["a finish with swatches", "finish", [], { "g:color": "Slate" }],
    ["a fabric with swatches", "material", [], { "g:material": "Slate" }],
    [
      "a finish beside a colour",
      "finish",
      [{ code: "color", label: "Colour", values: [{ code: "red", label: "Red", swatch: null }] }],
      { "g:color": "Red" },
    ],
  ])("tells the variants of a group apart by %s", (_, code, further, expected) => {
    const [option] = aPublishedProduct().options;
    const others = Object.fromEntries(further.map((other) => [other.code, "red"]));
    const variants = ["oat", "slate"].map((look, at) =>
      aVariant({
        id: anId("var", at + 1),
        sku: `CHR-${look.toUpperCase()}`,
        options: { ...others, [code]: look },
      }),
    );
    const items = itemsOf(
      aPublishedProduct({ options: [{ ...option!, code }, ...further], variants }),
    );
    expect(items.get("CHR-SLATE")).toMatchObject(expected);
  });

  test("names the shop", () => {
    const store = aStore({ name: "Teak <&> Thread" });
    const { children } = parsedXml(feedStart(someOfferSettings({ store })) + feedEnd);
    expect(children.map(membersOfXml)).toEqual([
      {
        title: "Teak <&> Thread",
        link: "https://shop.example.com/",
        description: "Teak <&> Thread",
      },
    ]);
  });

  test("has no group for a product with one SKU", () => {
    const items = itemsOf(aPublishedProduct({ variants: [aVariant()] }));
    expect(items.get("CHR-OSLO-OAT")).toMatchObject({ "g:availability": "out_of_stock" });
    expect(items.get("CHR-OSLO-OAT")).not.toHaveProperty("g:item_group_id");
  });

  test("states prices with tax", () => {
    const settings = someOfferSettings({ tax: aTax({ prices_include_tax: false }) });
    const items = itemsOf(aPublishedProduct(), [], context(settings));
    expect(items.get("CHR-OSLO-SLATE")).toMatchObject({
      "g:price": "35388.20 INR",
      "g:sale_price": "31848.20 INR",
    });
  });

  test("has no manufacturer's part number (mpn) for products of another brand", () => {
    const item = itemsOf(aPublishedProduct({ brand: "Nordic Works" })).get("CHR-OSLO-OAT");
    expect(item).toMatchObject({ "g:brand": "Nordic Works", "g:identifier_exists": "no" });
    expect(item).not.toHaveProperty("g:mpn");
  });

  test("uses the variant's id for a SKU that is longer than Google allows", () => {
    const sku = `CHR-${"X".repeat(60)}`;
    const items = itemsOf(aPublishedProduct({ variants: [aVariant({ sku })] }));
    expect([...items.keys()]).toEqual([anId("var")]);
  });

  test("shortens texts to Google's limits, never within a character", () => {
    const html = `<p>${"x".repeat(4_999)}\u{1F6CB}</p>`;
    const item = itemsOf(aPublishedProduct({ description_html: html })).get("CHR-OSLO-OAT");
    expect(item?.["g:description"]).toBe("x".repeat(4_999));
  });

  test("offers a sofa in its default configuration, as made to order", () => {
    const sofa = aPublishedSofa();
    const { settings } = context();
    const offer = sofaOffer(sofa, someMaterials, settings);
    const text = feedStart(settings) + feedItems(sofa, [offer], context()) + feedEnd;
    expect(feedItemsOf(text).get(sofa.id)).toMatchObject({
      "g:link": "https://shop.example.com/sofas/kochi-sofa",
      "g:price": "76962.50 INR",
      "g:availability": "in_stock",
      "g:max_handling_time": "40",
    });
  });

  test("shows a sofa as reduced only if its default configuration has the price of its card", () => {
    const itemOf = (sofa: ReturnType<typeof aPublishedSofa>) => {
      const { settings } = context();
      const offer = sofaOffer(sofa, someMaterials, settings);
      const text = feedStart(settings) + feedItems(sofa, [offer], context()) + feedEnd;
      return feedItemsOf(text).get(sofa.id);
    };
    const reduced = { compare_at_price: 9_900_000 };
    const plain = itemOf(aPublishedSofa({ ...reduced, option_groups: [], rules: [] }));
    expect(plain).toMatchObject({ "g:price": "99000.00 INR", "g:sale_price": "65000.00 INR" });
    const { option_groups: groups } = aPublishedSofa();
    const option_groups = groups.map((group) =>
      group.code === "upholstery" ? { ...group, default: "velvet-moss" } : group,
    );
    const dearer = itemOf(aPublishedSofa({ ...reduced, option_groups }));
    expect(dearer).toBeDefined();
    expect(dearer).not.toHaveProperty("g:sale_price");
    expect(dearer).not.toHaveProperty(["g:price"], "99000.00 INR");
  });

  test("has a description with a full stop between the points of a list", () => {
    const description_html = "<p>A deep seat.</p><ul><li>Solid teak</li><li>No tools</li></ul>";
    const items = itemsOf(aPublishedProduct({ description_html }));
    expect(items.get("CHR-OSLO-OAT")).toMatchObject({
      "g:description": "A deep seat. Solid teak. No tools.",
    });
  });
});
