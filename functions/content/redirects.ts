import { openPublishedContent } from "#shared/storage/content/content.ts";
import type { Shop } from "#shared/application/shop.ts";
import { listRoute } from "#functions/list-route.ts";
import { Redirect } from "#shared/domain/content/redirect.ts";
import { WholeList } from "#shared/http/paging.ts";
import { anyone } from "#shared/http/route.ts";

export const getRedirects = listRoute({
  path: "/redirects",
  summary: "List redirects",
  description:
    "Chains are resolved, so no target is itself redirected. `{slug}` in `from` and `to` stands for any slug.",
  access: anyone,
  cache: "public",
  remembered: true,
  query: WholeList,
  row: Redirect,
  list: async (_call, { table }: Shop<"table">) => ({
    name: "redirects",
    entries: await openPublishedContent(table).redirects(),
    nameOf: ({ from }) => from,
  }),
});

export const routes = [getRedirects];
