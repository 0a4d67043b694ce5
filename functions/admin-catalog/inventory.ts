import type { Shop } from "#shared/application/shop.ts";
import { MachineText } from "#shared/domain/base/machine-text.ts";
import { adjustUnits } from "#shared/application/catalog/adjust-units.ts";
import * as z from "zod";
import {
  InventoryRow,
  StockedItem,
  stockOf,
  stockedItem,
} from "#shared/domain/listing/admin-rows.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { LimitedString, Text } from "#shared/domain/base/text.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { NumberedMeta, NumberedPage } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { flag } from "#shared/http/query.ts";
import { Materials, Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { findStockOf } from "#shared/storage/catalog/sku-claims.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { pageEnvelope, readStaffCatalog, staffPage } from "./staff-list.ts";

export const listInventory = route({
  method: "GET",
  path: "/admin/inventory",
  summary: "List stock by SKU",
  description:
    "Returns the available and reserved units of each SKU, with its product or material.",
  access: staff("inventory.view"),
  request: {
    query: NumberedPage.extend({
      q: LimitedString(200).trim().min(1).optional().meta({
        description:
          "Words of a SKU, product or variant name (typos are tolerated), or the beginning of a SKU",
      }),
      low: flag
        .optional()
        .meta({ description: "`true` lists only SKUs at or below their low-stock threshold" }),
    }),
  },
  response: { status: 200, data: z.array(InventoryRow), meta: NumberedMeta, links: true },
  first: (call, shop: Shop<"table" | "staffIndexReader" | "searchSettings">) =>
    readStaffCatalog(call, shop),
  async handle({ query, first }, { table }) {
    const { q, low, page, per_page } = query;
    const { cards, total } = staffPage(first, "stock", {
      q,
      page,
      per_page,
      ...(q === undefined && { sort: "name" }),
      ...(low && { low: ["yes"] }),
    });
    const data = await stockRowsOf(cards, table);
    return { data, ...pageEnvelope(`${apiPrefix}/admin/inventory`, query, total) };
  },
});

/** The staff index lists the SKUs without unit counts. So the stock rows are read from the table. */
async function stockRowsOf(cards: readonly string[], table: Table) {
  const listed = cards.map((text) => StockedItem.parse(JSON.parse(text)));
  const { rows } = await table.getMany({ rows: listed.map((item) => at(Stocks, stockOf(item))) });
  return listed.flatMap((thing, position) => {
    const row = rows[position];
    return row ? [{ ...row, ...thing }] : [];
  });
}

/**
 * A body has exactly one of `set` and `adjust`. This is checked even if another member is invalid, so that one response
 * reports all errors.
 */
const oneCount = {
  message: "Send exactly one of set and adjust.",
  when: ({ value }: z.core.ParsePayload) => typeof value === "object" && value !== null,
};
const hasOneCount = ({ set, adjust }: { set?: unknown; adjust?: unknown }) =>
  (set === undefined) !== (adjust === undefined);

const StockCountInput = z
  .strictObject({
    set: z.int().min(0).max(1_000_000).optional().meta({ description: "Units on hand" }),
    adjust: z
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .optional()
      .meta({ description: "A negative number removes units" }),
    reason: Text(200).meta({ description: "Stored in the activity log" }),
  })
  .refine(hasOneCount, { ...oneCount, path: ["set"] })
  .refine(hasOneCount, { ...oneCount, path: ["adjust"] });

export const adjustStock = route({
  method: "PATCH",
  path: "/admin/inventory/{sku}",
  summary: "Adjust stock",
  description:
    "Send either `set`, the units on hand, or `adjust`, the units to add, which requires an " +
    "`Idempotency-Key`. Returns 409 if fewer units would remain than are reserved.",
  access: staff("inventory.adjust"),
  idempotent: true,
  request: {
    params: z.object({ sku: MachineText(80) }),
    body: StockCountInput.meta({ example: { adjust: 12, reason: "Delivery from the workshop" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: InventoryRow },
  errors: ["insufficient_stock", "version_mismatch"],
  first: ({ params: { sku } }, { table }: Shop<"table">) => findStockOf(sku, table),
  handle: (call, { table }) =>
    adjustUnits(call, call.first, table, async (row) => ({
      ...row,
      ...(await thingOf(row, table)),
    })),
});

async function thingOf(row: Stock, table: Table): Promise<StockedItem> {
  const { id, kind } = row.owner;
  const { products, materials } = await table.getMany({
    products: kind === "product" ? [at(Products, { id })] : [],
    materials: kind === "swatch" ? [at(Materials, { id })] : [],
  });
  return orNotFound(stockedItem(row, products[0], materials[0]));
}

export const routes = [listInventory, adjustStock];
