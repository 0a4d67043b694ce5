import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { orNotFound, invalidField } from "#shared/domain/request/app-error.ts";
import type { EditCall } from "#shared/application/audit-context.ts";
import { edit, edited } from "#shared/application/edit.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { quoteLinkToken } from "#shared/auth/quote-link.ts";
import type { EnquiryNote } from "#shared/domain/enquiry/enquiry.ts";
import { changedQuote } from "#shared/domain/enquiry/quote-edit.ts";
import type { QuotePatch } from "#shared/domain/enquiry/quote-input.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { EnquiryNotes } from "#shared/storage/enquiry/enquiries.ts";
import { currentQuote } from "#shared/storage/enquiry/ordered-quotes.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import type { Table } from "#shared/storage/table.ts";
import { requireColleague } from "../staff/require-colleague.ts";
import { saveQuote } from "./save-quote.ts";
import { requireCoupon } from "./apply-quote-coupon.ts";
import { offeredQuote } from "./offered-quote.ts";
import { quotedPerson } from "./quoted-person.ts";
import { Leads } from "#shared/storage/enquiry/leads.ts";
import { locationWrites } from "../location/name-location.ts";
import type { StaffCaller } from "../staff/privilege-escalation.ts";
import { editedItems } from "./edited-items.ts";

type PatchQuoteShop = Shop<"table" | "randomBytes" | "settings", CommerceGroup>;

/**
 * Changes a quote, or sends it as a new revision.
 *
 * @param first the quote, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed`, `forbidden` for prices that
 *   the caller may not set
 */
export async function patchQuote(
  call: EditCall<QuotePatch> & StaffCaller,
  first: QuoteRecord | undefined,
  shop: PatchQuoteShop,
): Promise<QuoteRecord> {
  const { body, params, headers } = call;
  const read = () => readQuoteRecord(shop.table, params.id);
  await requireNamed(shop.table, body);
  return edit(first, read, headers["if-match"], async (record) => {
    const quote = await saveChange(record.quote, call, shop);
    if (body.notes !== undefined) return orNotFound(await read());
    return { ...record, quote, version: quote.version };
  });
}

/** Stores the changed quote, and mails it if the change sets the status `sent`. */
async function saveChange(
  before: StoredQuote,
  call: EditCall<QuotePatch> & StaffCaller,
  { table, settings, randomBytes }: PatchQuoteShop,
): Promise<StoredQuote> {
  const { customer, ...body } = call.body;
  const { now } = call;
  const person = customer && (await quotedPerson(table, customer));
  const { tax } = await settings.current();
  const items = body.items && (await editedItems(before, body.items, call, { table, tax }));
  const { email = (person ?? before).email } = body;
  const token = quoteLinkToken(email ?? "", randomBytes);
  const link = { linkHash: hashOf(token), now };
  const changed = edited(changedQuote(before, { ...body, items, person }, link));
  if (changed === before) return before;
  const isSent = changed.revision > before.revision;
  const after = isSent
    ? await offeredQuote(table, changed, { settings: await settings.current(), now })
    : changed;
  await saveQuote(table, { before, after, action: isSent ? "quote.send" : "quote.update" }, call, {
    notes: body.notes,
    mailed: isSent ? token : null,
    further: await locationWrites(table, before, after),
  });
  return after;
}

export interface QuoteRecord {
  readonly quote: StoredQuote;
  readonly notes: readonly EnquiryNote[];
  readonly version: number;
}

export async function readQuoteRecord(table: Table, id: string): Promise<QuoteRecord | undefined> {
  const kinds = { quotes: Quotes, notes: EnquiryNotes };
  const { quotes, notes } = await table.getPartition(Quotes.key({ id }).pk, kinds);
  const quote = await currentQuote(table, quotes[0]);
  return quote && { quote, notes, version: quote.version };
}

/**
 * Checks that the records exist that a quote names.
 *
 * @throws AppError `validation_failed`
 */
export async function requireNamed(
  table: Table,
  {
    assignee,
    sold_by,
    lead_id,
    coupon,
  }: Pick<QuotePatch, "assignee" | "sold_by" | "lead_id" | "coupon">,
): Promise<void> {
  await Promise.all([
    requireColleague(table, assignee, { field: "assignee", permission: "leads.view" }),
    requireColleague(table, sold_by, { field: "sold_by", permission: "orders.create" }),
    requireLead(table, lead_id),
    requireCoupon(table, coupon),
  ]);
}

async function requireLead(table: Table, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return;
  if (!(await table.get(Leads, { id }))) {
    throw invalidField("lead_id", "The selected lead id is invalid.");
  }
}
