import { openPublishedContent } from "#shared/storage/content/content.ts";
import type { Shop } from "#shared/application/shop.ts";
import { listRoute } from "#functions/list-route.ts";
import { FaqGroup } from "#shared/domain/content/content.ts";
import { WholeList } from "#shared/http/paging.ts";
import { anyone } from "#shared/http/route.ts";

export const getFaqs = listRoute({
  path: "/faqs",
  summary: "List FAQ groups",
  description:
    "Returns groups with their questions, in display order. Returns all unless `per_page` is sent.",
  access: anyone,
  cache: "public",
  remembered: true,
  query: WholeList,
  row: FaqGroup,
  list: async (_call, { table }: Shop<"table">) => ({
    name: "faqs",
    entries: await openPublishedContent(table).faqs(),
    nameOf: ({ slug }) => slug,
  }),
});

export const routes = [getFaqs];
