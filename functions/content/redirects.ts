import * as z from "zod";
import { Redirect } from "#shared/domain/redirect.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";

export const getRedirects = route({
  method: "GET",
  path: "/redirects",
  summary: "The redirect map of the storefront",
  description: "No target redirects again: one hop always suffices.",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, data: z.array(Redirect) },
  async handle(_call, { content }: Deps) {
    return { data: (await content.redirects())?.redirects ?? [] };
  },
});
