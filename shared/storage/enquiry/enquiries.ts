import * as z from "zod";
import {
  EnquiryNote,
  type EnquiryReference,
  type StaffName,
} from "../../domain/enquiry/enquiry.ts";
import type { StoredLead } from "../../domain/enquiry/lead.ts";
import type { StoredQuote } from "../../domain/enquiry/quote.ts";
import { isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { IdempotencyId } from "../idempotency.ts";
import { Leads } from "./leads.ts";
import { Quotes } from "./quotes.ts";
import { Staff } from "../staff/staff.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

/** Makes the reference numbers of enquiries unique, and finds an enquiry by its number. */
export const EnquiryReferences = entity({
  name: "enquiry_reference",
  notExported: "derived",
  schema: z.object({ id: z.string() }),
  key: ({ reference }: { reference: EnquiryReference }) => ({
    pk: `REFERENCE#${reference}`,
    sk: "REFERENCE",
  }),
});

export const claimReference = (reference: EnquiryReference, id: string): Write =>
  put(EnquiryReferences, { reference, id }, isNew);

/** The partition of an enquiry and its notes. */
export type EnquiryPartition = `LEAD#${string}` | `QUOTE#${string}`;

export const EnquiryNotes = entity({
  name: "enquiry_note",
  notExported: "personal",
  schema: EnquiryNote,
  key: ({ of, at: moment, id }: { of: EnquiryPartition; at: string; id: string }) => ({
    pk: of,
    sk: `NOTE#${moment}#${id}`,
  }),
  patterns: {
    table: [
      ["LEAD#<lead>", "NOTE#<at>#<id>"],
      ["QUOTE#<quote>", "NOTE#<at>#<id>"],
    ],
  },
});

export const addNote = (of: EnquiryPartition, note: EnquiryNote): Write =>
  put(EnquiryNotes, { ...note, of }, isNew);

/** Two forms with the same person and content count as one within this time. */
export const sameContentMs = 10 * 60_000;

/**
 * The deduplication key of a form: the same for the same person and content.
 *
 * @param content all fields of the form, serialized the same way each time
 */
export const sameContent = (
  kind: "lead" | "quote",
  person: { email: string | null; phone: string | null },
  content: string,
): IdempotencyId => ({
  route: `content of a ${kind}`,
  caller: person.email ?? person.phone ?? "",
  key: content,
});

export interface EnquiryStore {
  lead(id: string): Promise<StoredLead | undefined>;
  quote(id: string): Promise<StoredQuote | undefined>;
}

export const openEnquiries = (table: Table): EnquiryStore => ({
  lead: (id) => table.get(Leads, { id }),
  quote: (id) => table.get(Quotes, { id }),
});

/**
 * Reads the current names of staff users. @returns a function that gives the name by id, and null for a deleted user
 */
export async function staffNames(
  table: Table,
  ids: readonly (string | null)[],
): Promise<(id: string) => StaffName> {
  const distinctIds = [...new Set(ids.filter((id) => id !== null))];
  const { users } = await table.getMany({ users: distinctIds.map((id) => at(Staff, { id })) });
  const names = new Map(users.flatMap((user) => (user ? [[user.id, user.name] as const] : [])));
  return (id) => ({ id, name: names.get(id) ?? null });
}
