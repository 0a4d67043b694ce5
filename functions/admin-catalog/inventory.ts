import * as z from "zod";
import { InventoryRow, StockedItem, stockedItem } from "#shared/domain/listing/admin-rows.ts";
import { type Stock, countedStock } from "#shared/domain/catalog/stock.ts";
import { MachineText } from "#shared/domain/base/machine-text.ts";
import { LimitedString, Text } from "#shared/domain/base/text.ts";
import { edit, isUnchanged } from "#shared/application/edit.ts";
import { AppError, orNotFound } from "#shared/domain/request/app-error.ts";
import { ifMatch } from "#shared/http/one-record.ts";
import { NumberedMeta, NumberedPage } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { flag } from "#shared/http/query.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { Materials, Products, Stocks } from "#shared/storage/catalog/catalog.ts";
import { is } from "#shared/storage/conditions.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { update } from "#shared/storage/writes.ts";
import type { Deps } from "./deps.ts";
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
  first: (call, deps: Deps) => readStaffCatalog(call, deps),
  async handle({ query, first }, { table }) {
    const { q, low, page, per_page } = query;
    const { cards, total } = staffPage(first, "stock", {
      q,
      page,
      per_page,
      ...(q === undefined && { sort: "name" }),
      ...(low && { low: ["yes"] }),
    });
    const listed = cards.map((text) => StockedItem.parse(JSON.parse(text)));
    // The staff index lists the SKUs. It has no unit counts, so the stock rows of these SKUs are read from the table.
    const { rows } = await table.getMany({ rows: listed.map(({ sku }) => at(Stocks, { sku })) });
    const data = listed.flatMap((thing, position) => {
      const row = rows[position];
      return row ? [{ ...row, ...thing }] : [];
    });
    return { data, ...pageEnvelope(`${apiPrefix}/admin/inventory`, query, total) };
  },
});

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
      .meta({ description: "Units to add; a negative number removes units" }),
    reason: Text(200).meta({ description: "Stored in the activity log" }),
  })
  .refine(hasOneCount, { ...oneCount, path: ["set"] })
  .refine(hasOneCount, { ...oneCount, path: ["adjust"] });

type CountedUnits = Pick<z.output<typeof StockCountInput>, "set" | "adjust">;

export const adjustStock = route({
  method: "PATCH",
  path: "/admin/inventory/{sku}",
  summary: "Adjust stock",
  description:
    "Records a count, a delivery or a loss. Send exactly one of `set`, the units on hand, " +
    "and `adjust`, the units added or removed. Returns 409 if fewer units would remain than are " +
    "reserved for orders.",
  access: staff("inventory.adjust"),
  request: {
    params: z.object({ sku: MachineText(80) }),
    body: StockCountInput.meta({ example: { adjust: 12, reason: "Delivery from the workshop" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: InventoryRow },
  errors: ["insufficient_stock", "version_mismatch"],
  first: ({ params }, { table }: Deps) => table.get(Stocks, params),
  async handle(call, { table }) {
    const audit = auditContextOf(call);
    const readAgain = () => table.get(Stocks, call.params);
    const row = await edit(call.first, readAgain, call.headers["if-match"], async (before) => {
      const after = counted(before, call.body, call.now);
      if (isUnchanged(before, after)) return before;
      const { sku, version, on_hand, available, updated_at } = after;
      const set = { on_hand, available, version, updated_at };
      const target = { kind: "stock", id: sku, label: sku };
      await table.transact([
        update(Stocks, { sku }, { set }, is("version", before.version)),
        recordActivity(audit, "inventory.adjust", target, {
          before: { on_hand: before.on_hand, available: before.available },
          after: { on_hand, available, reason: call.body.reason },
        }),
      ]);
      return after;
    });
    return { data: { ...row, ...(await thingOf(row, table)) }, version: row.version };
  },
});

/** @throws AppError `insufficient_stock` when fewer units would remain than are reserved */
function counted(row: Stock, { set, adjust = 0 }: CountedUnits, now: Date): Stock {
  const on_hand = countedStock(row, set === undefined ? { adjust } : { set });
  if (on_hand === null) {
    throw new AppError("insufficient_stock", {
      message: `There are ${row.on_hand} units on hand. At least ${row.reserved} must remain, because they are reserved for orders.`,
      details: { on_hand: row.on_hand, reserved: row.reserved },
    });
  }
  return {
    ...row,
    on_hand,
    available: on_hand - row.reserved,
    version: row.version + 1,
    updated_at: now.toISOString(),
  };
}

async function thingOf(row: Stock, table: Table): Promise<StockedItem> {
  const { id, kind } = row.owner;
  const { products, materials } = await table.getMany({
    products: kind === "product" ? [at(Products, { id })] : [],
    materials: kind === "swatch" ? [at(Materials, { id })] : [],
  });
  return orNotFound(stockedItem(row, products[0], materials[0]));
}

export const routes = [listInventory, adjustStock];
