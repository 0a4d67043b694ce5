import type { StoredCartLine } from "../../domain/cart/cart.ts";
import { type CatalogFacts, materialsNow } from "../../domain/cart/cart-lines.ts";
import type { QuoteState } from "../../domain/cart/quoted-line.ts";
import type { PublishedMaterial } from "../../domain/catalog/material.ts";
import type { PublishedProduct } from "../../domain/catalog/product.ts";
import type { PublishedSofa } from "../../domain/sofa/sofa.ts";
import type { Stock } from "../../domain/catalog/stock.ts";
import { Cards, PublishedMaterials, PublishedProducts, PublishedSofas, Stocks } from "./catalog.ts";
import { readQuoteState } from "../enquiry/quote-states.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

/** The reads of all records that these lines depend on, for one batch. */
export function factReads(lines: readonly StoredCartLine[]) {
  return {
    products: lines.flatMap((line) => (line.kind === "product" ? at(PublishedProducts, line) : [])),
    sofas: lines.flatMap((line) => (line.kind === "sofa" ? at(PublishedSofas, line) : [])),
    materials: lines.flatMap(materialsOf).map((code) => at(PublishedMaterials, { code })),
    stock: lines.flatMap(stockOf).map((id) => at(Stocks, { id })),
    quotes: lines.flatMap((line) => (line.kind === "quoted" ? readQuoteState(line.quote_id) : [])),
  };
}

interface FoundRecords {
  readonly products: readonly (PublishedProduct | undefined)[];
  readonly sofas: readonly (PublishedSofa | undefined)[];
  readonly materials: readonly (PublishedMaterial | undefined)[];
  readonly stock: readonly (Stock | undefined)[];
  readonly quotes: readonly (QuoteState | undefined)[];
}

/**
 * Builds the lookups for the cart rules from the records of the batch. Further reads are needed in two cases only: a
 * line's slug has changed, or a new sofa model has options with other materials.
 */
export async function readCatalogFacts(
  getMany: Table["getMany"],
  lines: readonly StoredCartLine[],
  found: FoundRecords,
): Promise<CatalogFacts> {
  const facts = {
    products: byName(found.products, ({ id }) => id),
    sofas: byName(found.sofas, ({ id }) => id),
    materials: byName(found.materials, ({ code }) => code),
    stock: byName(found.stock, ({ id }) => id),
    quotes: byName(found.quotes, ({ id }) => id),
  };
  return withNewMaterials(getMany, lines, await withMoved(getMany, lines, facts));
}

/** Finds renamed products and sofas: a product's stock row and a sofa's card hold the current slug. */
async function withMoved(
  getMany: Table["getMany"],
  lines: readonly StoredCartLine[],
  facts: CatalogFacts,
): Promise<CatalogFacts> {
  const lostSofas = lines.flatMap((line) =>
    line.kind === "sofa" && !facts.sofas.has(line.sofa_id) ? line.sofa_id : [],
  );
  const movedProducts = lines.flatMap((line) => {
    if (line.kind !== "product" || facts.products.has(line.product_id)) return [];
    const owner = facts.stock.get(line.variant_id)?.owner;
    return owner?.id === line.product_id && owner.slug !== line.slug ? owner : [];
  });
  if (lostSofas.length + movedProducts.length === 0) return facts;

  const { cards } = await getMany({ cards: lostSofas.map((id) => at(Cards, { id })) });
  const movedSofas = cards.filter((card) => card !== undefined);
  const { sofas, products } = await getMany({
    sofas: movedSofas.map((card) => at(PublishedSofas, card)),
    products: movedProducts.map((owner) => at(PublishedProducts, owner)),
  });
  return {
    ...facts,
    sofas: new Map([...facts.sofas, ...byName(sofas, ({ id }) => id)]),
    products: new Map([...facts.products, ...byName(products, ({ id }) => id)]),
  };
}

async function withNewMaterials(
  getMany: Table["getMany"],
  lines: readonly StoredCartLine[],
  facts: CatalogFacts,
): Promise<CatalogFacts> {
  const unread = lines.flatMap((line) => {
    const sofa = line.kind === "sofa" ? facts.sofas.get(line.sofa_id) : undefined;
    if (line.kind !== "sofa" || !sofa) return [];
    return materialsNow(sofa, line.configuration).filter(
      (code) => !line.material_codes.includes(code) && !facts.materials.has(code),
    );
  });
  if (unread.length === 0) return facts;
  const { materials } = await getMany({
    materials: unread.map((code) => at(PublishedMaterials, { code })),
  });
  return {
    ...facts,
    materials: new Map([...facts.materials, ...byName(materials, ({ code }) => code)]),
  };
}

/** The existing records, keyed by the name that `nameOf` returns. */
export function byName<Found>(
  found: readonly (Found | undefined)[],
  nameOf: (record: Found) => string,
): Map<string, Found> {
  return new Map(found.flatMap((record) => (record ? [[nameOf(record), record]] : [])));
}

function materialsOf(line: StoredCartLine): readonly string[] {
  if (line.kind === "sofa") return line.material_codes;
  return line.kind === "swatch" ? [line.material_code] : [];
}

/** The ids of the stock that a line takes. */
function stockOf(line: StoredCartLine): readonly string[] {
  switch (line.kind) {
    case "product":
      return [line.variant_id];
    case "swatch":
      return [line.material_code];
    case "sofa":
      return [];
    case "quoted":
      return line.sku !== null && line.variant_id !== null ? [line.variant_id] : [];
  }
}
