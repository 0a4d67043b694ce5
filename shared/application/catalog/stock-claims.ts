import {
  type SellingTerms,
  type Stock,
  type StockOwner,
  newStock,
  usualTerms,
} from "#shared/domain/catalog/stock.ts";
import type { Variant } from "#shared/domain/catalog/product.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { claimSku, freeSku } from "#shared/storage/catalog/sku-claims.ts";
import { every, is } from "#shared/storage/conditions.ts";
import { type TransactionWrite, type Write, remove, update } from "#shared/storage/writes.ts";

/** A SKU, and the id of the stock that it names. */
export interface NamedStock {
  readonly sku: string;
  readonly stock_id: string;
}

/**
 * A SKU that a product or material requests. Selling terms that the request leaves out keep their values; for a new
 * variant or sample they get their defaults.
 */
export interface SkuRequest extends NamedStock, Partial<SellingTerms> {
  /** The path of the SKU in the request body, such as `variants.0.sku`. */
  readonly path: string;
}

/** The SKUs that a product requests for its variants. */
export const skuRequestsOf = (variants: readonly Variant[]): SkuRequest[] =>
  variants.map(({ sku, id }, position) => ({
    sku,
    stock_id: id,
    path: `variants.${position}.sku`,
  }));

export interface StockWrites {
  /** The first stock rows of new variants. Nothing refers to them before the other writes. */
  readonly added: readonly Stock[];
  readonly others: readonly TransactionWrite[];
}

/**
 * Brings the SKUs and stock rows of a product or material up to date. A SKU only names stock: if it changes, the units
 * stay where they are, and the old SKU is free. No two records can have the same SKU.
 *
 * @param before the SKUs that the owner has
 * @param after the SKUs that the owner will have
 * @param rows the existing stock rows of both, by id
 * @throws AppError `in_use` when a variant or sample with units is left out. The writes throw `already_exists` when
 *   another record has a SKU
 */
export function stockWrites(
  owner: StockOwner,
  { before, after }: { before: readonly NamedStock[]; after: readonly SkuRequest[] },
  rows: ReadonlyMap<string, Stock>,
  now: Date,
): StockWrites {
  const [skus, ids] = [
    new Set(after.map(({ sku }) => sku)),
    new Set(after.map(({ stock_id }) => stock_id)),
  ];
  const named = new Map(before.map(({ sku, stock_id }) => [sku, stock_id]));
  const known = new Set(named.values());
  return {
    added: after.flatMap((request) =>
      rows.has(request.stock_id) || known.has(request.stock_id)
        ? []
        : newStock(request.stock_id, owner, claimedTerms(request, undefined), now),
    ),
    others: [
      ...before.flatMap((stock) => [
        ...(skus.has(stock.sku) ? [] : [freeSku(stock.sku)]),
        ...(ids.has(stock.stock_id) ? [] : removeStock(stock, rows.get(stock.stock_id))),
      ]),
      ...after.flatMap((request) => [
        ...(named.get(request.sku) === request.stock_id ? [] : [claimed(owner, request)]),
        ...changedStock(owner, request, rows.get(request.stock_id), now),
      ]),
    ],
  };
}

const claimed = (owner: StockOwner, { sku, stock_id, path }: SkuRequest): TransactionWrite => ({
  write: claimSku(sku, stock_id, owner),
  refused: () =>
    new AppError("already_exists", {
      message: `Another product or material already has the SKU ${sku}.`,
      details: { path, sku },
    }),
});

function changedStock(
  owner: StockOwner,
  request: SkuRequest,
  row: Stock | undefined,
  now: Date,
): Write[] {
  if (!row) return [];
  const terms = claimedTerms(request, row);
  const isTrue =
    row.owner.slug === owner.slug &&
    row.policy === terms.policy &&
    row.low_stock_threshold === terms.low_stock_threshold;
  if (isTrue) return [];
  const set = { owner, ...terms, updated_at: now.toISOString() };
  return [update(Stocks, row, { set, add: { version: 1 } }, is("owner.id", owner.id))];
}

/** The selling terms of a variant or sample after an edit. */
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

function removeStock({ sku }: NamedStock, row: Stock | undefined): Write[] {
  if (!row) return [];
  const { on_hand, reserved } = row;
  if (on_hand === 0 && reserved === 0) {
    return [remove(Stocks, row, every(is("on_hand", 0), is("reserved", 0)))];
  }
  throw new AppError("in_use", {
    message:
      `${sku} has ${on_hand} units on hand, and ${reserved} are reserved for open orders. ` +
      "Before it can be removed, ship or cancel the orders and set its stock to 0. " +
      "To give a variant another SKU, send its id.",
    details: { sku, on_hand, reserved, used_by: [{ kind: "stock", id: sku, label: sku }] },
  });
}
