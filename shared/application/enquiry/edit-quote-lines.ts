import type { Problem } from "#shared/domain/base/names.ts";
import { type QuoteItemEdit, editedItem } from "#shared/domain/enquiry/quote-item-input.ts";
import type { QuoteItem } from "#shared/domain/enquiry/quote-item.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { invalidField, invalidFields } from "#shared/domain/request/app-error.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { type RequestedLine, quoteLines } from "./quote-lines.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * The lines of a quote after the requested edits.
 *
 * @throws AppError `validation_failed` naming every invalid line
 */
export async function itemsOf(
  { items: before, currency }: StoredQuote,
  edits: readonly QuoteItemEdit[],
  table: Table,
  now: Date,
): Promise<QuoteItem[]> {
  const requested = edits.flatMap((edit, index): RequestedLine[] =>
    edit.requested === null
      ? []
      : [{ requested: edit.requested, quantity: edit.quantity ?? 1, path: `items.${index}` }],
  );
  const priced =
    requested.length > 0 ? await quoteLines(table, requested, { now, currency }) : nothing;
  const fresh = priced.items.values();
  const problems: Problem[] = [...priced.problems];
  if (problems.length > 0) throw invalidFields(problems);

  const items = edits.map((edit, index) => {
    const item = edit.id === null ? fresh.next().value : before.find(({ id }) => id === edit.id);
    if (item) return editedItem(item, edit);
    problems.push({ path: `items.${index}.id`, message: "The quote has no line with this id." });
    return [];
  });
  const ids = items.flat().map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    problems.push({ path: "items", message: "The items field names a line twice." });
  }
  if (problems.length > 0) throw invalidFields(problems);
  return items.flat();
}

const nothing = { items: [], problems: [] };

/** @throws AppError `validation_failed` when the lead does not exist */
export async function requireLead(table: Table, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return;
  if (!(await table.get(Leads, { id }))) {
    throw invalidField("lead_id", "The selected lead id is invalid.");
  }
}
