import {
  type Sellable,
  type Product,
  type AdminProduct,
  adminProduct,
} from "#shared/domain/catalog/product.ts";
import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { MaterialInput, changedMaterial } from "#shared/application/catalog/material-input.ts";
import { ProductInput } from "#shared/application/catalog/product-input.ts";
import { skuRequestsOf } from "#shared/application/catalog/stock-claims.ts";
import { productStorage } from "#shared/application/catalog/product-storage.ts";
import { saveMaterial } from "#shared/application/catalog/save-material.ts";
import { type SellableStorage, saveSellable } from "#shared/application/catalog/save-sellable.ts";
import { stamped, timesAfter } from "#shared/domain/catalog/sellable-times.ts";
import { SofaInput, changedSofa } from "#shared/application/catalog/sofa-input.ts";
import { sofaStorage } from "#shared/application/catalog/sofa-storage.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { parsed } from "#shared/domain/request/validation.ts";
import { Materials, Products, Sofas, Stocks } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { importedRows } from "./imported-rows.ts";
import {
  type ImportRecord,
  type Importing,
  completed,
  idOf,
  requireNotNewer,
} from "./importing.ts";

/** Members that the service sets. Records that differ only in these count as equal. */
const kept = {
  version: true,
  published_at: true,
  created_at: true,
  updated_at: true,
} as const;

const { material: MaterialRow, product: ProductRow, sofa: SofaRow } = importedRows.catalog;

/** Members that staff cannot edit. */
const own = { id: true, currency: true, ...kept } as const;
const MaterialContent = MaterialRow.omit(own);
const SofaContent = SofaRow.omit({ ...own, model_version: true });
const ProductContent = ProductRow.omit(own);

function requireCurrency(currency: string, importing: Importing): void {
  if (currency === importing.currency) return;
  throw invalidField("currency", `The shop's currency is ${importing.currency}.`);
}

/** Whether two records are equal in the members that staff can edit. */
const isEqualContent = (content: z.ZodObject, one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(editableMembers(content, one), editableMembers(content, other));

const editableMembers = ({ shape }: z.ZodObject, record: unknown) => {
  const members = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(shape).map((name) => [name, members[name]]));
};

/** Imports a material. The rules and writes are the same as when staff save one. */
export const importMaterial: ImportRecord = async (data, importing) => {
  const { table, audit } = importing;
  const before = await table.get(Materials, { id: idOf(data) ?? "" });
  const sent = parsed(MaterialRow, completed(data, before, importing));
  requireCurrency(sent.currency, importing);
  if (before && isEqualContent(MaterialContent, before, sent)) return "unchanged";
  if (before) requireNotNewer(before, sent, importing);
  const input = parsed(MaterialInput, editableMembers(MaterialContent, sent));
  const after = before
    ? changedMaterial(before, input, audit.now)
    : { ...sent, ...input, status: sent.status };
  await saveMaterial(before, after, { table, audit });
  return before ? "updated" : "created";
};

/** Imports a sofa. The rules and writes are the same as when staff save one. */
export const importSofa: ImportRecord = async (data, importing) => {
  const { table, audit } = importing;
  const before = await table.get(Sofas, { id: idOf(data) ?? "" });
  const sent = parsed(SofaRow, completed(data, before, importing));
  requireCurrency(sent.currency, importing);
  if (before && isEqualContent(SofaContent, before, sent)) return "unchanged";
  if (before) requireNotNewer(before, sent, importing);
  const input = parsed(SofaInput, editableMembers(SofaContent, sent));
  const after = before
    ? changedSofa(before, input, audit.now)
    : {
        ...sent,
        ...input,
        ...timesAfter(undefined, sent.status, input),
        status: sent.status,
        tax_class: sent.tax_class,
      };
  await saveSellable(withoutPicks(sofaStorage), before, after, { table, audit });
  return before ? "updated" : "created";
};

/** Imports a product with the selling terms of its SKUs. A new SKU starts without stock. */
export const importProduct: ImportRecord = async (data, importing) => {
  const { table, audit } = importing;
  const before = await table.get(Products, { id: idOf(data) ?? "" });
  const stored = before && (await withTerms(before, table));
  const sent = parsed(ProductRow, completed(data, stored, importing));
  requireCurrency(sent.currency, importing);
  if (stored && isEqualContent(ProductContent, stored, sent)) return "unchanged";
  if (before) requireNotNewer(before, sent, importing);
  const { variants: _variants, ...input } = parsed(
    ProductInput,
    editableMembers(ProductContent, sent),
  );
  const variants = sent.variants.map(
    ({ policy: _policy, low_stock_threshold: _threshold, ...variant }) => variant,
  );
  const times = timesAfter(before, sent.status, input);
  const members = { ...input, ...times, status: sent.status, tax_class: sent.tax_class, variants };
  const after: Product = before
    ? stamped({ ...before, ...members }, audit.now)
    : { ...sent, ...members };
  const skuTerms = skuRequestsOf(variants).map((wish, position) => {
    const { policy, low_stock_threshold } = sent.variants[position] ?? {};
    return {
      ...wish,
      ...(policy && { policy }),
      ...(low_stock_threshold !== undefined && { low_stock_threshold }),
    };
  });
  await saveSellable(withoutPicks(productStorage(skuTerms)), before, after, { table, audit });
  return before ? "updated" : "created";
};

async function withTerms(product: Product, table: Table): Promise<AdminProduct> {
  const { stock } = await table.getMany({
    stock: product.variants.map((variant) => at(Stocks, variant)),
  });
  return adminProduct(
    product,
    byName(stock, ({ id }) => id),
  );
}

/** Related items are not checked: they may follow later in the file. */
const withoutPicks = <Record extends Sellable>(
  storage: SellableStorage<Record>,
): SellableStorage<Record> => ({
  ...storage,
  referencesOf: (record) =>
    storage.referencesOf(record).filter(({ path }) => !path.startsWith("related_ids.")),
});
