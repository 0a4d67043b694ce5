import {
  AppError,
  keyRequired,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import { type Answered, type CreatingCall, type Once, once } from "#shared/application/once.ts";
import { type Stock, countedStock } from "#shared/domain/catalog/stock.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { findStockOf } from "#shared/storage/catalog/sku-claims.ts";
import { is } from "#shared/storage/conditions.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, update } from "#shared/storage/writes.ts";

interface CountedUnits {
  /** Units on hand. */
  readonly set?: number | undefined;
  /** Units to add or, if negative, to remove. */
  readonly adjust?: number | undefined;
}

/**
 * Sets or adjusts the units on hand of a SKU, once per idempotency key. A repeated request gets the first response.
 *
 * @param first the stock row, as the request has read it
 * @param shown the data of the response for the row
 * @throws AppError `not_found`, `version_mismatch`, `insufficient_stock`, `idempotency_key_reused`, and
 *   `validation_failed` for a difference without a key
 */
export async function adjustUnits<Data>(
  call: EditCall<CountedUnits & { readonly reason: string }, "sku"> & CreatingCall,
  first: Stock | undefined,
  table: Table,
  shown: (row: Stock) => Promise<Data>,
): Promise<Once<Answered<Data>>> {
  const { body, now } = call;
  const { sku } = call.params;
  if (body.adjust !== undefined && call.idempotencyKey === null) throw keyRequired();
  const known = { first, again: () => findStockOf(sku, table) };
  const adjustment = {
    route: `PATCH /admin/inventory/${sku}`,
    id: sku,
    known,
    replay: "answer",
  } as const;
  return once<Answered<Data>, Stock | undefined>(adjustment, call, table, async (bind, read) => {
    const before = orNotFound(read);
    requireVersion(call.headers["if-match"], before.version);
    const changed = counted(before, body, now);
    const after = isUnchanged(before, changed) ? before : changed;
    const answer = { data: await shown(after), version: after.version };
    const change = after === before ? [] : changeOf(before, after, call);
    // A count that changes nothing binds its key too: its repeat must not undo what was adjusted meanwhile.
    const writes = [...change, ...bind(answer)];
    if (writes.length > 0) await table.transact(writes);
    return answer;
  });
}

function changeOf(
  before: Stock,
  after: Stock,
  call: EditCall<{ readonly reason: string }, "sku">,
): Write[] {
  const { version, on_hand, available, updated_at } = after;
  const { sku } = call.params;
  const target = { kind: "stock", id: sku, label: sku };
  return [
    update(
      Stocks,
      before,
      { set: { on_hand, available, version, updated_at } },
      is("version", before.version),
    ),
    recordActivity(auditContextOf(call), "inventory.adjust", target, {
      before: { on_hand: before.on_hand, available: before.available },
      after: { on_hand, available, reason: call.body.reason },
    }),
  ];
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
