import * as z from "zod";
import type { Product } from "#shared/domain/product.ts";
import { StaffProduct, staffProduct } from "#shared/domain/staff-product.ts";
import { StaffProductRow } from "#shared/domain/staff-row.ts";
import { createOnce, creationHeaders } from "#shared/http/create-once.ts";
import { edit, found } from "#shared/http/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { NumberedMeta } from "#shared/http/paging.ts";
import { type Answer, apiPrefix, route, staff } from "#shared/http/route.ts";
import { doingOf } from "#shared/http/staff-call.ts";
import type { Doing } from "#shared/storage/activity.ts";
import { Products, Stocks } from "#shared/storage/catalog.ts";
import { byName } from "#shared/storage/live-facts.ts";
import { at } from "#shared/storage/table.ts";
import { checkMedia } from "./attached-media.ts";
import type { Deps } from "./deps.ts";
import {
  type EditedProduct,
  ProductInput,
  ProductPatch,
  changedProduct,
  newProduct,
} from "./product-input.ts";
import { productShelf } from "./product-shelf.ts";
import { deletion } from "./deletion.ts";
import { saveSellable } from "./save-sellable.ts";
import { SellableListQuery, answerStaffList } from "./staff-list.ts";

export const listProducts = route({
  method: "GET",
  path: "/admin/products",
  summary: "All products, drafts included",
  access: staff("catalog.view"),
  request: { query: SellableListQuery },
  response: { status: 200, data: z.array(StaffProductRow), meta: NumberedMeta, links: true },
  first: (_call, { view }: Deps) => view.current(),
  handle: async ({ query, first }) =>
    answerStaffList(first, "product", `${apiPrefix}/admin/products`, query),
});

export const createProduct = route({
  method: "POST",
  path: "/admin/products",
  summary: "Add a product",
  description: "With `status: published` it is public within seconds.",
  access: staff("catalog.edit"),
  request: { body: ProductInput },
  response: { status: 201, data: StaffProduct },
  errors: ["already_exists"],
  idempotent: true,
  async handle(call, deps: Deps) {
    const { store } = await deps.settings.current();
    const { product, wishes } = newProduct(call.body, store.currency, call.now);
    const made = await createOnce(
      "POST /admin/products",
      call,
      deps.table,
      product.id,
      async (binding) => {
        await checkMedia(undefined, product, deps.table);
        const shelf = productShelf(wishes);
        await saveSellable(shelf, undefined, product, deps.table, doingOf(call), binding);
      },
    );
    const stored = made.replayed ? found(await deps.table.get(Products, made)) : product;
    const headers = creationHeaders(`${apiPrefix}/admin/products`, made);
    return { ...(await answer(stored, deps)), headers };
  },
});

export const getProduct = route({
  method: "GET",
  path: "/admin/products/{id}",
  summary: "A product as staff edit it",
  access: staff("catalog.view"),
  request: { params: byId },
  response: { status: 200, data: StaffProduct },
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  handle: async ({ first }, deps) => answer(found(first), deps),
});

export const replaceProduct = route({
  method: "PUT",
  path: "/admin/products/{id}",
  summary: "Replace a product",
  description:
    "A published product changes before the public's eyes. A new slug leaves a redirect behind.",
  access: staff("catalog.edit"),
  request: { params: byId, body: ProductInput, headers: ifMatch },
  response: { status: 200, data: StaffProduct },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  async handle(call, deps) {
    const expected = call.headers["if-match"] ?? found(call.first).version;
    return answer(await editProduct(call, expected, deps, doingOf(call)), deps);
  },
});

export const changeProduct = route({
  method: "PATCH",
  path: "/admin/products/{id}",
  summary: "Change members of a product",
  access: staff("catalog.edit"),
  request: { params: byId, body: ProductPatch, headers: ifMatch },
  response: { status: 200, data: StaffProduct },
  errors: ["already_exists", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  handle: async (call, deps) =>
    answer(await editProduct(call, call.headers["if-match"], deps, doingOf(call)), deps),
});

export const deleteProduct = route({
  ...deletion("product"),
  path: "/admin/products/{id}",
  first: ({ params }, { table }: Deps) => table.get(Products, params),
  async handle(call, deps: Deps) {
    const doing = doingOf(call);
    const readAgain = () => deps.table.get(Products, call.params);
    await edit(call.first, readAgain, call.headers["if-match"], async (before) => {
      if (before.published_at === null) {
        await saveSellable(productShelf([]), before, undefined, deps.table, doing);
      } else if (before.status !== "archived") {
        await save(before, changedProduct(before, { status: "archived" }, call.now), deps, doing);
      }
    });
  },
});

async function editProduct(
  call: { first: Product | undefined; params: { id: string }; body: z.output<typeof ProductPatch> },
  expected: number | undefined,
  deps: Deps,
  doing: Doing,
): Promise<Product> {
  const readAgain = () => deps.table.get(Products, call.params);
  return edit(call.first, readAgain, expected, (before) =>
    save(before, changedProduct(before, call.body, doing.now), deps, doing),
  );
}

async function save(
  before: Product | undefined,
  { product, wishes }: EditedProduct,
  { table }: Deps,
  doing: Doing,
): Promise<Product> {
  await checkMedia(before, product, table);
  await saveSellable(productShelf(wishes), before, product, table, doing);
  return product;
}

async function answer(product: Product, { table }: Deps): Promise<Answer<StaffProduct>> {
  const { stock } = await table.getMany({
    stock: product.variants.map(({ sku }) => at(Stocks, { sku })),
  });
  const terms = byName(stock, ({ sku }) => sku);
  return { data: staffProduct(product, terms), version: product.version };
}
