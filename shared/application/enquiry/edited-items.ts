import { isDeepStrictEqual } from "node:util";
import type { Problem } from "#shared/domain/base/names.ts";
import {
  type QuoteItemEdit,
  editedItem,
  isPricing,
} from "#shared/domain/enquiry/quote-item-input.ts";
import { type QuoteItem, itemDiscount } from "#shared/domain/enquiry/quote-item.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import {
  type TaxSettings,
  taxClassProblems,
  taxClasses,
} from "#shared/domain/settings/tax-settings.ts";
import type { Table } from "#shared/storage/table.ts";
import { type AuditedCall, auditContextOf } from "../audit-context.ts";
import { requirePrice } from "../staff/price-limit.ts";
import type { StaffCaller } from "../staff/privilege-escalation.ts";
import { type RequestedLine, catalogFactsOf, quoteLines } from "./quote-lines.ts";

/**
 * The lines of a quote after the requested edits by staff.
 *
 * @param before the quote's currency, and the lines that it has
 * @throws AppError `validation_failed` naming every invalid line, `forbidden` for prices that the caller may not set
 */
export async function editedItems(
  before: Pick<StoredQuote, "items" | "currency">,
  edits: readonly QuoteItemEdit[],
  call: AuditedCall & StaffCaller,
  { table, tax }: { readonly table: Table; readonly tax: TaxSettings },
): Promise<QuoteItem[]> {
  const kept = new Map(before.items.map((item) => [item.id, item]));
  const { added, facts } = await readCatalog(before, edits, call, table);
  const { actor } = auditContextOf(call);
  const unused = added.values();
  const problems: Problem[] = [];
  const items = edits.flatMap((edit, index): QuoteItem[] => {
    const item = edit.id === null ? unused.next().value : kept.get(edit.id);
    if (!item) {
      problems.push({ path: `items.${index}.id`, message: "The quote has no line with this id." });
      return [];
    }
    const { regular_price } = facts.get(item.id) ?? item;
    const after = editedItem(item, edit, { regular_price, by: actor.id });
    for (const member of ["tax_class", "hsn_code"] as const) {
      if (item.kind === "custom" || after[member] === item[member]) continue;
      const message = "Only a custom item's tax can be set. Others have that of the catalog.";
      problems.push({ path: `items.${index}.${member}`, message });
    }
    if (edit.tax_class !== undefined) {
      const path = `items.${index}.tax_class`;
      problems.push(...taxClassProblems(path, edit.tax_class, taxClasses(tax)));
    }
    if (itemDiscount(after) > subtotalOf(after)) {
      const message = "The discount is higher than the line's price.";
      problems.push({ path: `items.${index}.discount`, message });
    }
    return [after];
  });
  if (new Set(items.map(({ id }) => id)).size < items.length) {
    problems.push({ path: "items", message: "The items field names a line twice." });
  }
  if (problems.length > 0) throw invalidFields(problems);
  for (const item of items) {
    if (item.unit_price === null || isPricedAs(item, kept.get(item.id))) continue;
    requirePrice({ ...item, total: subtotalOf(item) - itemDiscount(item) }, call);
  }
  return items;
}

/** Reads the lines that are new, and the prices of the day of those that are priced anew. */
async function readCatalog(
  before: Pick<StoredQuote, "items" | "currency">,
  edits: readonly QuoteItemEdit[],
  { now }: Pick<AuditedCall, "now">,
  table: Table,
): Promise<{ added: QuoteItem[]; facts: Awaited<ReturnType<typeof catalogFactsOf>> }> {
  const sale = { now, currency: before.currency };
  const requested = edits.flatMap((edit, index): RequestedLine[] =>
    edit.requested === null
      ? []
      : [{ requested: edit.requested, quantity: edit.quantity ?? 1, path: `items.${index}` }],
  );
  const priced = new Set(edits.filter(isPricing).map(({ id }) => id));
  const [{ items: added, problems }, facts] = await Promise.all([
    requested.length > 0 ? quoteLines(table, requested, sale) : { items: [], problems: [] },
    catalogFactsOf(
      table,
      before.items.filter(({ id }) => priced.has(id)),
      sale,
    ),
  ]);
  if (problems.length > 0) throw invalidFields(problems);
  return { added, facts };
}

const subtotalOf = ({ unit_price, quantity }: QuoteItem): number => (unit_price ?? 0) * quantity;

/** Whether a line costs what it cost before. */
function isPricedAs(item: QuoteItem, before: QuoteItem | undefined): boolean {
  const priceOf = ({ unit_price, quantity, discount }: QuoteItem) => [
    unit_price,
    quantity,
    discount,
  ];
  return before !== undefined && isDeepStrictEqual(priceOf(item), priceOf(before));
}
