import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { type Product, AdminProduct, adminProduct } from "#shared/domain/catalog/product.ts";
import { publishProduct } from "#shared/domain/catalog/publish.ts";
import type { SellingTerms } from "#shared/domain/catalog/stock.ts";
import { AdminProductRow } from "#shared/domain/listing/admin-rows.ts";
import { NumberedMeta } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import type { AuditContext } from "#shared/storage/staff/activity.ts";
import { Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import { checkMedia } from "#shared/application/catalog/attached-media.ts";
import {
  type EditedProduct,
  ProductInput,
  changedProduct,
  newProduct,
  productExamples,
} from "#shared/application/catalog/product-input.ts";
import { productStorage } from "#shared/application/catalog/product-storage.ts";
import {
  archives,
  catalogPermissions,
  requireSellableTimes,
  sellablePreviews,
} from "./publishable.ts";
import { saveSellable } from "#shared/application/catalog/save-sellable.ts";
import { type SkuRequest, claimedTerms } from "#shared/application/catalog/stock-claims.ts";
import { SellableListQuery, answerAdminList, readAdminList } from "./staff-list.ts";

const path = "/admin/products";

const list = route({
  method: "GET",
  path,
  summary: "List products, including drafts",
  description: "Returns one row per product. Changes appear within seconds.",
  access: staff("catalog.view"),
  request: { query: SellableListQuery },
  response: {
    status: 200,
    data: z.array(AdminProductRow),
    meta: NumberedMeta,
    links: true,
    serialized: true,
  },
  first: (call, shop: Shop<"table" | "staffIndexReader" | "searchSettings">) =>
    readAdminList(call, shop),
  handle: async ({ query, first }) => answerAdminList(first, "product", apiPrefix + path, query),
});

/**
 * A product. `terms` has the selling terms of its SKUs, such as the backorder policy, if they were read or written with
 * the product.
 */
interface KeptProduct {
  readonly product: Product;
  readonly terms?: ReadonlyMap<string, SellingTerms>;
}

const store: RecordStore<Shop<"table" | "settings", CommerceGroup>, ProductInput, KeptProduct> = {
  newId: (_input, now) => newId("prd", now),
  async read(id, { table }) {
    const product = await table.get(Products, { id });
    return product && { product };
  },
  async create(input, { id, audit, deps, bind }) {
    const { store, tax } = await deps.settings.current();
    const presets = { currency: store.currency, tax_class: tax.default_class };
    const { product: made, skuRequests } = newProduct(input, presets, audit.now);
    const product = { ...made, id };
    requireSellableTimes(undefined, product, audit.now);
    await checkMedia(undefined, product, deps.table);
    const created = { product, terms: termsOf(skuRequests, new Map()) };
    const bound = await bind(created);
    await saveSellable(productStorage(skuRequests), undefined, product, {
      table: deps.table,
      audit,
      further: bound,
    });
    return created;
  },
  update: ({ product }, change, { audit, deps }) =>
    save(product, changedProduct(product, change, audit.now), deps, audit),
  async remove({ product }, { audit, deps }) {
    if (product.published_at === null) {
      await saveSellable(productStorage([]), product, undefined, { table: deps.table, audit });
    } else if (product.status !== "archived") {
      await save(product, changedProduct(product, { status: "archived" }, audit.now), deps, audit);
    }
  },
};

async function save(
  before: Product,
  { product, skuRequests }: EditedProduct,
  { table }: Shop<"table">,
  audit: AuditContext,
): Promise<KeptProduct> {
  requireSellableTimes(before, product, audit.now);
  await checkMedia(before, product, table);
  const storage = productStorage(skuRequests);
  const { isChanged, stock } = await saveSellable(storage, before, product, { table, audit });
  return { product: isChanged ? product : before, terms: termsOf(skuRequests, stock) };
}

/** @param stock the stock rows before the edit, by id */
const termsOf = (skuRequests: readonly SkuRequest[], stock: ReadonlyMap<string, SellingTerms>) =>
  new Map(skuRequests.map((each) => [each.stock_id, claimedTerms(each, stock.get(each.stock_id))]));

async function withTerms(
  { product, terms }: KeptProduct,
  { table }: Shop<"table">,
): Promise<AdminProduct> {
  if (terms) return adminProduct(product, terms);
  const { stock } = await table.getMany({
    stock: product.variants.map((variant) => at(Stocks, variant)),
  });
  return adminProduct(
    product,
    byName(stock, ({ id }) => id),
  );
}

export const routes = [
  list,
  ...recordRoutes({
    path,
    one: "a product",
    permissions: catalogPermissions,
    record: AdminProduct,
    input: ProductInput,
    examples: productExamples,
    descriptions: {
      create: "With `status: published` the product is public within seconds.",
      get: "Returns the whole record. Drafts are included.",
      replace:
        "Changes to a published product are public within seconds. If the slug changes, the old " +
        "one redirects to the new one.",
      change: "Omitted members do not change; a list is replaced as a whole.",
      remove: archives,
    },
    errors: { create: ["already_exists"], edit: ["already_exists", "in_use"], remove: ["in_use"] },
    store,
    shown: ({ product }) => product,
    completed: withTerms,
  }),
  ...sellablePreviews({
    kind: "product",
    read: (id, table) => table.get(Products, { id }),
    publish: publishProduct,
  }),
];
