import * as z from "zod";
import { FaqGroup } from "#shared/domain/content/content.ts";
import { CursorMeta, WholeList, sliceOf } from "#shared/http/paging.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";

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
  async handle({ query }, { content }: Deps) {
    return sliceOf(await content.faqs(), "faqs", ({ slug }) => slug, query);
  },
});

export const routes = [getFaqs];
