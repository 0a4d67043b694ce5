import { inWords } from "../base/names.ts";
import { variantName, type PublishedProduct } from "../catalog/product.ts";
import type { PublishedSofa } from "../sofa/sofa.ts";
import type { StoredCartLine, Requirement } from "./cart.ts";
import type { Parcel } from "../delivery/shipping.ts";
import type { LineIdentity, PricedLine } from "../pricing/priced-line.ts";

/** The published items that lines name, by id. */
export interface LineGoods {
  readonly products: ReadonlyMap<string, PublishedProduct>;
  readonly sofas: ReadonlyMap<string, PublishedSofa>;
}

/** The name of a line from the catalog or, if its item is no longer sold, from what identifies it. */
export function lineName(line: StoredCartLine, { products, sofas }: LineGoods): string {
  switch (line.kind) {
    case "product": {
      const product = products.get(line.product_id);
      const variant = product?.variants.find(({ id }) => id === line.variant_id);
      return product && variant ? variantName(product, variant) : bareName(line);
    }
    case "sofa":
      return sofas.get(line.sofa_id)?.name ?? bareName(line);
    default:
      return bareName(line);
  }
}

/** The name of a line from what is stored of it. */
function bareName(line: StoredCartLine | QuotedLine): string {
  switch (line.kind) {
    case "product":
    case "sofa":
      return inWords(line.slug);
    case "swatch":
      return `${inWords(line.material_code)}, sample`;
    case "quoted":
      return line.name;
  }
}

export type LineOf<Kind extends StoredCartLine["kind"]> = Extract<StoredCartLine, { kind: Kind }>;

/** A line of a quote, whether or not it is in a cart. */
export type QuotedLine = Omit<LineOf<"quoted">, "quote_id" | "revision" | "valid_until">;

/**
 * A cart line with current catalog data. `requirement` says what prevents its purchase, apart from a shortage of stock.
 */
export interface ResolvedLine {
  readonly line: PricedLine;
  readonly requirement: Requirement | null;
}

/** A sample is shipped as a letter. */
const letter: Parcel = { weight_g: 50, volume_cm3: 100 };

/**
 * The tax class of lines without a class of their own. Classes that the settings do not name are taxed as the default
 * class.
 */
export const unnamedTaxClass = "default";

export const soldOut: PricedLine["availability"] = {
  state: "out_of_stock",
  lead_time: { min_days: 0, max_days: 0 },
};

/**
 * The line built from its stored members alone. Members that only the catalog has get defaults, such as the weight of a
 * letter.
 */
export function bareLine(stored: StoredCartLine | QuotedLine): PricedLine {
  const slug = "slug" in stored ? stored.slug : null;
  const sku = "sku" in stored ? stored.sku : null;
  const identity: LineIdentity = {
    id: stored.id,
    kind: stored.kind,
    product_id: "product_id" in stored ? stored.product_id : null,
    sofa_id: "sofa_id" in stored ? stored.sofa_id : null,
    variant_id: "variant_id" in stored ? stored.variant_id : null,
    slug,
    material_code: stored.kind === "swatch" ? stored.material_code : null,
    configuration: stored.kind === "sofa" ? stored.configuration : null,
    configuration_id: stored.kind === "sofa" ? stored.configuration_id : null,
    choices: "choices" in stored ? stored.choices : [],
    name: bareName(stored),
    sku,
    image: null,
    quantity: stored.quantity,
  };
  return {
    ...identity,
    unit_price: stored.unit_price,
    discount: stored.kind === "quoted" ? stored.discount : 0,
    last_price: stored.unit_price,
    price_lines: [],
    availability: soldOut,
    made_to_order: false,
    categories: [],
    tax_class: unnamedTaxClass,
    hsn_code: null,
    cod_eligible: true,
    delivery_classes: [],
    parcels: [letter],
    warranty: [],
    upload_ids: stored.kind === "sofa" ? stored.upload_ids : [],
    note: stored.kind === "sofa" ? stored.note : null,
  };
}
