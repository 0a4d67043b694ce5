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

type Owner = Omit<StockOwner, "variant_id">;

/**
 * Claims and releases SKUs. A SKU has one stock row, which is also the claim to it, so no two records can own the same
 * SKU. Units belong to the variant: if its SKU changes, they move to the row of the new one, and the old SKU is free. The
 * row of a dropped SKU is deleted if it counts no units. Otherwise the row stays, because units are still in stock or
 * reserved, and the owner may use the SKU again.
 *
 * @param after the SKUs that the owner will have
 * @param rows the stock rows of all SKUs that the owner has or will have
 * @throws AppError `already_exists` when another record owns a SKU, `in_use` when a variant with reserved units would
 *   get another SKU, or one without its units
 */
export function claimSkus(
  owner: Owner,
  after: readonly SkuRequest[],
  rows: ReadonlyMap<string, Stock>,
  now: Date,
): TransactionWrite[] {
  const own = [...rows.values()].filter((row) => owns(owner, row));
  const byVariant = new Map(own.map((row) => [row.owner.variant_id, row]));
  const requested = new Set(after.map(({ variant_id }) => variant_id));
  const isFree = (row: Stock) => !requested.has(row.owner.variant_id);
  const kept = new Set(after.map(({ sku }) => sku));
  return [
    ...after.flatMap((request) => {
      const target = rows.get(request.sku);
      if (target && !owns(owner, target)) throw takenSku(request);
      const again = target && isFree(target) ? target : undefined;
      const source = byVariant.get(request.variant_id) ?? again;
      if (again && again !== source && !isEmpty(again)) throw stillCounted(again);
      return claimSku(owner, request, { source, target }, now);
    }),
    ...own.flatMap((row) => {
      if (kept.has(row.sku)) return [];
      const isMoved = !isFree(row);
      return isMoved
        ? [remove(Stocks, { sku: row.sku }, is("version", row.version))]
        : dropSku(row);
    }),
  ];
}

const owns = ({ kind, id }: Owner, { owner }: Stock): boolean =>
  owner.kind === kind && owner.id === id;

const takenSku = ({ path, sku }: SkuRequest): AppError =>
  new AppError("already_exists", {
    message: `Another product or material already has the SKU ${sku}.`,
    details: { path, sku },
  });

/** @param rows the row that counts the variant's units, and the row that the SKU has now */
function claimSku(
  { kind, id, slug }: Owner,
  request: SkuRequest,
  { source, target }: { source: Stock | undefined; target: Stock | undefined },
  now: Date,
): TransactionWrite[] {
  const { sku, variant_id, path: _path, ...wished } = request;
  const owner: StockOwner = { kind, id, slug, variant_id };
  const terms = claimedTerms(wished, source);
  if (source?.sku === sku) {
    const isTrue =
      source.owner.slug === slug &&
      source.owner.variant_id === variant_id &&
      source.policy === terms.policy &&
      source.low_stock_threshold === terms.low_stock_threshold;
    if (isTrue) return [];
    const set = { owner, ...terms, updated_at: now.toISOString() };
    return [update(Stocks, { sku }, { set, add: { version: 1 } }, is("owner.id", id))];
  }
  // Open orders name the units that they reserve by SKU.
  if (source && source.reserved > 0) throw stillCounted(source);
  const fresh = newStock(sku, owner, terms, now);
  const version = Math.max(source?.version ?? 0, target?.version ?? 0) + 1;
  const row = { ...fresh, ...(source && unitsOf(source)), version };
  const write = put(Stocks, row, target ? is("version", target.version) : isNew);
  return [{ write, refused: () => takenSku(request) }];
}

const unitsOf = ({ on_hand, reserved, available }: Stock) => ({ on_hand, reserved, available });

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

function dropSku(row: Stock): Write[] {
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
    throw stillCounted(row);
  });
}

const stillCounted = ({ sku, on_hand, reserved }: Stock): AppError =>
  new AppError("in_use", {
    message:
      reserved > 0
        ? `Units of ${sku} are reserved for open orders. Ship or cancel them first.`
        : `There is still stock of ${sku}. Set it to 0 first.`,
    details: { sku, on_hand, reserved, used_by: [{ kind: "stock", id: sku, label: sku }] },
  });
