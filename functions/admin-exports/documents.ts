import type { Shop } from "#shared/application/shop.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import * as z from "zod";
import { Document } from "#shared/domain/document/document.ts";
import { byId } from "#shared/http/one-record.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { route, staff } from "#shared/http/route.ts";
import { linkOrderDocuments } from "#shared/application/document/link-order-documents.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { projection } from "#shared/storage/entity.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { Orders } from "#shared/storage/order/orders.ts";

const KnownOrders = projection(Orders, [
  "id",
  "number",
  "placed_at",
  "customer",
  "access_token_hash",
]);
const KnownQuotes = projection(Quotes, ["id"]);

export const listOrderDocuments = route({
  method: "GET",
  path: "/admin/orders/{id}/documents",
  summary: "List an order's documents",
  description:
    "Returns the PDFs of the order, oldest first: the confirmation, the invoice, credit notes, and " +
    "vouchers of its deposit. A document appears some seconds after its cause.",
  access: staff("orders.view"),
  request: { params: byId, query: WholeList },
  response: { status: 200, data: z.array(Document), meta: CursorMeta },
  first: (
    { params: { id } },
    { table }: Shop<"table" | "apiBaseUrl" | "documentLinks" | "linkKeys" | "settings", "store">,
  ) => Promise.all([table.get(KnownOrders, { id }), documentsOf(table, id)]),
  async handle(call, shop) {
    const [order, { documents }] = call.first;
    const linked = await linkOrderDocuments(orNotFound(order), documents, shop, call);
    return sliceOf(linked, "documents", ({ type, number }) => `${type}/${number}`, call.query);
  },
});

export const listQuoteDocuments = route({
  method: "GET",
  path: "/admin/quotes/{id}/documents",
  summary: "List the PDFs of a quote",
  description: "Returns one PDF for each revision that was sent, oldest first.",
  access: staff("leads.view"),
  request: { params: byId, query: WholeList },
  response: { status: 200, data: z.array(Document), meta: CursorMeta },
  first: ({ params: { id } }, { table }: Shop<"table" | "documentLinks">) =>
    Promise.all([table.get(KnownQuotes, { id }), documentsOf(table, id)]),
  async handle({ first: [quote, { documents }], query, now }, { documentLinks }) {
    orNotFound(quote);
    const linked = await documentLinks(documents, now);
    return sliceOf(linked, "documents", ({ number }) => number, query);
  },
});

export const routes = [listOrderDocuments, listQuoteDocuments];
