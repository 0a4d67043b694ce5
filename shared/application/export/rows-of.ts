import type { IndexSource } from "#shared/domain/listing/index-pointer.ts";
import type { ExportedPart } from "#shared/domain/export/export.ts";
import { exportRow } from "#shared/domain/export/exported-records.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { openMediaLibrary } from "#shared/storage/upload/media.ts";
import { openOrders, type OrderStore } from "#shared/storage/order/orders.ts";
import { SettingsRows, savedOrDefault } from "#shared/storage/settings/settings.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { catalogRows } from "./catalog-rows.ts";
import { contentRows } from "./content-rows.ts";
import { type ReadPortion, inOnePortion, byPages } from "./portions.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { totalsNow } from "#shared/domain/order/view/order-view.ts";
import { everyOrder } from "#shared/storage/order/order-lists.ts";

const mediaAtOnce = 50;

export interface RowSources {
  table: Table;
  staffIndexSource: IndexSource;
  now(): Date;
}

/** Reads the rows of one export part, portion by portion. */
export function exportRows(part: ExportedPart, sources: RowSources): ReadPortion {
  const { table, staffIndexSource: staffIndex } = sources;
  switch (part) {
    case "content":
      return contentRows(table);
    case "catalog":
      return catalogRows(table, staffIndex);
    case "orders":
      return orderRows(table, openOrders(table));
    case "media":
      return mediaRows(sources);
    case "settings":
      return settingRows(table);
  }
}

/** The records of the media library, without the files. */
function mediaRows({ table, now }: RowSources): ReadPortion {
  const library = openMediaLibrary(table, now);
  return byPages(async (after) => {
    const { records, next } = await library.list({ limit: mediaAtOnce, after });
    const usesOf = await library.usesOfPage(records);
    const rows = records.map((item) =>
      exportRow("media", "media", { ...item, used_in: usesOf(item.id) }),
    );
    return { rows, next };
  });
}

/** The current settings of every group; secrets are in rows that are not read here. */
const settingRows = (table: Table): ReadPortion =>
  inOnePortion(async () => {
    const { rows } = await table.getMany({
      rows: settingsGroupNames.map((group) => at(SettingsRows, { group })),
    });
    return settingsGroupNames.map((group, position) =>
      exportRow("settings", "settings", {
        group,
        version: rows[position]?.version ?? 0,
        value: savedOrDefault(group, rows[position]),
      }),
    );
  });

const ordersAtOnce = 50;

/**
 * Every order with its rows, oldest first. An index lists the orders; the content of each order is read from its
 * partition.
 */
const orderRows = (table: Table, orders: OrderStore): ReadPortion =>
  byPages(async (after) => {
    const { records, next } = await everyOrder(table, { limit: ordersAtOnce, after });
    const found = await Promise.all(records.map(({ id }) => orders.find(id)));
    return { rows: found.flatMap((record) => (record ? [rowOf(record)] : [])), next };
  });

const rowOf = ({ order, rows }: OrderRecord) =>
  exportRow("orders", "order", { ...order, ...rows, totals: totalsNow(order) });
