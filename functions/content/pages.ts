import * as z from "zod";
import { Slug } from "#shared/domain/base/names.ts";
import { PublicPage, pageReferences, resolvePage } from "#shared/domain/content/page.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";

export const getPage = route({
  method: "GET",
  path: "/pages/{slug}",
  summary: "Get a published page",
  description: "FAQ blocks include their groups. Returns 404 if the page is not published.",
  access: anyone,
  cache: "public",
  remembered: true,
  request: { params: z.object({ slug: Slug }) },
  response: { status: 200, data: PublicPage },
  async handle({ params }, { content }: Deps) {
    const page = await content.findPage(params.slug);
    if (!page) throw new AppError("not_found", { message: "There is no page with this slug." });
    return { data: resolvePage(page, await content.faqGroups(pageReferences(page))) };
  },
});

export const routes = [getPage];
