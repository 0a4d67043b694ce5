import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { listRoute } from "#functions/list-route.ts";
import { Document } from "#shared/domain/document/document.ts";
import { WholeList } from "#shared/http/paging.ts";
import { anyone } from "#shared/http/route.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { Quotes } from "#shared/storage/enquiry/quotes.ts";
import { LinkToken, openedBy } from "#shared/application/enquiry/accept-quote.ts";

export const listQuoteDocuments = listRoute({
  path: "/quotes/{id}/documents",
  summary: "List the PDFs of a quote",
  description:
    "Returns one PDF for each revision that was sent, oldest first. A PDF appears some seconds " +
    "after its revision was sent.",
  access: anyone,
  limit: "documents",
  params: z.object({ id: z.string().max(60) }),
  query: WholeList.extend({ token: LinkToken }),
  row: Document,
  async list(
    { params: { id }, query, now },
    { table, documentLinks }: Shop<"table" | "documentLinks">,
  ) {
    const [quote, { documents }] = await Promise.all([
      table.get(Quotes, { id }),
      documentsOf(table, id),
    ]);
    openedBy(query.token, quote);
    const entries = await documentLinks(documents, now);
    return { name: "documents", entries, nameOf: ({ number }) => number };
  },
});

export const routes = [listQuoteDocuments];
