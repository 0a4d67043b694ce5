import * as z from "zod";
import { type InvoiceSeries, creditNoteAt } from "../../domain/order/invoice.ts";
import { Invoice } from "../../domain/order/order.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type NumberedDocuments, issueNumbers } from "./number-series.ts";
import type { Table } from "../table.ts";
import { put, remove, unlessRefused } from "../writes.ts";

/** The partition with the credit notes of an order, and with the documents of an order or quote. */
export const documentPartition = (ownerId: string): string => `DOCUMENTS#${ownerId}`;

const place = { order_id: z.string(), id: z.string() };
type CreditPlace = { order_id: string; id: string };

/** A credit note. The credit itself is stored with the refund, or with the order that came back. */
export const CreditNotes = entity({
  name: "credit_note",
  notExported: "derived",
  /** `id` is that of the credit. */
  schema: z.object({ ...place, ...Invoice.shape }),
  key: ({ order_id, id }: CreditPlace) => ({
    pk: documentPartition(order_id),
    sk: `CREDITNOTE#${id}`,
  }),
});
export type CreditNote = z.output<typeof CreditNotes.schema>;

const partition = "CREDITNOTESTOISSUE";

/** A credit that has no credit note yet. */
export const CreditNotesToIssue = entity({
  name: "credit_note_to_issue",
  notExported: "derived",
  schema: z.object({ ...place, series: z.string(), issued_on: Invoice.shape.issued_on }),
  key: ({ order_id, id }: CreditPlace) => ({ pk: partition, sk: `${order_id}#${id}` }),
});
type CreditNoteToIssue = z.output<typeof CreditNotesToIssue.schema>;

const creditNotes: NumberedDocuments<CreditNoteToIssue, CreditPlace> = {
  listRequests: async (table, limit) =>
    (await table.query(CreditNotesToIssue, { partition, limit })).records,
  findRequest: (table, id) => table.get(CreditNotesToIssue, id),
  nameOf: ({ order_id, id }) => `${order_id}#${id}`,
  remove: (request) => remove(CreditNotesToIssue, request, is("series", request.series)),
  assign({ order_id, id, series, issued_on }, position) {
    const { number } = creditNoteAt({ name: series, issued_on }, position);
    return put(CreditNotes, { order_id, id, number, issued_on }, isNew);
  },
};

/**
 * Issues the credit notes of an order's credits that have none. Safe to repeat and to run concurrently: a credit gets
 * one credit note, and only credits take a number, so the numbers have no gaps.
 *
 * @param ids of credits without a credit note
 * @throws Unavailable when other calls issue credit notes at every attempt
 */
export async function issueCreditNotes(
  table: Table,
  order_id: string,
  ids: readonly string[],
  { name: series, issued_on }: InvoiceSeries,
): Promise<void> {
  for (const id of ids) {
    await unlessRefused(
      table.write(put(CreditNotesToIssue, { order_id, id, series, issued_on }, isNew)),
    );
    await issueNumbers(table, creditNotes, { order_id, id });
  }
}
