import { decimalAmount } from "../base/money.ts";
import { textInSentences } from "../base/plain-text.ts";
import type { StockLevel } from "../catalog/availability.ts";
import type { Breadcrumb } from "../catalog/page-seo.ts";
import type { PublishedProduct, PublishedSellable } from "../catalog/product.ts";
import { ratesIn } from "../delivery/shipping.ts";
import type { ShippingZone } from "../settings/shipping-settings.ts";
import { pageAddress, storefrontAddress } from "../settings/storefront-address.ts";
import type { MaterialsByCode } from "../sofa/sofa-card.ts";
import type { PublishedSofa } from "../sofa/sofa.ts";
import {
  availabilityTerms,
  type Choice,
  type Offer,
  type OfferSettings,
  brandOf,
  productOffers,
  sofaOffer,
} from "./offers.ts";

/** A description of a page in the vocabulary of schema.org. It has only members whose value is known. */
export type JsonLd = Record<string, unknown>;

/** Describes a product of several SKUs as a group with one product per SKU, and a product of one SKU as a product. */
export function productJsonLd(
  product: PublishedProduct,
  levels: readonly StockLevel[],
  settings: OfferSettings,
): JsonLd {
  const [first, ...others] = productOffers(product, levels, settings);
  const common = commonMembers(product, settings);
  const url = pageAddress(settings, "product", product.slug);
  if (others.length === 0) {
    return onPage({ ...common, ...soldAs(first, product, settings), name: product.name, url });
  }
  const once = namedOnce();
  return onPage({
    ...common,
    "@type": "ProductGroup",
    productGroupID: product.id,
    url,
    variesBy: first.choices.flatMap(({ property }) => property ?? []).map(term),
    hasVariant: [first, ...others].map((offer) => soldAs(offer, product, settings, once)),
  });
}

/** Describes a sofa as a product with the offer of its default configuration. */
export function sofaJsonLd(
  sofa: PublishedSofa,
  materials: MaterialsByCode,
  settings: OfferSettings,
): JsonLd {
  const offer = sofaOffer(sofa, materials, settings);
  return onPage({
    ...commonMembers({ ...sofa, dimensions: offer.dimensions }, settings),
    ...soldAs(offer, sofa, settings),
    productID: sofa.id,
    url: offer.url,
  });
}

/**
 * The data of a page: what it sells, and its breadcrumbs.
 *
 * @param sold the product, product group or sofa
 * @param breadcrumbs from the top category to the product's own
 */
export function pageJsonLd(
  { "@context": context, ...sold }: JsonLd,
  breadcrumbs: readonly Breadcrumb[],
  settings: Pick<OfferSettings, "store">,
): JsonLd {
  const items = breadcrumbs.map(({ name, path }) => ({
    name,
    item: path === null ? undefined : storefrontAddress(settings, path),
  }));
  const list = {
    "@type": "BreadcrumbList",
    itemListElement: [...items, { name: sold["name"], item: sold["url"] }].map((item, position) =>
      known({ "@type": "ListItem", position: position + 1, ...item }),
    ),
  };
  return { "@context": context, "@graph": [sold, inScript(list)] };
}

const term = (name: string) => `https://schema.org/${name}`;

const onPage = (members: JsonLd): JsonLd =>
  inScript(known({ "@context": "https://schema.org", ...members })) as JsonLd;

/**
 * The value with `\u003c` for every `<` in its strings. Storefronts write the result into a script element as JSON, which
 * would end at a `</script>` in a name or description.
 */
function inScript(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("<", "\\u003c");
  if (Array.isArray(value)) return value.map(inScript);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inScript(member)]),
  );
}

/** The members that have a value. */
const known = (members: JsonLd): JsonLd =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** The members that all variants share. */
function commonMembers(sellable: PublishedSellable, settings: OfferSettings): JsonLd {
  const { dimensions, media, materials } = sellable;
  return {
    name: sellable.name,
    description: textInSentences(sellable.description_html) || undefined,
    brand: { "@type": "Brand", name: brandOf(sellable, settings) },
    category: sellable.category.name,
    image: media.filter(({ type }) => type === "image").map(({ url }) => url),
    material: materials.map(({ label }) => label).join(", ") || undefined,
    width: millimetres(dimensions.width_mm),
    depth: millimetres(dimensions.depth_mm),
    height: millimetres(dimensions.height_mm),
  };
}

const millimetres = (value: number | null) =>
  value === null ? undefined : { "@type": "QuantitativeValue", value, unitCode: "MMT" };

/**
 * The product that an offer sells.
 *
 * @param once replaces shipping details by a reference if an earlier offer has the same details
 */
function soldAs(
  offer: Offer,
  sellable: PublishedSellable,
  settings: OfferSettings,
  once: (details: JsonLd) => JsonLd = (details) => details,
): JsonLd {
  const { currency } = sellable;
  return known({
    "@type": "Product",
    sku: offer.sku ?? undefined,
    name: offer.name,
    image: offer.pictures.map(({ url }) => url),
    ...Object.fromEntries(offer.choices.flatMap(propertyOf)),
    additionalProperty: offer.choices.flatMap(furtherProperty),
    offers: known({
      "@type": "Offer",
      url: offer.url,
      price: decimalAmount(offer.price, currency),
      priceCurrency: currency,
      availability: term(availabilityTerms[offer.availability.state].schema),
      itemCondition: term("NewCondition"),
      shippingDetails: shippingDetails(offer, currency, settings).map(once),
    }),
  });
}

const propertyOf = ({ property, value }: Choice): [string, string][] =>
  property === undefined ? [] : [[property, value]];
const furtherProperty = ({ property, label, value }: Choice) =>
  property === undefined ? [{ "@type": "PropertyValue", name: label, value }] : [];

/**
 * Returns a function that gives new details an id, and replaces details that it has seen before by a reference to
 * their id. Variants often have equal details.
 */
function namedOnce(): (details: JsonLd) => JsonLd {
  const ids = new Map<string, string>();
  return (details) => {
    const text = JSON.stringify(details);
    const known = ids.get(text);
    if (known !== undefined) return { "@id": known };
    const id = `#delivery-${ids.size + 1}`;
    ids.set(text, id);
    return { "@id": id, ...details };
  };
}

/**
 * Limits that keep a page small. It describes the first `maxZones` zones that have at most `maxPrefixes` postal
 * prefixes.
 */
const maxZones = 5;
const maxPrefixes = 20;

/** Price and time of the cheapest delivery to each zone. A zone that cannot be delivered to is left out. */
function shippingDetails(offer: Offer, currency: string, { shipping }: OfferSettings): JsonLd[] {
  return shipping.zones
    .filter(({ postal_prefixes }) => postal_prefixes.length <= maxPrefixes)
    .slice(0, maxZones)
    .flatMap((zone) => deliveryTo(zone, offer, currency));
}

function deliveryTo(zone: ShippingZone, offer: Offer, currency: string): JsonLd[] {
  const { consignment } = offer;
  const rates = ratesIn(zone, {
    consignments: [consignment],
    itemsTotal: offer.price,
    free: false,
  });
  const [cheapest] = rates
    .filter(({ method }) => method.code !== "pickup")
    .toSorted((one, other) => one.amount - other.amount);
  if (!cheapest) return [];
  const { method, amount } = cheapest;
  const { lead_time } = consignment;
  return [
    {
      "@type": "OfferShippingDetails",
      shippingRate: {
        "@type": "MonetaryAmount",
        value: decimalAmount(amount, currency),
        currency,
      },
      shippingDestination: known({
        "@type": "DefinedRegion",
        addressCountry: zone.country,
        postalCodePrefix: zone.postal_prefixes,
      }),
      deliveryTime: {
        "@type": "ShippingDeliveryTime",
        handlingTime: days(lead_time.min_days, lead_time.max_days),
        transitTime: days(method.transit_days.min, method.transit_days.max),
      },
    },
  ];
}

const days = (minValue: number, maxValue: number) => ({
  "@type": "QuantitativeValue",
  minValue,
  maxValue,
  unitCode: "DAY",
});
