import { insufficientStock } from "#shared/application/checkout/final-pricing.ts";
import { draftLines, invalidItems } from "#shared/application/cart/draft-lines.ts";
import type { NewLine } from "#shared/domain/cart/cart-input.ts";
import { resolveLine } from "#shared/domain/cart/cart-lines.ts";
import { shortageOf } from "#shared/domain/cart/cart-view.ts";
import { stockIdOf } from "#shared/domain/catalog/stock-id.ts";
import { type Stock, canChange } from "#shared/domain/catalog/stock.ts";
import { orderItem } from "#shared/domain/checkout/order-from-cart.ts";
import type { AddedUnits } from "#shared/domain/order/change-input.ts";
import type { OrderChange } from "#shared/domain/order/order-change.ts";
import type { OrderItem, StoredOrder } from "#shared/domain/order/order.ts";
import type { PricedLine } from "#shared/domain/pricing/priced-line.ts";
import { priceLine } from "#shared/domain/pricing/totals.ts";
import type { AppError, FieldErrors } from "#shared/domain/request/app-error.ts";
import type { TaxSettings } from "#shared/domain/settings/tax-settings.ts";
import { factReads, readCatalogFacts } from "#shared/storage/catalog/published-facts.ts";
import type { Table } from "#shared/storage/table.ts";

/** Lines that a change adds, and the stock as it was read with them. */
export interface AddedLines {
  readonly items: readonly OrderItem[];
  /** The lines as the catalog prices them. */
  readonly priced: readonly PricedLine[];
  readonly stock: ReadonlyMap<string, Stock>;
}

interface Adding {
  readonly order: Pick<StoredOrder, "addresses" | "currency">;
  readonly tax: TaxSettings;
  /** Id of the change. */
  readonly id: string;
  readonly now: Date;
}

/**
 * Prices the lines that a change adds by the catalog and the taxes of the day, at the order's address.
 *
 * @throws AppError `validation_failed` naming every item that cannot be bought
 */
export async function addedLines(
  { getMany }: Pick<Table, "getMany">,
  add: readonly AddedUnits[],
  { order, tax, id, now }: Adding,
): Promise<AddedLines> {
  if (add.length === 0) return { items: [], priced: [], stock: new Map() };
  const drafts = await draftLines(getMany, [], add.map(newLineOf), { now, under: "add" });
  const stored = drafts.map(({ line }) => line);
  const facts = await readCatalogFacts(getMany, stored, await getMany(factReads(stored)));
  const resolved = stored.map((line) =>
    resolveLine(line, facts, { now, currency: order.currency }),
  );
  const errors: FieldErrors = Object.fromEntries(
    resolved.flatMap(({ requirement }, index) => {
      const member = add[index]?.sku === undefined ? "sofa" : "sku";
      return requirement ? [[`add.${index}.${member}`, [requirement.message]]] : [];
    }),
  );
  if (Object.keys(errors).length > 0) throw invalidItems(errors);
  const priced = resolved.map(({ line }, index) => ({ ...line, note: add[index]?.note ?? null }));
  const items = priced.map((line): OrderItem => {
    const amounts = { subtotal: line.unit_price * line.quantity, discount: 0 };
    const item = orderItem(line, priceLine(line, amounts, tax, order.addresses.shipping));
    return { ...item, change_id: id, added_at: now.toISOString() };
  });
  return { items, priced, stock: facts.stock };
}

const newLineOf = ({ sku, sofa = "", configuration = {}, quantity }: AddedUnits): NewLine =>
  sku === undefined
    ? { kind: "sofa", sofa, configuration, quantity, upload_ids: [], note: null }
    : { kind: "sku", sku, quantity };

/** The ids of the stock of which a change needs more than was available when it was read, with what was available. */
export const shortOf = (
  { stock: moves }: Pick<OrderChange, "stock">,
  { stock }: AddedLines,
): ReadonlyMap<string, number> =>
  new Map(
    [...moves].flatMap(([id, move]) => {
      const row = stock.get(id);
      return row && !canChange(row, move) ? [[id, row.available]] : [];
    }),
  );

/** The error for added lines that are short of stock; undefined if none of them is. */
export function outOfStock(
  { priced }: AddedLines,
  short: ReadonlyMap<string, number>,
): AppError | undefined {
  const lines = priced.flatMap((line) => {
    const available = short.get(stockIdOf(line) ?? "");
    return available === undefined ? [] : shortageOf(line, { available });
  });
  return lines.length > 0 ? insufficientStock(lines) : undefined;
}
