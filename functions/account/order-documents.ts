import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { Document } from "#shared/domain/document/document.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { orderBuyer } from "./own-order.ts";
import { anyone, route } from "#shared/http/route.ts";
import { linkOrderDocuments } from "#shared/application/document/link-order-documents.ts";
import { openConfirmation } from "#shared/application/document/open-confirmation.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";

/** A confirmation is usually drawn by then. */
const retryAfterSeconds = "2";

export const listDocuments = route({
  method: "GET",
  path: "/orders/{id}/documents",
  summary: "List an order's documents",
  description:
    "Returns the PDFs of the order, oldest first: the confirmation, the invoice of the first " +
    "shipment, and a credit note for everything that lowers the invoice. If the shop issues vouchers, a paid " +
    "deposit has a receipt voucher, and a refund of it without an invoice has a refund " +
    "voucher. A document appears some seconds after its cause. Guests send the order's token.",
  access: orderBuyer,
  limit: "documents",
  request: {
    params: z.object({ id: z.string().max(60) }),
    query: WholeList,
    headers: OrderProof,
  },
  response: { status: 200, data: z.array(Document), meta: CursorMeta },
  first: (
    { params: { id } },
    { table }: Shop<"table" | "apiBaseUrl" | "documentLinks" | "linkKeys" | "settings", "store">,
  ) => Promise.all([openOrders(table).find(id), documentsOf(table, id)]),
  async handle(call, shop) {
    const [found, { documents }] = call.first;
    const { order } = await provenOrder(found, call, shop);
    const linked = await linkOrderDocuments(order, documents, shop, call);
    return sliceOf(linked, "documents", ({ type, number }) => `${type}/${number}`, call.query);
  },
});

export const openDocument = route({
  method: "GET",
  path: "/documents/{token}",
  summary: "Open an order confirmation",
  description:
    "The `url` of an `order_confirmation` leads here. 302 redirects to the PDF. The first time, the PDF " +
    "has yet to be drawn: 202; repeat the call after `Retry-After` seconds.",
  access: anyone,
  limit: "documents",
  request: { params: z.object({ token: z.string().max(1000) }) },
  response: {
    status: 302,
    alsoAnswers: [202],
    data: z.object({ url: z.url().nullable() }),
    headers: ["Retry-After"],
  },
  async handle(
    { params, now },
    shop: Shop<"table" | "documentLinks" | "documentsQueue" | "linkKeys">,
  ) {
    const url = await openConfirmation(params.token, shop, now);
    return url === null
      ? { data: { url }, status: 202, headers: { "Retry-After": retryAfterSeconds } }
      : { data: { url }, headers: { Location: url } };
  },
});

export const routes = [listDocuments, openDocument];
