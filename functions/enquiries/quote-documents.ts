import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { Document } from "#shared/domain/document/document.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { anyone, route } from "#shared/http/route.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { LinkToken, openedBy } from "#shared/application/enquiry/accept-quote.ts";

export const listQuoteDocuments = route({
  method: "GET",
  path: "/quotes/{id}/documents",
  summary: "List the PDFs of a quote",
  description:
    "Returns one PDF for each revision that was sent, oldest first. A PDF appears some seconds " +
    "after its revision was sent.",
  access: anyone,
  limit: "documents",
  request: {
    params: z.object({ id: z.string().max(60) }),
    query: WholeList.extend({ token: LinkToken }),
  },
  response: { status: 200, data: z.array(Document), meta: CursorMeta },
  first: ({ params: { id } }, { table }: Shop<"table" | "documentLinks">) =>
    Promise.all([table.get(Quotes, { id }), documentsOf(table, id)]),
  async handle({ query, first, now }, { documentLinks }) {
    const [quote, { documents }] = first;
    openedBy(query.token, quote);
    const linked = await documentLinks(documents, now);
    return sliceOf(linked, "documents", ({ number }) => number, query);
  },
});

export const routes = [listQuoteDocuments];
