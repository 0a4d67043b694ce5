import { openPublishedContent } from "#shared/storage/content/content.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { Redirect } from "#shared/domain/content/redirect.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { anyone, route } from "#shared/http/route.ts";

export const getRedirects = route({
  method: "GET",
  path: "/redirects",
  summary: "List redirects",
  description:
    "Chains are resolved, so no target is itself redirected. `{slug}` in `from` and `to` stands for any slug.",
  access: anyone,
  cache: "public",
  remembered: true,
  request: { query: WholeList },
  response: { status: 200, data: z.array(Redirect), meta: CursorMeta },
  async handle({ query }, { table }: Shop<"table">) {
    return sliceOf(
      await openPublishedContent(table).redirects(),
      "redirects",
      ({ from }) => from,
      query,
    );
  },
});

export const routes = [getRedirects];
