import * as z from "zod";
import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { Document } from "#shared/domain/document/document.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { orderBuyer } from "./own-order.ts";
import { route } from "#shared/http/route.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import type { Deps } from "./deps.ts";

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
  first: ({ params: { id } }, { orders, table }: Deps) =>
    Promise.all([orders.find(id), documentsOf(table, id)]),
  async handle(call, { documentLinks }) {
    const [found, { documents }] = call.first;
    provenOrder(found, call);
    const linked = await documentLinks(documents, call.now);
    return sliceOf(linked, "documents", ({ type, number }) => `${type}/${number}`, call.query);
  },
});

export const routes = [listDocuments];
