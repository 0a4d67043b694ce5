import * as z from "zod";
import { type InvoiceRequest, invoiceAt } from "../../domain/order/invoice/invoice.ts";
import { Invoice } from "../../domain/order/order.ts";
import { Orders } from "./orders.ts";
import { absent, either, every, is, isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type NumberedDocuments, issueNumbers } from "./number-series.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove, update } from "../writes.ts";

const partition = "INVOICESTOISSUE";

interface Dispatch {
  readonly order_id: string;
  readonly shipment_id: string;
}

const nameOf = ({ order_id, shipment_id }: Dispatch): string => `${order_id}#${shipment_id}`;

/** An invoice that a dispatch has requested, and that has no number yet. */
export const InvoicesToIssue = entity({
  name: "invoice_to_issue",
  notExported: "derived",
  schema: z.object({
    order_id: z.string(),
    shipment_id: z.string(),
    supplement: z.boolean(),
    series: z.string(),
    issued_on: Invoice.shape.issued_on,
  }),
  key: (dispatch: Dispatch) => ({ pk: partition, sk: nameOf(dispatch) }),
});
type InvoiceToIssue = z.output<typeof InvoicesToIssue.schema>;

/** Requests an invoice of an order, in the transaction that ships its units. `issueInvoices` then assigns the number. */
export const requestInvoice = (
  order_id: string,
  { name: series, ...request }: InvoiceRequest,
): Write => put(InvoicesToIssue, { order_id, series, ...request }, isNew);

const invoices: NumberedDocuments<InvoiceToIssue, Dispatch> = {
  listRequests: async (table, limit) =>
    (await table.page(InvoicesToIssue, { partition }, { limit })).records,
  findRequest: (table, dispatch) => table.get(InvoicesToIssue, dispatch),
  nameOf,
  recordOf: ({ order_id }) => order_id,
  remove: (request) => remove(InvoicesToIssue, request, is("series", request.series)),
  assign({ order_id: id, shipment_id, supplement, series, issued_on }, position) {
    const invoice = invoiceAt({ name: series, issued_on }, position);
    const path = supplement ? `supplements.${shipment_id}.invoice` : "invoice";
    const hasNone = either(is(path, null), every(present("pk"), absent(path)));
    return update(Orders, { id }, { set: { [path]: invoice }, add: { version: 1 } }, hasNone);
  },
};

/**
 * Issues requested invoices, many in one transaction. Only shipped orders take a number, so the numbers have no gaps.
 *
 * @param until a dispatch, to return as soon as its invoice is issued; undefined to issue all requested invoices
 * @throws Unavailable when other calls issue invoices at every attempt
 */
export const issueInvoices = (table: Table, until?: Dispatch): Promise<void> =>
  issueNumbers(table, invoices, until);
