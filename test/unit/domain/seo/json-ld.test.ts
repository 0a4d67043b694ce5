import { describe, expect, test } from "vitest";
import { AvailabilityState } from "#shared/domain/catalog/availability.ts";
import { availabilityTerms } from "#shared/domain/seo/offers.ts";
import { pageJsonLd, productJsonLd, sofaJsonLd } from "#shared/domain/seo/json-ld.ts";
import { defaultConfiguration } from "#shared/domain/sofa/configuration.ts";
import { priceSofa } from "#shared/domain/sofa/sofa-price.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import {
  aLevel,
  aPublishedProduct,
  aPublishedSofa,
  aVariant,
  someMaterials,
} from "#test/support/shop/builders.ts";
import { aMethod, aTax, aZone, anId, someShipping } from "#test/support/shop/commerce.ts";
import { someOfferSettings } from "#test/support/shop/settings.ts";

const settings = someOfferSettings();
const levels = [aLevel(anId("var"), 2), aLevel(anId("var", 2), 0)];
const page = "https://shop.example.com/products/oslo-lounge-chair";
const small = {
  ...aPublishedProduct().dimensions,
  width_mm: 100,
  depth_mm: 100,
  height_mm: 100,
};

describe("the JSON-LD of a product with several SKUs", () => {
  const jsonLd = productJsonLd(aPublishedProduct(), levels, settings);

  test("is a group with one offer for each SKU", () => {
    expect(jsonLd).toMatchObject({
      "@context": "https://schema.org",
      "@type": "ProductGroup",
      productGroupID: aPublishedProduct().id,
      name: "Oslo Lounge Chair",
      description: "Made for long evenings & slow mornings.",
      url: page,
      brand: { "@type": "Brand", name: "Teak & Thread" },
      variesBy: ["https://schema.org/color"],
      width: { value: 700, unitCode: "MMT" },
      hasVariant: [
        {
          "@type": "Product",
          sku: "CHR-OSLO-OAT",
          name: "Oslo Lounge Chair, Oat",
          color: "Oat",
          offers: {
            "@type": "Offer",
            url: `${page}?sku=CHR-OSLO-OAT`,
            price: "24990.00",
            priceCurrency: "INR",
            availability: "https://schema.org/LimitedAvailability",
          },
        },
        {
          sku: "CHR-OSLO-SLATE",
          color: "Slate",
          offers: { price: "26990.00", availability: "https://schema.org/OutOfStock" },
        },
      ],
    });
  });

  test("states shipping details only once if several offers share them", () => {
    const offers = (product: ReturnType<typeof aPublishedProduct>) =>
      (productJsonLd(product, levels, settings)["hasVariant"] as { offers: object }[]).map(
        ({ offers }) => offers,
      );
    expect(offers(aPublishedProduct())).toMatchObject([
      { shippingDetails: [{ "@id": "#delivery-1", "@type": "OfferShippingDetails" }] },
      { shippingDetails: [{ "@id": "#delivery-1" }] },
    ]);
    const [light, heavy] = aPublishedProduct().variants;
    const variants = [
      { ...light!, cost: null },
      { ...heavy!, cost: null, weight_g: 90_000 },
    ];
    expect(offers(aPublishedProduct({ variants, dimensions: small }))).toMatchObject([
      { shippingDetails: [{ "@id": "#delivery-1", shippingRate: { value: "499.00" } }] },
      { shippingDetails: [{ "@id": "#delivery-2", shippingRate: { value: "1999.00" } }] },
    ]);
  });

  test("has offers in its SKUs only, and no members without a value", () => {
    expect(Object.keys(jsonLd)).not.toContain("offers");
    expect(JSON.stringify(jsonLd)).not.toContain("null");
  });
});

test("the JSON-LD of a product with one SKU is a product with its offer", () => {
  const product = aPublishedProduct({
    variants: [aVariant()],
    brand: "Nordic Works",
    seo: { title: null, description: null },
  });
  const jsonLd = productJsonLd(product, [aLevel(anId("var"), 9)], settings);
  expect(jsonLd).toMatchObject({
    "@type": "Product",
    sku: "CHR-OSLO-OAT",
    name: "Oslo Lounge Chair",
    brand: { name: "Nordic Works" },
    url: page,
    offers: { url: page, price: "24990.00", availability: "https://schema.org/InStock" },
  });
  expect(jsonLd).not.toHaveProperty("hasVariant");
});

test("the description in JSON-LD has a full stop between the points of a list", () => {
  const description_html =
    "<p>A deep seat.</p><ul><li>Solid teak</li><li>No tools needed</li></ul>";
  expect(productJsonLd(aPublishedProduct({ description_html }), levels, settings)).toMatchObject({
    description: "A deep seat. Solid teak. No tools needed.",
  });
});

test("an option without a property in schema.org is an additional property", () => {
  const value = (code: string) => ({ code, label: `${code} drawers`, swatch: null });
  const product = aPublishedProduct({
    options: [{ code: "drawers", label: "Drawers", values: [value("2"), value("4")] }],
    variants: ["2", "4"].map((drawers, position) =>
      aVariant({
        id: `var_01JD00000000000000000000${position}0`,
        sku: `D-${drawers}`,
        options: { drawers },
      }),
    ),
  });
  const jsonLd = productJsonLd(product, [], settings);
  expect(jsonLd).not.toHaveProperty("variesBy");
  expect(jsonLd["hasVariant"]).toMatchObject([
    { additionalProperty: [{ name: "Drawers", value: "2 drawers" }] },
    { additionalProperty: [{ name: "Drawers", value: "4 drawers" }] },
  ]);
});

describe("the JSON-LD of a sofa", () => {
  const sofa = aPublishedSofa();

  test("offers the default configuration at its price", () => {
    // The default is two seats in linen: the base price, and 8.25 m of linen at 1,450.00 a metre.
    expect(sofaJsonLd(sofa, someMaterials, settings)).toMatchObject({
      "@type": "Product",
      productID: sofa.id,
      name: "Kochi Sofa",
      url: "https://shop.example.com/sofas/kochi-sofa",
      offers: {
        "@type": "Offer",
        price: "76962.50",
        availability: "https://schema.org/MadeToOrder",
      },
    });
  });

  test("has the dimensions of the configuration that it offers", () => {
    const upholstery = sofa.option_groups.find(({ code }) => code === "upholstery")!;
    const size = sofa.option_groups.find(({ code }) => code === "size")!;
    const ofThree = aPublishedSofa({
      option_groups: [{ ...size, default: "three-seater" }, upholstery],
      rules: [],
    });
    const { price, dimensions } = priceSofa(ofThree, someMaterials, defaultConfiguration(ofThree));
    expect(dimensions?.width_mm).not.toBe(ofThree.dimensions.width_mm);
    expect(sofaJsonLd(ofThree, someMaterials, settings)).toMatchObject({
      width: { value: dimensions?.width_mm },
      depth: { value: dimensions?.depth_mm },
      height: { value: dimensions?.height_mm },
      offers: { price: ((price ?? 0) / 100).toFixed(2) },
    });
  });

  test("is out of stock while the default configuration cannot be made", () => {
    const others = new Map([...someMaterials].filter(([code]) => code !== "linen-oat"));
    expect(sofaJsonLd(sofa, others, settings)).toMatchObject({
      offers: { availability: "https://schema.org/OutOfStock" },
    });
  });
});

test("URLs in JSON-LD use the storefront's paths from the settings", () => {
  const paths = { ...defaultSettings.seo.paths, product: "/p/{slug}.html", sofa: "/couch-{slug}" };
  const own = someOfferSettings({ seo: { ...defaultSettings.seo, paths } });
  expect(productJsonLd(aPublishedProduct(), [], own)).toMatchObject({
    url: "https://shop.example.com/p/oslo-lounge-chair.html",
  });
  expect(sofaJsonLd(aPublishedSofa(), someMaterials, own)).toMatchObject({
    url: "https://shop.example.com/couch-kochi-sofa",
  });
});

test("prices in JSON-LD include the tax of the home zone, even if the catalog's prices exclude tax", () => {
  const exclusive = someOfferSettings({ tax: aTax({ prices_include_tax: false }) });
  const product = aPublishedProduct({ variants: [aVariant()], tax_class: "reduced" });
  expect(productJsonLd(product, [], exclusive)).toMatchObject({ offers: { price: "26239.50" } });
});

describe("shipping details", () => {
  const detailsIn = (zones: ReturnType<typeof aZone>[], overrides = {}) => {
    const product = aPublishedProduct({
      variants: [aVariant()],
      delivery_classes: [],
      ...overrides,
    });
    const { offers } = productJsonLd(
      product,
      levels,
      someOfferSettings({ shipping: someShipping(zones) }),
    );
    return (offers as { shippingDetails?: unknown[] }).shippingDetails;
  };

  test("state the cheapest delivery to a zone, the zone's postal code prefixes and the days of delivery", () => {
    const methods = [
      aMethod({ code: "white_glove" }),
      aMethod({
        code: "pickup",
        bands: [{ max_weight_g: null, max_volume_cm3: null, amount: 0 }],
      }),
      aMethod({
        code: "room_of_choice",
        transit_days: { min: 3, max: 6 },
        bands: [{ max_weight_g: null, max_volume_cm3: null, amount: 149_900 }],
      }),
    ];
    expect(detailsIn([aZone({ methods })])).toEqual([
      {
        "@type": "OfferShippingDetails",
        shippingRate: { "@type": "MonetaryAmount", value: "1499.00", currency: "INR" },
        shippingDestination: {
          "@type": "DefinedRegion",
          addressCountry: "IN",
          postalCodePrefix: ["5", "6"],
        },
        deliveryTime: {
          "@type": "ShippingDeliveryTime",
          handlingTime: { "@type": "QuantitativeValue", minValue: 3, maxValue: 7, unitCode: "DAY" },
          transitTime: { "@type": "QuantitativeValue", minValue: 3, maxValue: 6, unitCode: "DAY" },
        },
      },
    ]);
  });

  test("state free delivery if the product's price reaches the amount from which delivery is free", () => {
    const methods = [aMethod({ free_above: 2_000_000 })];
    expect(detailsIn([aZone({ methods })])).toMatchObject([{ shippingRate: { value: "0.00" } }]);
  });

  test("leave out zones to which the product cannot be delivered, and are absent without zones", () => {
    const small = [{ max_weight_g: 100, max_volume_cm3: 100, amount: 100 }];
    expect(detailsIn([aZone({ methods: [aMethod({ bands: small })] })])).toBeUndefined();
    expect(detailsIn([])).toBeUndefined();
  });

  test("describe at most five zones, and leave out a zone with more than 20 prefixes", () => {
    const zones = Array.from({ length: 9 }, (_, number) => aZone({ code: `zone-${number}` }));
    const wide = aZone({ postal_prefixes: Array.from({ length: 21 }, (_, one) => `${one}`) });
    expect(detailsIn([wide, ...zones])).toHaveLength(5);
  });
});

test("every availability state has a term of schema.org and of Google", () => {
  expect(Object.keys(availabilityTerms).toSorted()).toEqual(AvailabilityState.options.toSorted());
});

test("JSON-LD never ends the script element that contains it, whatever its texts are", () => {
  const hostile = "</script><script>alert(1)</script><!--";
  const swatch = { hex: null, image: null, color_group: null };
  const product = aPublishedProduct({
    name: hostile,
    brand: hostile,
    description_html: "&lt;/script&gt;",
    options: [
      {
        code: "color",
        label: hostile,
        values: ["oat", "slate"].map((code) => ({ code, label: `${code} ${hostile}`, swatch })),
      },
    ],
    materials: [{ code: "teak", label: hostile }],
  });
  const sofa = aPublishedSofa({ name: hostile, brand: hostile });
  for (const jsonLd of [
    productJsonLd(product, [], settings),
    productJsonLd({ ...product, variants: product.variants.slice(0, 1) }, [], settings),
    sofaJsonLd(sofa, someMaterials, settings),
    pageJsonLd(
      productJsonLd(product, [], settings),
      [{ slug: "chairs", name: hostile, path: "/categories/chairs" }],
      settings,
    ),
  ]) {
    const text = JSON.stringify(jsonLd);
    expect(text).not.toContain("<");
    expect(text).toContain("u003c/script>");
  }
});
