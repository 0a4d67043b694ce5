import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { anyone, route } from "#shared/http/route.ts";

export const getHealth = route({
  method: "GET",
  path: "/health",
  summary: "Check that the service is up",
  description: "Does not access storage.",
  access: anyone,
  request: {},
  response: {
    status: 200,
    data: z.object({
      ok: z.boolean(),
      app: z.string().meta({ example: "furniture-storefront" }),
      time: z.iso.datetime({ offset: true }),
    }),
  },
  async handle({ now }, { appName }: Shop<"appName">) {
    return { data: { ok: true, app: appName, time: now.toISOString() } };
  },
});

export const routes = [getHealth];
