import { AppError } from "#shared/domain/request/app-error.ts";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import { edit, isUnchanged } from "#shared/application/edit.ts";
import { type Stock, countedStock } from "#shared/domain/catalog/stock.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { findStockOf } from "#shared/storage/catalog/sku-claims.ts";
import { is } from "#shared/storage/conditions.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { update } from "#shared/storage/writes.ts";

interface CountedUnits {
  /** Units on hand. */
  readonly set?: number | undefined;
  /** Units to add or, if negative, to remove. */
  readonly adjust?: number | undefined;
}

/**
 * Sets or adjusts the units on hand of a SKU.
 *
 * @param first the stock row, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `insufficient_stock`
 */
export async function adjustUnits(
  call: EditCall<CountedUnits & { readonly reason: string }, "sku">,
  first: Stock | undefined,
  table: Table,
): Promise<Stock> {
  const audit = auditContextOf(call);
  const { sku } = call.params;
  const readAgain = () => findStockOf(sku, table);
  return edit(first, readAgain, call.headers["if-match"], async (before) => {
    const after = counted(before, call.body, call.now);
    if (isUnchanged(before, after)) return before;
    const { version, on_hand, available, updated_at } = after;
    const set = { on_hand, available, version, updated_at };
    const target = { kind: "stock", id: sku, label: sku };
    await table.transact([
      update(Stocks, before, { set }, is("version", before.version)),
      recordActivity(audit, "inventory.adjust", target, {
        before: { on_hand: before.on_hand, available: before.available },
        after: { on_hand, available, reason: call.body.reason },
      }),
    ]);
    return after;
  });
}

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
