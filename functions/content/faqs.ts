import * as z from "zod";
import { FaqGroup } from "#shared/domain/content.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";

export const getFaqs = route({
  method: "GET",
  path: "/faqs",
  summary: "Questions and answers, in groups",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, data: z.array(FaqGroup) },
  async handle(_call, { content }: Deps) {
    return { data: (await content.faqs())?.groups ?? [] };
  },
});
