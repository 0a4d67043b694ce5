import {
  type Availability,
  type StockLevel,
  availabilityOf,
  type AvailabilityState,
} from "../catalog/availability.ts";
import type { Dimensions, PublishedProduct, PublishedSellable } from "../catalog/product.ts";
import { type Consignment, parcelsOf } from "../delivery/shipping.ts";
import type { ProductMedia } from "../upload/media.ts";
import { levies, taxOf } from "../pricing/tax.ts";
import type { AllSettings } from "../settings/settings.ts";
import { pageAddress } from "../settings/storefront-address.ts";
import { defaultConfiguration } from "../sofa/configuration.ts";
import { type MaterialsByCode, sofaCard } from "../sofa/sofa-card.ts";
import { priceSofa } from "../sofa/sofa-price.ts";
import type { PublishedSofa } from "../sofa/sofa.ts";

/** The settings that offers depend on. */
export type OfferSettings = Pick<AllSettings, "store" | "seo" | "shipping" | "tax">;

/** Something that is sold at one price: a SKU of a product, or a sofa in its default configuration. */
export interface Offer {
  /** Null for a sofa, which is made to order and has no SKU. */
  readonly sku: string | null;
  /** The SKU, or the record's id where there is no SKU that a feed accepts. */
  readonly id: string;
  /** The record's name with the labels of the variant's options. */
  readonly name: string;
  readonly choices: readonly Choice[];
  /** The address of the storefront's page. */
  readonly url: string;
  /** Minor units, including tax. */
  readonly price: number;
  readonly compare_at_price: number | null;
  readonly availability: Availability;
  /** The main picture first. */
  readonly pictures: readonly Pick<ProductMedia, "url" | "width" | "height">[];
  readonly dimensions: Dimensions;
  /** One unit, as the shipping rules need it. */
  readonly consignment: Consignment;
}

/** The value that a variant has for one option of its product. */
export interface Choice {
  readonly label: string;
  readonly value: string;
  /** The name of the option in schema.org and in Google's feed; undefined if they have no name for it. */
  readonly property: string | undefined;
}

/** Properties in which variants differ, by the code of the option. */
const properties: ReadonlyMap<string, string> = new Map([
  ["color", "color"],
  ["colour", "color"],
  ["material", "material"],
  ["pattern", "pattern"],
  ["size", "size"],
]);

/** The offers of a product, one for each SKU. */
export function productOffers(
  product: PublishedProduct,
  levels: readonly StockLevel[],
  settings: OfferSettings,
): [Offer, ...Offer[]] {
  const byId = new Map(levels.map((level) => [level.id, level]));
  const page = pageAddress(settings, "product", product.slug);
  const several = product.variants.length > 1;
  const offers = product.variants.map((variant): Offer => {
    const choices = choicesOf(product, variant.options);
    const availability = availabilityOf(byId.get(variant.id), product);
    return {
      sku: variant.sku,
      id: variant.sku.length <= longestId ? variant.sku : variant.id,
      name: [product.name, ...choices.map(({ value }) => value)].join(", "),
      choices,
      url: several ? `${page}?sku=${encodeURIComponent(variant.sku)}` : page,
      ...pricesOf(product, variant, settings),
      availability,
      pictures: picturesOf(product, variant.media_ids),
      dimensions: product.dimensions,
      consignment: consignmentOf(
        { ...product, packages: variant.packages ?? product.packages },
        availability,
        variant.weight_g,
      ),
    };
  });
  // A published product has at least one variant.
  return offers as [Offer, ...Offer[]];
}

/**
 * The offer of a sofa's default configuration. If that configuration cannot be made now, the offer is out of stock, at
 * the price that the sofa's card shows.
 */
export function sofaOffer(
  sofa: PublishedSofa,
  materials: MaterialsByCode,
  settings: OfferSettings,
): Offer {
  const priced = priceSofa(sofa, materials, defaultConfiguration(sofa));
  const card = sofaCard(sofa, materials);
  const availability: Availability = {
    state: priced.valid ? "made_to_order" : "out_of_stock",
    quantity: null,
    lead_time: priced.lead_time ?? sofa.lead_time,
  };
  const price = priced.price ?? card.price;
  // The compare-at price belongs to the price of the card. No such price is known of a dearer configuration.
  const compare_at_price = price === card.price ? card.compare_at_price : null;
  return {
    sku: null,
    id: sofa.id,
    name: sofa.name,
    choices: [],
    url: pageAddress(settings, "sofa", sofa.slug),
    ...pricesOf(sofa, { price, compare_at_price }, settings),
    availability,
    pictures: picturesOf(sofa, []),
    dimensions: priced.dimensions ?? sofa.dimensions,
    consignment: consignmentOf(
      { ...sofa, packages: priced.packages },
      availability,
      sofa.dimensions.weight_g ?? 0,
    ),
  };
}

/** The brand of a record: its own, or the shop's name. */
export const brandOf = (
  { brand }: Pick<PublishedSellable, "brand">,
  { store }: Pick<OfferSettings, "store">,
): string => brand ?? store.name;

/** The longest id that Google's product feed accepts. */
const longestId = 50;

function choicesOf({ options }: PublishedProduct, chosen: Readonly<Record<string, string>>) {
  return options.flatMap((option): Choice[] => {
    const { code, label, values } = option;
    const value = values.find((each) => each.code === chosen[code]);
    return value ? [{ label, value: value.label, property: propertyOf(option, options) }] : [];
  });
}

/** An option with swatches, such as a finish, is the colour, unless another option is. */
function propertyOf(
  { code, values }: PublishedProduct["options"][number],
  options: PublishedProduct["options"],
): string | undefined {
  const named = properties.get(code);
  if (named !== undefined || !values.some(({ swatch }) => swatch)) return named;
  const first = options.find((option) => option.values.some(({ swatch }) => swatch));
  const isTaken = options.some((option) => properties.get(option.code) === "color");
  return !isTaken && first?.code === code ? "color" : undefined;
}

/**
 * Prices including the tax of the shop's home zone. A compare-at price is left out unless it is higher than the price.
 */
function pricesOf(
  { tax_class }: Pick<PublishedSellable, "tax_class">,
  { price, compare_at_price }: { price: number; compare_at_price: number | null },
  { tax }: Pick<OfferSettings, "tax">,
): Pick<Offer, "price" | "compare_at_price"> {
  const rates = tax.prices_include_tax ? [] : levies(tax, tax_class, null);
  const gross = (amount: number) => amount + taxOf(amount, rates, { inclusive: false }).tax;
  const isReduced = compare_at_price !== null && compare_at_price > price;
  return { price: gross(price), compare_at_price: isReduced ? gross(compare_at_price) : null };
}

/** The variant's own pictures, or else the record's, the main one first. */
function picturesOf({ media }: PublishedSellable, own: readonly string[]): ProductMedia[] {
  const images = media.filter(({ type }) => type === "image");
  const ofVariant = images.filter(({ id }) => own.includes(id));
  const shown = ofVariant.length > 0 ? ofVariant : images;
  const isMain = ({ role }: (typeof images)[number]) => role === "main";
  return shown.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
}

const consignmentOf = (
  sellable: Pick<PublishedSellable, "packages" | "dimensions" | "delivery_classes">,
  { lead_time }: Availability,
  weight_g: number,
): Consignment => ({
  quantity: 1,
  parcels: parcelsOf(sellable, weight_g),
  lead_time,
  delivery_classes: sellable.delivery_classes,
});

/**
 * The names of each availability state in schema.org and in Google's product feed. An item that is made to order is in
 * stock for Google, because it can be ordered and the feed states the days until dispatch.
 */
export const availabilityTerms = {
  in_stock: { schema: "InStock", google: "in_stock" },
  low_stock: { schema: "LimitedAvailability", google: "in_stock" },
  made_to_order: { schema: "MadeToOrder", google: "in_stock" },
  backorder: { schema: "BackOrder", google: "backorder" },
  out_of_stock: { schema: "OutOfStock", google: "out_of_stock" },
} as const satisfies Record<AvailabilityState, { schema: string; google: string }>;
