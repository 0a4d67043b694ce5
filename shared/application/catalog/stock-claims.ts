import {
  type SellingTerms,
  type Stock,
  type StockOwner,
  newStock,
  usualTerms,
} from "#shared/domain/catalog/stock.ts";
import type { Variant } from "#shared/domain/catalog/product.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { DroppedSkus, Stocks } from "#shared/storage/catalog/catalog.ts";
import { every, is, isNew } from "#shared/storage/conditions.ts";
import { type TransactionWrite, type Write, put, remove, update } from "#shared/storage/writes.ts";

/**
 * A SKU that a product or material requests. Selling terms that the request leaves out keep their values; for a new SKU
 * they get their defaults.
 */
export interface SkuRequest extends Partial<SellingTerms> {
  readonly sku: string;
  readonly variant_id: string | null;
  /** The path of the SKU in the request body, such as `variants.0.sku`. */
  readonly path: string;
}

/** The SKUs that a product requests for its variants. */
export const skuRequestsOf = (variants: readonly Variant[]): SkuRequest[] =>
  variants.map(({ sku, id }, position) => ({
    sku,
    variant_id: id,
    path: `variants.${position}.sku`,
  }));

/**
 * Claims and releases SKUs. A SKU has one stock row, which is also the claim to it, so no two records can own the same
 * SKU. The row of a dropped SKU is deleted if it counts no units. Otherwise the row stays, because units are still in
 * stock or reserved, and the owner may use the SKU again.
 *
 * @param rows the stock rows of all SKUs in `before` and `after`
 * @throws AppError `already_exists` when another record owns a SKU
 */
export function claimSkus(
  owner: Omit<StockOwner, "variant_id">,
  { before, after }: { before: readonly string[]; after: readonly SkuRequest[] },
  rows: ReadonlyMap<string, Stock>,
  now: Date,
): TransactionWrite[] {
  const kept = new Set(after.map(({ sku }) => sku));
  return [
    ...after.flatMap((request) => claimSku(owner, request, rows.get(request.sku), now)),
    ...before.flatMap((sku) => (kept.has(sku) ? [] : dropSku(rows.get(sku)))),
  ];
}

function claimSku(
  { kind, id, slug }: Omit<StockOwner, "variant_id">,
  { sku, variant_id, path, ...wished }: SkuRequest,
  row: Stock | undefined,
  now: Date,
): TransactionWrite[] {
  const owner: StockOwner = { kind, id, slug, variant_id };
  const terms = claimedTerms(wished, row);
  const taken = () =>
    new AppError("already_exists", {
      message: `Another product or material already has the SKU ${sku}.`,
      details: { path, sku },
    });
  if (!row)
    return [{ write: put(Stocks, newStock(sku, owner, terms, now), isNew), refused: taken }];
  if (row.owner.kind !== kind || row.owner.id !== id) throw taken();
  const isTrue =
    row.owner.slug === slug &&
    row.owner.variant_id === variant_id &&
    row.policy === terms.policy &&
    row.low_stock_threshold === terms.low_stock_threshold;
  if (isTrue) return [];
  const set = { owner, ...terms, updated_at: now.toISOString() };
  return [update(Stocks, { sku }, { set, add: { version: 1 } }, is("owner.id", id))];
}

/** The selling terms of a SKU after it was claimed. */
export function claimedTerms(
  requested: Partial<SellingTerms>,
  row: SellingTerms | undefined,
): SellingTerms {
  const { policy, low_stock_threshold } = row ?? usualTerms;
  return {
    policy: requested.policy ?? policy,
    low_stock_threshold: requested.low_stock_threshold ?? low_stock_threshold,
  };
}

const isEmpty = ({ on_hand, reserved }: Stock) => on_hand === 0 && reserved === 0;

function dropSku(row: Stock | undefined): Write[] {
  if (!row) return [];
  if (!isEmpty(row)) return [put(DroppedSkus, { sku: row.sku })];
  return [remove(Stocks, { sku: row.sku }, every(is("on_hand", 0), is("reserved", 0)))];
}

/**
 * Deletes the stock rows of a record that is deleted permanently.
 *
 * @throws AppError `in_use` when units are in stock or reserved
 */
export function dropSkus(rows: Iterable<Stock>): Write[] {
  return [...rows].flatMap((row) => {
    if (isEmpty(row)) return dropSku(row);
    throw new AppError("in_use", {
      message: `There is still stock of ${row.sku}. Set it to 0 first.`,
      details: {
        sku: row.sku,
        on_hand: row.on_hand,
        reserved: row.reserved,
        used_by: [{ kind: "stock", id: row.sku, label: row.sku }],
      },
    });
  });
}
