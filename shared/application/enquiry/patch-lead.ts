import { orNotFound } from "#shared/domain/request/app-error.ts";
import type * as z from "zod";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import { edit, edited } from "#shared/application/edit.ts";
import { type LeadPatch, type StoredLead, changedLead } from "#shared/domain/enquiry/lead.ts";
import { EnquiryNotes } from "#shared/storage/enquiry/enquiries.ts";
import { Leads, replaceLead } from "#shared/storage/enquiry/leads.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import { requireColleague } from "../staff/require-colleague.ts";
import { noteWrites } from "./assign-staff.ts";

export interface LeadRecord {
  readonly lead: StoredLead;
  readonly notes: readonly z.output<typeof EnquiryNotes.schema>[];
  readonly version: number;
}

export async function readLead(table: Table, id: string): Promise<LeadRecord | undefined> {
  const kinds = { leads: Leads, notes: EnquiryNotes };
  const { leads, notes } = await table.getPartition(Leads.key({ id }).pk, kinds);
  const lead = leads[0];
  return lead && { lead, notes, version: lead.version };
}

/**
 * Changes a lead's state or assignee, or adds a note.
 *
 * @param first the lead, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed`
 */
export async function patchLead(
  call: EditCall<z.output<typeof LeadPatch>>,
  first: LeadRecord | undefined,
  table: Table,
): Promise<LeadRecord> {
  const { body, params, headers, now } = call;
  const read = () => readLead(table, params.id);
  await requireColleague(table, body.assignee, { field: "assignee", permission: "leads.view" });
  return edit(first, read, headers["if-match"], async (record) => {
    const { lead: before } = record;
    const after = edited(changedLead(before, body, now));
    if (after === before) return record;
    const target = { kind: "lead", id: after.id, label: after.reference };
    await table.transact([
      ...replaceLead(before, after),
      ...noteWrites(`LEAD#${after.id}`, body.notes, call),
      recordActivity(auditContextOf(call), "lead.update", target, { before, after }),
    ]);
    if (body.notes !== undefined) return orNotFound(await read());
    return { ...record, lead: after, version: after.version };
  });
}
