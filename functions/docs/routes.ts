import * as z from "zod";
import { anyone, route } from "#shared/http/route.ts";
import type { Deps } from "./deps.ts";

const description = route({
  method: "GET",
  path: "/docs/api.json",
  outsideApi: true,
  summary: "Machine-readable description of the interface",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, document: z.looseObject({ openapi: z.string() }) },
  async handle(_call, { openapi }: Deps) {
    return { json: openapi() };
  },
});

export const routes = [description];
