import * as z from "zod";
import type { Product } from "#shared/domain/catalog/product.ts";
import { type SellingTerms, usualTerms } from "#shared/domain/catalog/stock.ts";
import { AdminProduct, adminProduct } from "#shared/domain/catalog/staff-product.ts";
import { AdminProductRow } from "#shared/domain/listing/admin-rows.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { edit, orNotFound } from "#shared/application/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { NumberedMeta } from "#shared/http/paging.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import type { AuditContext } from "#shared/storage/staff/activity.ts";
import { Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import { checkMedia } from "./attached-media.ts";
import type { Deps } from "./deps.ts";
import {
  type EditedProduct,
  ProductInput,
  ProductPatch,
  ProductPut,
  changedProduct,
  newProduct,
  productForm,
} from "#shared/application/catalog/product-input.ts";
import { productShelf } from "#shared/application/catalog/product-shelf.ts";
import { deletion } from "./deletion.ts";
import { saveSellable } from "#shared/application/catalog/save-sellable.ts";
import type { SkuRequest } from "#shared/application/catalog/stock-claims.ts";
import { SellableListQuery, answerAdminList, readAdminList } from "./staff-list.ts";

export const listProducts = route({
  method: "GET",
  path: "/admin/products",
  summary: "List products, drafts included",
  description: "A row for each product. Changes appear within seconds.",
  access: staff("catalog.view"),
  request: { query: SellableListQuery },
  response: { status: 200, data: z.array(AdminProductRow), meta: NumberedMeta, links: true },
  first: (call, deps: Deps) => readAdminList(call, deps),
  handle: async ({ query, first }) =>
    answerAdminList(first, "product", `${apiPrefix}/admin/products`, query),
});

export const createProduct = route({
  method: "POST",
  path: "/admin/products",
  summary: "Add a product",
  description: "With `status: published` the product is public within seconds.",
  access: staff("catalog.edit"),
  request: { body: ProductInput },
  response: { status: 201, data: AdminProduct },
  errors: ["already_exists"],
  idempotent: true,
  async handle(call, deps: Deps) {
    const { store, tax } = await deps.settings.current();
    const presets = { currency: store.currency, tax_class: tax.default_class };
    const { product, skuRequests } = newProduct(call.body, presets, call.now);
    const creation = { route: "POST /admin/products", id: product.id, at: pathOf };
    return answerOnce(creation, call, deps.table, async (bind) => {
      const answered = {
        data: adminProduct(product, requestedTerms(skuRequests)),
        version: product.version,
      };
      await checkMedia(undefined, product, deps.table);
      const shelf = productShelf(skuRequests);
      await saveSellable(
        shelf,
        undefined,
        product,
        deps.table,
        auditContextOf(call),
        bind(answered),
      );
      return answered;
    });
  },
});

export const getProduct = route({
  method: "GET",
  path: "/admin/products/{id}",
  summary: "Get a product",
  description: "The whole record, drafts included.",
  access: staff("catalog.view"),
  request: { params: byId },
  response: { status: 200, data: AdminProduct },
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  handle: async ({ first }, deps) => answer(orNotFound(first), deps),
});

export const replaceProduct = route({
  method: "PUT",
  path: "/admin/products/{id}",
  summary: "Replace a product",
  description:
    "Changes to a published product are public within seconds. A new slug leaves a redirect " +
    "from the old one.",
  access: staff("catalog.edit"),
  request: { params: byId, body: ProductPut, headers: ifMatch },
  response: { status: 200, data: AdminProduct },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  async handle(call, deps) {
    const expected = call.headers["if-match"] ?? orNotFound(call.first).version;
    return answer(await editProduct(call, expected, productForm.replaced, deps), deps);
  },
});

export const changeProduct = route({
  method: "PATCH",
  path: "/admin/products/{id}",
  summary: "Update a product",
  description: "Members that are left out stay as they are; a list is replaced as a whole.",
  access: staff("catalog.edit"),
  request: { params: byId, body: ProductPatch, headers: ifMatch },
  response: { status: 200, data: AdminProduct },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  handle: async (call, deps) =>
    answer(await editProduct(call, call.headers["if-match"], productForm.patched, deps), deps),
});

export const deleteProduct = route({
  ...deletion("product"),
  path: "/admin/products/{id}",
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  async handle(call, deps: Deps) {
    const audit = auditContextOf(call);
    const readAgain = () => deps.table.get(Products, call.params);
    await edit(call.first, readAgain, call.headers["if-match"], async (before) => {
      if (before.published_at === null) {
        await saveSellable(productShelf([]), before, undefined, deps.table, audit);
      } else if (before.status !== "archived") {
        const edited = changedProduct(before, { status: "archived" }, call.now);
        await save(before, edited, deps, audit);
      }
    });
  },
});

async function editProduct(
  call: Pick<Call, "actor" | "requestId" | "now"> & {
    first: Product | undefined;
    params: { id: string };
    body: object;
  },
  expected: number | undefined,
  written: (sent: object, shown: object) => Partial<ProductInput>,
  deps: Deps,
): Promise<Product> {
  const readAgain = () => deps.table.get(Products, call.params);
  return edit(call.first, readAgain, expected, (before) => {
    const edited = changedProduct(before, written(call.body, before), call.now);
    return save(before, edited, deps, auditContextOf(call));
  });
}

/** @returns the product after the save, the same as before if nothing changed */
async function save(
  before: Product,
  { product, skuRequests }: EditedProduct,
  { table }: Deps,
  audit: AuditContext,
): Promise<Product> {
  await checkMedia(before, product, table);
  const stored = await saveSellable(productShelf(skuRequests), before, product, table, audit);
  return stored ? product : before;
}

const pathOf = (id: string) => `/admin/products/${id}`;

/** The selling terms of a new product's SKUs. */
const requestedTerms = (skuRequests: readonly SkuRequest[]): Map<string, SellingTerms> =>
  new Map(skuRequests.map((request) => [request.sku, { ...usualTerms, ...request }]));

async function answer(product: Product, { table }: Deps): Promise<Answer<AdminProduct>> {
  const { stock } = await table.getMany({
    stock: product.variants.map(({ sku }) => at(Stocks, { sku })),
  });
  const terms = byName(stock, ({ sku }) => sku);
  return { data: adminProduct(product, terms), version: product.version };
}

export const routes = [
  listProducts,
  createProduct,
  getProduct,
  replaceProduct,
  changeProduct,
  deleteProduct,
];
