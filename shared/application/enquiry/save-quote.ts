import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { leadAfterQuote } from "#shared/domain/enquiry/lead.ts";
import type { StoredQuote } from "#shared/domain/enquiry/quote.ts";
import { Leads, replaceLead } from "#shared/storage/enquiry/leads.ts";
import { replaceQuote } from "#shared/storage/enquiry/quotes.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";
import { noteWrites } from "./assign-staff.ts";

/** What is stored with a quote. */
interface WithQuote {
  readonly notes?: string | undefined;
  /** The token of the link that is mailed; null if none is. */
  readonly mailed?: string | null;
  /** Further writes of the same transaction. */
  readonly further?: readonly Write[];
}

/**
 * Stores a quote that staff have changed. The lead of a quote that is sent becomes `quoted`.
 *
 * @throws Refused when the quote or its lead has changed since it was read
 */
export async function saveQuote(
  table: Table,
  { before, after, action }: { before: StoredQuote; after: StoredQuote; action: string },
  call: AuditedCall,
  { notes, mailed = null, further = [] }: WithQuote,
): Promise<void> {
  const { now } = call;
  const target = { kind: "quote", id: after.id, label: after.reference };
  await table.transact([
    ...replaceQuote(before, after),
    ...noteWrites(`QUOTE#${after.id}`, notes, call),
    ...(mailed === null ? [] : [mailWith(after, mailed, now)]),
    ...(after.status === "sent" ? await leadWrites(table, after, "quoted", now) : []),
    recordActivity(auditContextOf(call), action, target, { before, after }),
    ...further,
  ]);
}

/** The writes with which the lead of a quote follows it; none if it has no open lead. */
export async function leadWrites(
  table: Pick<Table, "get">,
  { lead_id: id }: Pick<StoredQuote, "lead_id">,
  status: "quoted" | "won",
  now: Date,
): Promise<Write[]> {
  const lead = id === null ? undefined : await table.get(Leads, { id });
  const after = lead && leadAfterQuote(lead, status, now);
  return lead && after ? replaceLead(lead, after) : [];
}

function mailWith({ id, email, name, valid_until }: StoredQuote, token: string, now: Date): Write {
  if (email === null || valid_until === null)
    throw new TypeError("A mailed quote has no email or no end");
  const addressee = { to: email, name, token, expires_at: valid_until };
  return publishEvent({ type: "quote_sent", quote_id: id, ...addressee }, now);
}
