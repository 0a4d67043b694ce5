import { insufficientStock } from "#shared/domain/checkout/final-pricing.ts";
import { draftLines, invalidItems } from "#shared/application/cart/draft-lines.ts";
import type { NewLine } from "#shared/domain/cart/cart-input.ts";
import type { ResolvedLine } from "#shared/domain/cart/bare-line.ts";
import { resolveLine } from "#shared/domain/cart/cart-lines.ts";
import { shortageOf } from "#shared/domain/cart/cart-view.ts";
import { stockIdOf, type Stock, canChange } from "#shared/domain/catalog/stock.ts";
import { orderItem } from "#shared/domain/checkout/order-draft.ts";
import type { AddedUnits, CustomUnits } from "#shared/domain/order/change/change-input.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderItem, StoredOrder } from "#shared/domain/order/order.ts";
import {
  customIdentity,
  customLeadTime,
  type PricedLine,
} from "#shared/domain/pricing/priced-line.ts";
import { priceLine } from "#shared/domain/pricing/totals.ts";
import {
  type AppError,
  type FieldErrors,
  invalidFields,
} from "#shared/domain/request/app-error.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { requirePrice } from "../staff/price-limit.ts";
import type { StaffCaller } from "../staff/privilege-escalation.ts";
import {
  type TaxSettings,
  taxClassProblems,
  taxClasses,
} from "#shared/domain/settings/tax-settings.ts";
import { factReads, readCatalogFacts } from "#shared/storage/catalog/published-facts.ts";
import type { Table } from "#shared/storage/table.ts";

/** Lines that a change adds, and the stock as it was read with them. */
export interface AddedLines {
  readonly items: readonly OrderItem[];
  /** The lines as the catalog prices them. */
  readonly priced: readonly PricedLine[];
  readonly stock: ReadonlyMap<string, Stock>;
}

interface Adding extends StaffCaller {
  readonly order: Pick<StoredOrder, "addresses" | "currency" | "items">;
  readonly tax: TaxSettings;
  /** Id of the change. */
  readonly id: string;
  readonly now: Date;
}

/**
 * Prices the lines that a change adds by the catalog and the taxes of the day, at the order's address, unless staff have
 * set another price.
 *
 * @throws AppError `validation_failed` naming every item that cannot be bought, `forbidden` for prices that the caller
 *   may not set
 */
export async function addedLines(
  { getMany }: Pick<Table, "getMany">,
  add: readonly AddedUnits[],
  { order, tax, id, now, ...caller }: Adding,
): Promise<AddedLines> {
  if (add.length === 0) return { items: [], priced: [], stock: new Map() };
  const ordered = order.items.map(({ tax_class }) => tax_class);
  refuseTaxClasses(add, new Set([...taxClasses(tax), ...ordered]));
  const named = add.filter(({ custom }) => custom === undefined);
  const paths = named.map((units) => `add.${add.indexOf(units)}`);
  const drafts = await draftLines(getMany, [], add.flatMap(newLineOf), { now, paths });
  const stored = drafts.map(({ line }) => line);
  const facts = await readCatalogFacts(getMany, stored, await getMany(factReads(stored)));
  const resolved = stored.map((line) =>
    resolveLine(line, facts, { now, currency: order.currency }),
  );
  refuseUnavailable(add, named, resolved);
  const priced = add.map((units): PricedLine => {
    const line = units.custom
      ? customLine(units.custom, { id: newId("line", now), quantity: units.quantity })
      : resolved[named.indexOf(units)]!.line;
    const { unit_price = line.unit_price, note = null, quantity } = units;
    const regular_price = units.custom ? null : line.unit_price;
    requirePrice(
      { name: line.name, regular_price, quantity, total: unit_price * quantity },
      caller,
    );
    return { ...line, unit_price, note };
  });
  const items = priced.map((line): OrderItem => {
    const amounts = { subtotal: line.unit_price * line.quantity, discount: line.discount };
    const item = orderItem(line, priceLine(line, amounts, tax, order.addresses.shipping));
    return { ...item, change_id: id, added_at: now.toISOString() };
  });
  return { items, priced, stock: facts.stock };
}

function refuseTaxClasses(add: readonly AddedUnits[], known: ReadonlySet<string>): void {
  const problems = add.flatMap(({ custom }, index) =>
    custom ? taxClassProblems(`add.${index}.custom.tax_class`, custom.tax_class, known) : [],
  );
  if (problems.length > 0) throw invalidFields(problems);
}

function refuseUnavailable(
  add: readonly AddedUnits[],
  named: readonly AddedUnits[],
  resolved: readonly ResolvedLine[],
): void {
  const errors: FieldErrors = Object.fromEntries(
    resolved.flatMap(({ requirement }, index) => {
      const units = named[index]!;
      const member = units.sku === undefined ? "sofa" : "sku";
      const path = `add.${add.indexOf(units)}.${member}`;
      return requirement ? [[path, [requirement.message]]] : [];
    }),
  );
  if (Object.keys(errors).length > 0) throw invalidItems(errors);
}

const atOnce = { min_days: 0, max_days: 0 };

/** A custom line, which has no stock. */
const customLine = (
  { title, price, tax_class, hsn_code, made_to_order }: CustomUnits,
  { id, quantity }: Pick<PricedLine, "id" | "quantity">,
): PricedLine => ({
  ...customIdentity({ id, name: title, quantity }),
  unit_price: price,
  discount: 0,
  last_price: price,
  price_lines: [],
  availability: made_to_order
    ? { state: "made_to_order", lead_time: customLeadTime }
    : { state: "in_stock", lead_time: atOnce },
  made_to_order,
  categories: [],
  tax_class,
  hsn_code: hsn_code ?? null,
  cod_eligible: true,
  delivery_classes: [],
  parcels: [{ weight_g: 0, volume_cm3: 0 }],
  warranty: [],
  upload_ids: [],
  note: null,
});

function newLineOf({ sku, sofa, configuration = {}, quantity }: AddedUnits): NewLine[] {
  if (sku !== undefined) return [{ kind: "sku", sku, quantity }];
  if (sofa === undefined) return [];
  return [{ kind: "sofa", sofa, configuration, quantity, upload_ids: [], note: null }];
}

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
