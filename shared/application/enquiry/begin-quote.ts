import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { type Answered, type CreatingCall, once } from "#shared/application/once.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { enquiryReference } from "#shared/domain/enquiry/enquiry.ts";
import { type StaffQuoteInput, newStaffQuote } from "#shared/domain/enquiry/quote-input.ts";
import { termsProblems } from "#shared/domain/enquiry/quote.ts";
import { invalidFields } from "#shared/domain/request/app-error.ts";
import { locationWrites } from "#shared/application/location/name-location.ts";
import { ownSale } from "#shared/domain/base/sales-channel.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { addNote, claimReference } from "#shared/storage/enquiry/enquiries.ts";
import { quoteWrites } from "#shared/storage/enquiry/quotes.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { StaffCaller } from "../staff/privilege-escalation.ts";
import { newNotes } from "./assign-staff.ts";
import { editedItems } from "./edited-items.ts";
import { type QuoteRecord, requireNamed } from "./patch-quote.ts";
import { quotedPerson } from "./quoted-person.ts";

type BeginCall = CreatingCall & AuditedCall & StaffCaller & { readonly body: StaffQuoteInput };

/**
 * Begins a quote for a customer, as staff. It is in review until it is sent, accepted or placed.
 *
 * @param shown the answer for the new quote
 * @throws AppError `idempotency_key_reused`, `validation_failed`, `forbidden` for prices that the caller may not set
 */
export async function beginQuote<Data>(
  call: BeginCall,
  { table, settings, randomBytes }: Shop<"table" | "randomBytes" | "settings", CommerceGroup>,
  shown: (record: QuoteRecord) => Promise<{ data: Data; version: number }>,
) {
  const { body, now } = call;
  const { customer, items: edits, notes, ...input } = body;
  const context = auditContextOf(call);
  const id = newId("qte", now);
  const creation = {
    route: "POST /admin/quotes",
    id,
    at: (made: string) => `/admin/quotes/${made}`,
    replay: "answer",
  } as const;
  return once<Answered<Data>>(creation, call, table, async (bind) => {
    const [{ store, tax }, person] = await Promise.all([
      settings.current(),
      quotedPerson(table, customer),
      requireNamed(table, input),
    ]);
    const items = await editedItems({ items: [], currency: store.currency }, edits, call, {
      table,
      tax,
    });
    const quote = newStaffQuote(input, {
      id,
      reference: enquiryReference("Q", randomBytes(8)),
      currency: store.currency,
      person,
      items,
      by: context.actor.id,
      now,
    });
    const problems = termsProblems(quote);
    if (problems.length > 0) throw invalidFields(problems);
    const noted = newNotes(notes, call);
    const answer = await shown({ quote, notes: noted, version: quote.version });
    const target = { kind: "quote", id, label: quote.reference };
    const named = await locationWrites(table, ownSale, quote);
    await table.transact([
      ...quoteWrites(quote),
      ...named,
      claimReference(quote.reference, id),
      ...noted.map((note) => addNote(`QUOTE#${id}`, note)),
      recordActivity(context, "quote.create", target, { before: undefined, after: quote }),
      ...bind(answer),
    ]);
    return answer;
  });
}
