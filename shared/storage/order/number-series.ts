import * as z from "zod";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { Unavailable } from "../../runtime/unavailable.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import type { Table } from "../table.ts";
import { Refused, type Write, replace } from "../writes.ts";

/** The last number of each series: the invoices, credit notes or vouchers of a financial year. */
export const InvoiceNumbers = entity({
  name: "invoice_numbers",
  notExported: "derived",
  schema: z.object({ last: z.int().min(1) }),
  key: ({ series }: { series: string }) => ({ pk: `INVOICES#${series}`, sk: "INVOICES" }),
});

interface NumberRequest {
  readonly series: string;
  readonly issued_on: string;
}

/** A kind of document that is numbered consecutively: where its requests are stored, and how a number is assigned. */
export interface NumberedDocuments<Request extends NumberRequest, Id> {
  listRequests(table: Table, limit: number): Promise<readonly Request[]>;
  findRequest(table: Table, id: Id): Promise<Request | undefined>;
  /** Distinguishes the documents of all requests. */
  nameOf(request: Request): string;
  /** The record that gets the number. A transaction changes a record once. */
  recordOf(request: Request): string;
  /** Removes the request, on condition that it still exists. */
  remove(request: Request): Write;
  /** Assigns a number, on condition that the document has none. */
  assign(request: Request, position: number): Write;
}

/** Maximum number of documents per transaction. Each takes two of its 100 writes, and the counter takes one. */
const batchSize = 25;
/** Maximum number of transactions of a scheduled run, so that it has time for its other work. */
const mostBatches = 4;

/**
 * Assigns the numbers that were requested, many in one transaction. So a hundred orders that ship concurrently compete
 * for the counter a few times instead of a hundred times.
 *
 * @param until id of a request, to return as soon as it is done; undefined to assign all requested numbers
 * @throws Unavailable when other calls assign numbers at every attempt
 */
export async function issueNumbers<Request extends NumberRequest, Id>(
  table: Table,
  documents: NumberedDocuments<Request, Id>,
  until?: Id,
): Promise<void> {
  const numbered = new Set<string>();
  async function read() {
    const [requests, own] = await Promise.all([
      documents.listRequests(table, batchSize),
      until === undefined ? undefined : documents.findRequest(table, until),
    ]);
    const isDone = until !== undefined && own === undefined;
    return isDone ? [] : requests;
  }
  const most = until === undefined ? mostBatches : Infinity;
  let more = true;
  for (let batch = 0; more && batch < most; batch++) {
    more = await retryOnConflict(await read(), read, async (requests) => {
      const [first] = requests;
      if (!first) return false;
      const ofSeries = requests.filter(({ series }) => series === first.series);
      const byDate = (one: Request, other: Request): number =>
        one.issued_on.localeCompare(other.issued_on) ||
        documents.nameOf(one).localeCompare(documents.nameOf(other));
      const sorted = ofSeries.toSorted(byDate);
      const firsts = new Map(sorted.toReversed().map((each) => [documents.recordOf(each), each]));
      const batched = sorted.filter((each) => firsts.get(documents.recordOf(each)) === each);
      await issue({ table, documents, numbered }, first.series, batched);
      // A page that is not full was the last one.
      return requests.length === batchSize || batched.length < requests.length;
    });
  }
}

interface Issuing<Request extends NumberRequest> {
  readonly table: Table;
  readonly documents: NumberedDocuments<Request, never>;
  /** Names of documents that turned out to have a number: their requests are removed. */
  readonly numbered: Set<string>;
}

/**
 * Assigns the numbers of these requests in one transaction. Earlier dates get lower numbers.
 *
 * @throws Refused when a concurrent call has assigned some of these numbers
 */
async function issue<Request extends NumberRequest>(
  issuing: Issuing<Request>,
  series: string,
  requests: readonly Request[],
): Promise<void> {
  const { table, documents, numbered } = issuing;
  const last = (await table.get(InvoiceNumbers, { series }))?.last ?? 0;
  const open = requests
    .filter((request) => !numbered.has(documents.nameOf(request)))
    .map((request, index) => ({ request, write: documents.assign(request, last + index + 1) }));
  try {
    await table.transact([
      ...(open.length > 0 ? [raise(series, last, open.length)] : []),
      ...requests.map((request) => documents.remove(request)),
      ...open.map(({ write }) => write),
    ]);
  } catch (error) {
    if (error instanceof Refused) {
      const refused = new Set(error.failures.map(({ write }) => write));
      for (const { request, write } of open) {
        if (refused.has(write)) numbered.add(documents.nameOf(request));
      }
    } else if (!(error instanceof Unavailable) && requests.length > 1) {
      return issueInHalves(issuing, series, requests);
    }
    throw error;
  }
}

/** Assigns two halves separately, so that a request that DynamoDB cannot process does not stop the others. */
async function issueInHalves<Request extends NumberRequest>(
  issuing: Issuing<Request>,
  series: string,
  requests: readonly Request[],
): Promise<void> {
  const middle = Math.ceil(requests.length / 2);
  const problems: unknown[] = [];
  for (const half of [requests.slice(0, middle), requests.slice(middle)]) {
    try {
      await issue(issuing, series, half);
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) throw problems[0];
}

const raise = (series: string, last: number, by: number): Write =>
  replace(InvoiceNumbers, { series, last: last + by }, last === 0 ? isNew : is("last", last));
