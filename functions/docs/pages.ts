import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { nothingHere } from "#shared/http/no-route.ts";
import { anyone, route } from "#shared/http/route.ts";
import type { ShopFacts } from "./agent-guide.ts";
import { explorerAsset, explorerAssets, explorerPage } from "./explorer.ts";

export interface DocsShop extends Shop<"isDocsOpen"> {
  /** The OpenAPI document as JSON text. */
  openapi(): Promise<string>;
  /** Reads the data of the shop that the guide for agents contains. */
  shopFacts(): Promise<ShopFacts>;
}

const apiDocument = route({
  method: "GET",
  path: "/docs/api.json",
  outsideApi: true,
  summary: "Get the OpenAPI document",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, document: z.looseObject({ openapi: z.string() }) },
  async handle(_call, { isDocsOpen, openapi }: DocsShop) {
    requireOpen(isDocsOpen);
    return { json: await openapi() };
  },
});

const explorer = route({
  method: "GET",
  path: "/docs/api",
  outsideApi: true,
  summary: "Open the interactive API explorer",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, file: true },
  async handle(_call, { isDocsOpen }: Shop<"isDocsOpen">) {
    requireOpen(isDocsOpen);
    return explorerPage();
  },
});

const explorerFile = route({
  method: "GET",
  path: "/docs/api/{asset}",
  outsideApi: true,
  summary: "Get a file of the API explorer",
  access: anyone,
  cache: "public",
  request: {
    params: z.object({ asset: z.enum(explorerAssets) }),
    headers: z.object({ "accept-encoding": z.string().max(1_000).optional() }),
  },
  response: { status: 200, file: true },
  async handle({ params, headers }, { isDocsOpen }: Shop<"isDocsOpen">) {
    requireOpen(isDocsOpen);
    return explorerAsset(params.asset, headers["accept-encoding"]);
  },
});

/** @throws AppError `not_found` if the documentation is not public */
export function requireOpen(isOpen: boolean): void {
  if (!isOpen) throw nothingHere();
}

export const routes = [apiDocument, explorer, explorerFile];
