import type { Shop } from "#shared/application/shop.ts";
import { listRoute } from "#functions/list-route.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { Document } from "#shared/domain/document/document.ts";
import { byId } from "#shared/http/one-record.ts";
import { WholeList } from "#shared/http/paging.ts";
import { staff } from "#shared/http/route.ts";
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

export const listOrderDocuments = listRoute({
  path: "/admin/orders/{id}/documents",
  summary: "List an order's documents",
  description:
    "Returns the PDFs of the order, oldest first: the confirmation, the invoice, credit notes, and " +
    "vouchers of its deposit. A document appears some seconds after its cause.",
  access: staff("orders.view"),
  params: byId,
  query: WholeList,
  row: Document,
  async list(
    call,
    shop: Shop<"table" | "apiBaseUrl" | "documentLinks" | "linkKeys" | "settings", "store">,
  ) {
    const { id } = call.params;
    const [order, { documents }] = await Promise.all([
      shop.table.get(KnownOrders, { id }),
      documentsOf(shop.table, id),
    ]);
    const entries = await linkOrderDocuments(orNotFound(order), documents, shop, call);
    return { name: "documents", entries, nameOf: ({ type, number }) => `${type}/${number}` };
  },
});

export const listQuoteDocuments = listRoute({
  path: "/admin/quotes/{id}/documents",
  summary: "List the PDFs of a quote",
  description: "Returns one PDF for each revision that was sent, oldest first.",
  access: staff("leads.view"),
  params: byId,
  query: WholeList,
  row: Document,
  async list({ params: { id }, now }, { table, documentLinks }: Shop<"table" | "documentLinks">) {
    const [quote, { documents }] = await Promise.all([
      table.get(KnownQuotes, { id }),
      documentsOf(table, id),
    ]);
    orNotFound(quote);
    const entries = await documentLinks(documents, now);
    return { name: "documents", entries, nameOf: ({ number }) => number };
  },
});

export const routes = [listOrderDocuments, listQuoteDocuments];
