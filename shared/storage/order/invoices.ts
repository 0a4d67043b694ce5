import * as z from "zod";
import { type InvoiceSeries, invoiceAt } from "../../domain/order/invoice.ts";
import { Invoice } from "../../domain/order/order.ts";
import { Orders } from "./orders.ts";
import { absent, either, every, is, isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type NumberedDocuments, issueNumbers } from "./number-series.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, update } from "../writes.ts";

const partition = "INVOICESTOISSUE";

/** A shipped order that has no invoice number yet. */
export const InvoicesToIssue = entity({
  name: "invoice_to_issue",
  notExported: "derived",
  schema: z.object({
    order_id: z.string(),
    series: z.string(),
    issued_on: Invoice.shape.issued_on,
  }),
  key: ({ order_id }: { order_id: string }) => ({ pk: partition, sk: order_id }),
});
type InvoiceToIssue = z.output<typeof InvoicesToIssue.schema>;

/** Requests the invoice of an order, in the transaction that ships it. `issueInvoices` then assigns the number. */
export const requestInvoice = (
  order_id: string,
  { name: series, issued_on }: InvoiceSeries,
): Write => put(InvoicesToIssue, { order_id, series, issued_on }, isNew);

const invoices: NumberedDocuments<InvoiceToIssue, string> = {
  listRequests: async (table, limit) =>
    (await table.query(InvoicesToIssue, { partition, limit })).records,
  findRequest: (table, order_id) => table.get(InvoicesToIssue, { order_id }),
  nameOf: ({ order_id }) => order_id,
  remove: (request) => remove(InvoicesToIssue, request, is("series", request.series)),
  assign({ order_id: id, series, issued_on }, position) {
    const invoice = invoiceAt({ name: series, issued_on }, position);
    const hasNone = either(is("invoice", null), every(present("pk"), absent("invoice")));
    return update(Orders, { id }, { set: { invoice }, add: { version: 1 } }, hasNone);
  },
};

/**
 * Issues requested invoices, many in one transaction. Only shipped orders take a number, so the numbers have no gaps.
 *
 * @param until id of an order, to return as soon as its invoice is issued; undefined to issue all requested invoices
 * @throws Unavailable when other calls issue invoices at every attempt
 */
export const issueInvoices = (table: Table, until?: string): Promise<void> =>
  issueNumbers(table, invoices, until);
