import type { EnquiryNote, StaffName } from "#shared/domain/enquiry/enquiry.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { type EnquiryPartition, addNote, staffNames } from "#shared/storage/enquiry/enquiries.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Write } from "#shared/storage/writes.ts";

/** A staff user's note; none if there is no text. */
export function newNotes(
  text: string | undefined,
  { actor, now }: { actor: Actor; now: Date },
): EnquiryNote[] {
  if (text === undefined || actor.kind !== "staff") return [];
  return [{ id: newId("note", now), at: now.toISOString(), author_id: actor.id, text }];
}

/** Returns the writes that store a staff user's note; none if there is no text. */
export const noteWrites = (
  of: EnquiryPartition,
  text: string | undefined,
  call: { actor: Actor; now: Date },
): Write[] => newNotes(text, call).map((note) => addNote(of, note));

/** Returns a record with the names of the staff users whose ids are in the record and its notes. */
export async function withNames<Record extends { assignee_id: string | null }>(
  table: Table,
  record: Record,
  notes: readonly EnquiryNote[],
) {
  const ids = [record.assignee_id, ...notes.map(({ author_id }) => author_id)];
  const named = await staffNames(table, ids);
  return {
    ...record,
    assignee: assigneeOf(record, named),
    notes: notes.map(({ author_id, ...note }) => ({ ...note, author: named(author_id) })),
  };
}

export const assigneeOf = (
  { assignee_id }: { assignee_id: string | null },
  named: (id: string) => StaffName,
): StaffName | null => (assignee_id === null ? null : named(assignee_id));
