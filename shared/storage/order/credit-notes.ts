import { issuerOf, notesToIssue, numberedNotes } from "./numbered-notes.ts";

/** A credit note. The credit itself is stored with the refund, or with the order that came back. */
export const CreditNotes = numberedNotes("credit_note", "CREDITNOTE");

/** A credit that has no credit note yet. */
export const CreditNotesToIssue = notesToIssue("credit_note_to_issue", "CREDITNOTESTOISSUE");

/** Issues the credit notes of an order's credits that have none. */
export const issueCreditNotes = issuerOf(CreditNotes, CreditNotesToIssue);
