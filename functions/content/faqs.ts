import { openPublishedContent } from "#shared/storage/content/content.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { FaqGroup } from "#shared/domain/content/content.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { anyone, route } from "#shared/http/route.ts";

export const getFaqs = route({
  method: "GET",
  path: "/faqs",
  summary: "List FAQ groups",
  description:
    "Returns groups with their questions, in display order. Returns all unless `per_page` is sent.",
  access: anyone,
  cache: "public",
  remembered: true,
  request: { query: WholeList },
  response: { status: 200, data: z.array(FaqGroup), meta: CursorMeta },
  async handle({ query }, { table }: Shop<"table">) {
    return sliceOf(await openPublishedContent(table).faqs(), "faqs", ({ slug }) => slug, query);
  },
});

export const routes = [getFaqs];
