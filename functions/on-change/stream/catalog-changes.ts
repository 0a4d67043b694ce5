import { isDeepStrictEqual } from "node:util";
import { countedQuantity } from "#shared/domain/catalog/availability.ts";
import { type Stock, isLow, stockState } from "#shared/domain/catalog/stock.ts";
import { stockTally } from "#shared/domain/metrics/enquiry-metrics.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { type ItemChange, imageOf } from "#shared/storage/stream.ts";
import type {
  CatalogChange,
  MarketingChange,
  MetricChange,
  StaffChange,
} from "#shared/queues/queue-messages.ts";

const stocksIn = ({ before, after }: ItemChange) =>
  [imageOf(Stocks, before), imageOf(Stocks, after)] as const;

/**
 * Returns the stock's product if the stock state has changed, or the number of units that cards show while stock is
 * low. Cards show nothing else of the stock.
 */
export function cardStock(change: ItemChange): CatalogChange | undefined {
  const [before, after] = stocksIn(change);
  const owner = (after ?? before)?.owner;
  if (owner?.kind !== "product") return undefined;
  const state = (row: Stock | undefined) => row && stockState(row);
  const isSame =
    state(before) === state(after) && countedQuantity(before) === countedQuantity(after);
  return isSame ? undefined : { kind: "product", slug: owner.slug };
}

/**
 * Returns the stock if staff lists show it differently: they show its owner and whether stock is low, and read the unit
 * count from the table.
 */
export function lowStock(change: ItemChange): StaffChange | undefined {
  const shown = (row: Stock | undefined) => row && [isLow(row), row.owner];
  const [before, after] = stocksIn(change);
  const [, id = ""] = change.pk.split("#");
  return isDeepStrictEqual(shown(before), shown(after)) ? undefined : { kind: "stock", id };
}

/** Returns the stock if it counts differently in the metrics. */
export function metricStock(change: ItemChange): MetricChange | undefined {
  const [before, after] = stocksIn(change);
  const isSame = isDeepStrictEqual(stockTally(before), stockTally(after));
  const item = change.after ?? change.before;
  return isSame ? undefined : { kind: "stock", id: String(item?.["id"]) };
}

/** Returns the stock's product if more units are available. */
export function moreStock(change: ItemChange): MarketingChange | undefined {
  const [was, is] = stocksIn(change);
  const isMore = is && is.available > 0 && is.available > (was?.available ?? 0);
  return isMore && is.owner.kind === "product" ? { kind: "stock", id: is.owner.id } : undefined;
}

/** Returns a product that is no longer offered, or that is published with other variants, such as other prices. */
export function offeredProduct({ before, after }: ItemChange): MarketingChange | undefined {
  const id = String((after ?? before)?.["id"]);
  const [was, is] = [before?.["status"], after?.["status"]];
  const isArchived = is === "archived" && was !== "archived";
  if (after === undefined || isArchived) return { kind: "discontinued", id };
  const isSame = was === "published" && isDeepStrictEqual(before?.["variants"], after["variants"]);
  return is === "published" && !isSame ? { kind: "price", id } : undefined;
}
