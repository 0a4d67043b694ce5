import type { Sellable } from "#shared/domain/product.ts";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { MaterialInput, changedMaterial } from "#functions/admin-catalog/material-input.ts";
import { ProductInput, wishesOf } from "#functions/admin-catalog/product-input.ts";
import { productShelf } from "#functions/admin-catalog/product-shelf.ts";
import { saveMaterial } from "#functions/admin-catalog/save-material.ts";
import { type Shelf, saveSellable } from "#functions/admin-catalog/save-sellable.ts";
import { stamped } from "#functions/admin-catalog/sellable-input.ts";
import { SofaInput, changedSofa } from "#functions/admin-catalog/sofa-input.ts";
import { sofaShelf } from "#functions/admin-catalog/sofa-shelf.ts";
import { Material } from "#shared/domain/material.ts";
import type { Product } from "#shared/domain/product.ts";
import { Sofa } from "#shared/domain/sofa.ts";
import { StaffProduct, staffProduct } from "#shared/domain/staff-product.ts";
import { invalidField } from "#shared/http/errors.ts";
import { parsed } from "#shared/http/validation.ts";
import { Materials, Products, Sofas, Stocks } from "#shared/storage/catalog.ts";
import { byName } from "#shared/storage/live-facts.ts";
import { type Table, at } from "#shared/storage/table.ts";
import { type ImportRecord, type Importing, requireNotNewer } from "./importing.ts";

/** What the shop itself writes into a record; it makes no record another one. */
const kept = {
  version: true,
  published_at: true,
  created_at: true,
  updated_at: true,
} as const;

const MaterialRow = z.strictObject(Material.shape);
const SofaRow = z.strictObject(Sofa.shape);
const ProductRow = z.strictObject({
  ...StaffProduct.shape,
  variants: z.array(z.strictObject(StaffProduct.shape.variants.element.shape)),
});

/** What staff send of each, without what a record keeps. */
const own = { id: true, currency: true, ...kept } as const;
const MaterialContent = MaterialRow.omit(own);
const SofaContent = SofaRow.omit({ ...own, model_version: true });
const ProductContent = ProductRow.omit(own);

function requireCurrency(currency: string, importing: Importing): void {
  if (currency === importing.currency) return;
  throw invalidField("currency", `The shop's currency is ${importing.currency}.`);
}

/** Whether two records say the same, as far as people write them. */
const saysTheSame = (content: z.ZodObject, one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(written(content, one), written(content, other));

const written = ({ shape }: z.ZodObject, record: unknown) => {
  const members = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(shape).map((name) => [name, members[name]]));
};

/** A material, through the rules and writes of staff's own. */
export const importMaterial: ImportRecord = async (data, importing) => {
  const sent = parsed(MaterialRow, data);
  const { table, doing } = importing;
  requireCurrency(sent.currency, importing);
  const before = await table.get(Materials, { id: sent.id });
  if (before && saysTheSame(MaterialContent, before, sent)) return "unchanged";
  if (before) requireNotNewer(before, sent, importing);
  const input = parsed(MaterialInput, written(MaterialContent, sent));
  const after = before
    ? changedMaterial(before, input, doing.now)
    : { ...sent, ...input, status: sent.status };
  await saveMaterial(before, after, table, doing);
  return before ? "updated" : "created";
};

/** A sofa, likewise. */
export const importSofa: ImportRecord = async (data, importing) => {
  const sent = parsed(SofaRow, data);
  const { table, doing } = importing;
  requireCurrency(sent.currency, importing);
  const before = await table.get(Sofas, { id: sent.id });
  if (before && saysTheSame(SofaContent, before, sent)) return "unchanged";
  if (before) requireNotNewer(before, sent, importing);
  const input = parsed(SofaInput, written(SofaContent, sent));
  const after = before
    ? changedSofa(before, input, doing.now)
    : { ...sent, ...input, status: sent.status };
  await saveSellable(withoutPicks(sofaShelf), before, after, table, doing);
  return before ? "updated" : "created";
};

/** A product with the terms of its SKUs, likewise; a new SKU begins with nothing on the shelf. */
export const importProduct: ImportRecord = async (data, importing) => {
  const sent = parsed(ProductRow, data);
  const { table, doing } = importing;
  requireCurrency(sent.currency, importing);
  const before = await table.get(Products, { id: sent.id });
  if (before && saysTheSame(ProductContent, await withTerms(before, table), sent)) {
    return "unchanged";
  }
  if (before) requireNotNewer(before, sent, importing);
  const { variants: _variants, ...input } = parsed(ProductInput, written(ProductContent, sent));
  const variants = sent.variants.map(
    ({ policy: _policy, low_stock_threshold: _threshold, ...variant }) => variant,
  );
  const members = { ...input, status: sent.status, variants };
  const after: Product = before
    ? stamped({ ...before, ...members }, doing.now)
    : { ...sent, ...members };
  const wishes = wishesOf(variants).map((wish, position) => {
    const { policy, low_stock_threshold } = sent.variants[position] ?? {};
    return {
      ...wish,
      ...(policy && { policy }),
      ...(low_stock_threshold !== undefined && { low_stock_threshold }),
    };
  });
  await saveSellable(withoutPicks(productShelf(wishes)), before, after, table, doing);
  return before ? "updated" : "created";
};

async function withTerms(product: Product, table: Table): Promise<StaffProduct> {
  const { stock } = await table.getMany({
    stock: product.variants.map(({ sku }) => at(Stocks, { sku })),
  });
  return staffProduct(
    product,
    byName(stock, ({ sku }) => sku),
  );
}

/** A row may pick related things that stand further down in its file. */
const withoutPicks = <Record extends Sellable>(shelf: Shelf<Record>): Shelf<Record> => ({
  ...shelf,
  referencesOf: (record) =>
    shelf.referencesOf(record).filter(({ path }) => !path.startsWith("related_ids.")),
});
