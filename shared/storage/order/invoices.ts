import * as z from "zod";
import { type InvoiceSeries, invoiceAt } from "../../domain/order/invoice.ts";
import { Invoice } from "../../domain/order/order.ts";
import { Orders } from "./orders.ts";
import { absent, either, every, is, isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import { Unavailable } from "../../runtime/unavailable.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import type { Table } from "../table.ts";
import { Refused, type Write, put, remove, replace, update } from "../writes.ts";

/** The last invoice number of each financial year. */
export const InvoiceNumbers = entity({
  name: "invoice_numbers",
  notExported: "derived",
  schema: z.object({ last: z.int().min(1) }),
  key: ({ series }: { series: string }) => ({ pk: `INVOICES#${series}`, sk: "INVOICES" }),
});

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

/** Maximum number of invoices per transaction. Each takes two of its 100 writes, and the counter takes one. */
const batchSize = 25;
/** Maximum number of transactions per call, so that a scheduled run has time for its other work. */
const mostBatches = 4;

/**
 * Issues requested invoices, many in one transaction. So a hundred orders that ship concurrently compete for the
 * counter a few times instead of a hundred times. Only shipped orders take a number, so the numbers have no gaps.
 *
 * @param until id of an order, to return as soon as its invoice is issued; undefined to issue all requested invoices
 * @throws Unavailable when other calls issue invoices at every attempt
 */
export async function issueInvoices(table: Table, until?: string): Promise<void> {
  const invoiced = new Set<string>();
  async function read() {
    const [page, own] = await Promise.all([
      table.query(InvoicesToIssue, { partition, limit: batchSize }),
      until === undefined ? undefined : table.get(InvoicesToIssue, { order_id: until }),
    ]);
    const isDone = until !== undefined && own === undefined;
    return isDone ? [] : page.records;
  }
  let more = true;
  for (let batch = 0; more && batch < mostBatches; batch++) {
    more = await retryOnConflict(await read(), read, async (requests) => {
      const [first] = requests;
      if (!first) return false;
      const ofSeries = requests.filter(({ series }) => series === first.series);
      await issue(table, first.series, ofSeries.toSorted(byDate), invoiced);
      // A page that is not full was the last one.
      return requests.length === batchSize || ofSeries.length < requests.length;
    });
  }
}

/** Invoices with an earlier date get lower numbers. */
const byDate = (one: InvoiceToIssue, other: InvoiceToIssue): number =>
  one.issued_on.localeCompare(other.issued_on) || one.order_id.localeCompare(other.order_id);

/**
 * Issues the invoices of these requests in one transaction.
 *
 * @param invoiced ids of orders that turned out to have an invoice: their requests are removed
 * @throws Refused when a concurrent call has issued some of these invoices
 */
async function issue(
  table: Table,
  series: string,
  requests: readonly InvoiceToIssue[],
  invoiced: Set<string>,
): Promise<void> {
  const last = (await table.get(InvoiceNumbers, { series }))?.last ?? 0;
  const orders = requests
    .filter(({ order_id }) => !invoiced.has(order_id))
    .map((request, number) => ({ request, write: assign(request, last + number + 1) }));
  try {
    await table.transact([
      ...(orders.length > 0 ? [raise(series, last, orders.length)] : []),
      ...requests.map((request) => remove(InvoicesToIssue, request, is("series", series))),
      ...orders.map(({ write }) => write),
    ]);
  } catch (error) {
    if (error instanceof Refused) {
      const refused = new Set(error.failures.map(({ write }) => write));
      for (const { request, write } of orders) {
        if (refused.has(write)) invoiced.add(request.order_id);
      }
    } else if (!(error instanceof Unavailable) && requests.length > 1) {
      return issueInHalves(table, series, requests, invoiced);
    }
    throw error;
  }
}

/** Issues two halves separately, so that a request that DynamoDB cannot process does not stop the others. */
async function issueInHalves(
  table: Table,
  series: string,
  requests: readonly InvoiceToIssue[],
  invoiced: Set<string>,
): Promise<void> {
  const middle = Math.ceil(requests.length / 2);
  const problems: unknown[] = [];
  for (const half of [requests.slice(0, middle), requests.slice(middle)]) {
    try {
      await issue(table, series, half, invoiced);
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) throw problems[0];
}

const raise = (series: string, last: number, by: number): Write =>
  replace(InvoiceNumbers, { series, last: last + by }, last === 0 ? isNew : is("last", last));

function assign({ order_id: id, series, issued_on }: InvoiceToIssue, position: number): Write {
  const invoice = invoiceAt({ name: series, issued_on }, position);
  const hasNone = either(is("invoice", null), every(present("pk"), absent("invoice")));
  return update(Orders, { id }, { set: { invoice }, add: { version: 1 } }, hasNone);
}
