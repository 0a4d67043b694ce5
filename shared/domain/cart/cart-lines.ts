import { type LineOf, type ResolvedLine, bareLine, soldOut } from "./bare-line.ts";
import { type QuoteState, resolveQuotedLine } from "./quoted-line.ts";
import { availabilityOf, type LeadTime } from "../catalog/availability.ts";
import type { Picture } from "../base/picture.ts";
import type { StoredCartLine } from "./cart.ts";
import { type Configuration, normaliseConfiguration } from "../sofa/configuration.ts";
import { variantName, type PublishedProduct, type PublishedSellable } from "../catalog/product.ts";
import { choicesOf } from "../sofa/line-choices.ts";
import { type PublishedMaterial, swatchPicture } from "../catalog/material.ts";
import { mainPicture } from "../upload/media.ts";
import { parcelsOf } from "../delivery/shipping.ts";
import type { PublishedSofa, SofaModel } from "../sofa/sofa.ts";
import { configurationPicture } from "../sofa/default-choice.ts";
import { priceSofa } from "../sofa/sofa-price.ts";
import type { Stock } from "../catalog/stock.ts";

/** The current catalog and stock data of the items in a cart. */
export interface CatalogFacts {
  /** Keyed by id. */
  readonly products: ReadonlyMap<string, PublishedProduct>;
  readonly sofas: ReadonlyMap<string, PublishedSofa>;
  /** Keyed by code. */
  readonly materials: ReadonlyMap<string, PublishedMaterial>;
  /** Keyed by the stock's id. */
  readonly stock: ReadonlyMap<string, Stock>;
  /** Keyed by id. */
  readonly quotes: ReadonlyMap<string, QuoteState>;
}

const letterLeadTime: LeadTime = { min_days: 1, max_days: 2 };
/** The time at which lines are priced, and the shop's currency. */
export interface SaleContext {
  readonly now: Date;
  readonly currency: string;
}

/**
 * Completes a stored line with the current catalog data. A line whose item is no longer sold keeps its last price. An
 * item whose currency differs from the shop's counts as no longer sold, because its price cannot be added to the cart's
 * amounts.
 */
export function resolveLine(
  stored: StoredCartLine,
  facts: CatalogFacts,
  sale: SaleContext,
): ResolvedLine {
  const currency = currencyOf(stored, facts);
  if (currency !== undefined && currency !== sale.currency) return goneLine(stored);
  switch (stored.kind) {
    case "product":
      return resolveProductLine(stored, facts);
    case "swatch":
      return resolveSwatchLine(stored, facts);
    case "sofa":
      return resolveSofaLine(stored, facts);
    case "quoted":
      return resolveQuotedLine(stored, facts, sale.now);
  }
}

/**
 * The current currency of a line's product, material or sofa; undefined if the item is no longer sold, and for a quoted
 * line.
 */
function currencyOf(
  stored: StoredCartLine,
  { products, sofas, materials }: CatalogFacts,
): string | undefined {
  switch (stored.kind) {
    case "product":
      return products.get(stored.product_id)?.currency;
    case "swatch":
      return materials.get(stored.material_code)?.currency;
    case "sofa":
      return sofas.get(stored.sofa_id)?.currency;
    case "quoted":
      // A quoted line needs no comparison: the quote and its cart have the same currency.
      return undefined;
  }
}

/**
 * The stored lines with the current prices, slugs, configuration ids and material codes. Lines whose items are
 * no longer sold stay unchanged. The buyer's choices never change.
 */
export function refreshedLines(
  stored: readonly StoredCartLine[],
  published: readonly ResolvedLine[],
  { sofas }: Pick<CatalogFacts, "sofas">,
): StoredCartLine[] {
  return stored.map((line, index) => {
    const { line: now, requirement } = published[index]!;
    if (requirement) return line;
    const unit_price = now.unit_price;
    if (line.kind === "quoted") return { ...line, unit_price };
    if (line.kind === "product") return { ...line, unit_price, slug: now.slug ?? line.slug };
    const sofa = line.kind === "sofa" ? sofas.get(line.sofa_id) : undefined;
    if (line.kind !== "sofa" || !sofa) return { ...line, unit_price };
    return {
      ...line,
      unit_price,
      slug: sofa.slug,
      configuration_id: now.configuration_id ?? line.configuration_id,
      material_codes: materialsNow(sofa, line.configuration),
    };
  });
}

/** The material codes of a line's sofa under its current model. A new model may add options with defaults. */
export function materialsNow(
  sofa: Pick<SofaModel, "option_groups">,
  configuration: Configuration,
): string[] {
  return chosenMaterials(sofa, normaliseConfiguration(sofa, configuration).configuration);
}

/** The material codes that a configuration selects. */
export function chosenMaterials(
  { option_groups }: Pick<SofaModel, "option_groups">,
  configuration: Configuration,
): string[] {
  const chosen = option_groups
    .filter(({ input }) => input === "material")
    .map(({ code }) => configuration[code]);
  return chosen.filter((code) => typeof code === "string");
}

function resolveProductLine(
  stored: LineOf<"product">,
  { products, stock }: CatalogFacts,
): ResolvedLine {
  const product = products.get(stored.product_id);
  const variant = product?.variants.find(({ id }) => id === stored.variant_id);
  if (!product || !variant) return goneLine(stored);
  return {
    line: {
      ...bareLine(stored),
      ...ofSellable(product),
      slug: product.slug,
      name: variantName(product, variant),
      image: pictureOf(product, variant.media_ids[0]),
      unit_price: variant.price,
      // The variant may have another SKU than when it was put into the cart.
      sku: variant.sku,
      availability: availabilityOf(stock.get(variant.id), product),
      parcels: parcelsOf(
        { ...product, packages: variant.packages ?? product.packages },
        variant.weight_g,
      ),
    },
    requirement: null,
  };
}

function resolveSwatchLine(
  stored: LineOf<"swatch">,
  { materials, stock }: CatalogFacts,
): ResolvedLine {
  const material = materials.get(stored.material_code);
  if (!material || material.swatch.sku === null) return goneLine(stored);
  return {
    line: {
      ...bareLine(stored),
      sku: material.swatch.sku,
      name: `${material.name}, sample`,
      image: swatchPicture(material),
      unit_price: material.swatch.price ?? 0,
      availability: availabilityOf(stock.get(material.code), {
        lead_time: letterLeadTime,
        backorder_lead_time: null,
      }),
    },
    requirement: null,
  };
}

function resolveSofaLine(stored: LineOf<"sofa">, { sofas, materials }: CatalogFacts): ResolvedLine {
  const sofa = sofas.get(stored.sofa_id);
  if (!sofa) return goneLine(stored);
  const priced = priceSofa(sofa, materials, stored.configuration);
  const line = {
    ...bareLine(stored),
    ...ofSellable(sofa),
    slug: sofa.slug,
    name: sofa.name,
    image: configurationPicture(sofa, priced.configuration),
    configuration: priced.configuration,
    configuration_id: priced.configuration_id ?? stored.configuration_id,
    choices: choicesOf(sofa, materials, priced.configuration),
    unit_price: priced.price ?? stored.unit_price,
    price_lines: priced.lines,
    availability: {
      state: "made_to_order",
      lead_time: priced.lead_time ?? sofa.lead_time,
    } as const,
    made_to_order: true,
    parcels: parcelsOf({ ...sofa, packages: priced.packages }, sofa.dimensions.weight_g ?? 0),
  };
  const problem = priced.errors[0];
  return {
    line,
    requirement: problem
      ? { code: "configuration_invalid", message: problem.message, item_id: stored.id }
      : null,
  };
}

/** A line whose product, variant or sofa is no longer sold. */
function goneLine(stored: StoredCartLine): ResolvedLine {
  const line = { ...bareLine(stored), availability: soldOut };
  return {
    line,
    requirement: {
      code: "unavailable",
      message: `${line.name} is no longer sold.`,
      item_id: stored.id,
    },
  };
}

function ofSellable(sellable: PublishedSellable) {
  const { category_path, collection, rooms, styles } = sellable;
  const { tax_class, hsn_code, cod_eligible, delivery_classes, warranty } = sellable;
  const places = [...category_path, ...(collection ? [collection] : []), ...rooms, ...styles];
  return {
    categories: [...new Set(places.map(({ slug }) => slug))],
    tax_class,
    hsn_code,
    cod_eligible,
    delivery_classes,
    warranty,
  };
}

function pictureOf({ media }: PublishedProduct, mediaId: string | undefined): Picture | null {
  const own = media.filter(({ id, type }) => id === mediaId && type === "image");
  return mainPicture(own.length > 0 ? own : media);
}
