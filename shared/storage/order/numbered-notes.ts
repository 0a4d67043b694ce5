import * as z from "zod";
import { type InvoiceSeries, noteAt } from "../../domain/order/invoice/invoice.ts";
import { Invoice } from "../../domain/order/order.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type NumberedDocuments, issueNumbers } from "./number-series.ts";
import type { Table } from "../table.ts";
import { put, remove, unlessRefused } from "../writes.ts";

/** The partition with the credit notes and vouchers of an order, and with the documents of an order or quote. */
export const documentPartition = (ownerId: string): string => `DOCUMENTS#${ownerId}`;

const place = { order_id: z.string(), id: z.string() };
type Place = { order_id: string; id: string };

/**
 * Declares notes that belong to orders and are numbered without gaps, such as credit notes. `id` is that of their
 * cause, which is stored elsewhere: a note is only the number and date of a document.
 */
export const numberedNotes = (name: string, sk: string) =>
  entity({
    name,
    notExported: "derived",
    schema: z.object({ ...place, ...Invoice.shape }),
    key: ({ order_id, id }: Place) => ({ pk: documentPartition(order_id), sk: `${sk}#${id}` }),
  });

/** Declares the causes that have no note yet. */
export const notesToIssue = (name: string, pk: string) =>
  entity({
    name,
    notExported: "derived",
    schema: z.object({ ...place, series: z.string(), issued_on: Invoice.shape.issued_on }),
    key: ({ order_id, id }: Place) => ({ pk, sk: `${order_id}#${id}` }),
  });

type Requests = ReturnType<typeof notesToIssue>;
type Request = z.output<Requests["schema"]>;

/**
 * Returns a function that issues a note for each cause that has none. Safe to repeat and to run concurrently: a cause
 * gets one note, and only causes take a number, so the numbers have no gaps.
 *
 * The returned function takes the ids of causes without a note. It throws Unavailable when other calls issue notes at
 * every attempt.
 */
export function issuerOf(Notes: ReturnType<typeof numberedNotes>, ToIssue: Requests) {
  const numbered: NumberedDocuments<Request, Place> = {
    async listRequests(table, limit) {
      const { pk: partition } = ToIssue.key({ order_id: "", id: "" });
      return (await table.page(ToIssue, { partition }, { limit })).records;
    },
    findRequest: (table, id) => table.get(ToIssue, id),
    nameOf: ({ order_id, id }) => `${order_id}#${id}`,
    recordOf: ({ order_id, id }) => `${order_id}#${id}`,
    remove: (request) => remove(ToIssue, request, is("series", request.series)),
    assign({ order_id, id, series, issued_on }, position) {
      const { number } = noteAt({ name: series, issued_on }, position);
      return put(Notes, { order_id, id, number, issued_on }, isNew);
    },
  };
  return async (
    table: Table,
    order_id: string,
    ids: readonly string[],
    { name: series, issued_on }: InvoiceSeries,
  ): Promise<void> => {
    for (const id of ids) {
      await unlessRefused(table.write(put(ToIssue, { order_id, id, series, issued_on }, isNew)));
      await issueNumbers(table, numbered, { order_id, id });
    }
  };
}

/** The number and date of a document, and the id of its cause. */
export type NumberedNote = Invoice & Place;
