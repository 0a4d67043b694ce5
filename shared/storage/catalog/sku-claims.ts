import type { Stock, StockOwner } from "../../domain/catalog/stock.ts";
import { either, is, isNew } from "../conditions.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";
import { SkuClaims, Stocks } from "./catalog.ts";

/** Lets a SKU name this stock. The write is refused if the SKU names the stock of another owner. */
export const claimSku = (sku: string, stock_id: string, owner: StockOwner): Write =>
  put(SkuClaims, { sku, stock_id, owner }, either(isNew, is("owner.id", owner.id)));

export const freeSku = (sku: string): Write => remove(SkuClaims, { sku });

/** The stock that a SKU names. */
export async function findStockOf(
  sku: string,
  table: Pick<Table, "get">,
): Promise<Stock | undefined> {
  const claim = await table.get(SkuClaims, { sku });
  return claim && table.get(Stocks, { id: claim.stock_id });
}
