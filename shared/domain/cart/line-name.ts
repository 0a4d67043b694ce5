import { inWords } from "../base/names.ts";
import { variantName } from "../catalog/variant-name.ts";
import type { PublishedProduct } from "../catalog/product.ts";
import type { PublishedSofa } from "../sofa/sofa.ts";
import type { StoredCartLine } from "./cart.ts";

/** The published items that lines name, by id. */
export interface SoldItems {
  readonly products: ReadonlyMap<string, PublishedProduct>;
  readonly sofas: ReadonlyMap<string, PublishedSofa>;
}

/** The name of a line from the catalog or, if its item is no longer sold, from what identifies it. */
export function lineName(line: StoredCartLine, { products, sofas }: SoldItems): string {
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
export function bareName(line: StoredCartLine): string {
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
