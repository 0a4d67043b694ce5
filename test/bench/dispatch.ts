import { asResource } from "#test/support/stack/toy-service.ts";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import middy from "@middy/core";
import { hash } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { CheckoutInput } from "#shared/domain/checkout/checkout.ts";
import { parsedBy, parsedJson } from "#shared/domain/base/parsed-json.ts";
import { Card } from "#shared/domain/catalog/card.ts";
import { CursorMeta } from "#shared/http/paging.ts";
import { withMediaUrls } from "#shared/domain/upload/media.ts";
import { anyone, route } from "#shared/http/route.ts";
import { type FrameDeps, serve } from "#shared/http/serve.ts";
import * as z from "zod";
import { aContext, anEvent } from "#test/support/http/in-process.ts";
import { aCheckout } from "#test/support/shop/plant.ts";
import { cpuMicroseconds } from "./cpu.ts";
import type { Section } from "./report.ts";

const cards = Array.from({ length: 24 }, (_, at): Card => ({
  id: `prd_${at}`,
  kind: "product",
  slug: `oslo-lounge-chair-${at}`,
  name: "Oslo lounge chair",
  subtitle: "In grey oak",
  category: { slug: "accent-chairs", name: "Accent chairs" },
  variant_id: null,
  sku: null,
  image: { url: `media://products/${at}/front.webp`, alt: "Oslo", width: 1600, height: 1200 },
  currency: "INR",
  price: 4_599_000,
  compare_at_price: null,
  price_from: false,
  badges: [],
  swatches: [{ code: "grey", label: "Grey", hex: "#777777", sku: null, image: null }],
  availability: { state: "in_stock", quantity: null, lead_time: { min_days: 2, max_days: 5 } },
}));
const rows = cards.map((card) => parsedJson(parsedBy(Card, card)));

const readyList = route({
  method: "GET",
  path: "/ready",
  summary: "A list whose cards are serialized already",
  access: anyone,
  cache: "public",
  request: { query: z.strictObject({ page: z.coerce.number().int().min(1).default(1) }) },
  response: { status: 200, data: z.array(Card), meta: CursorMeta, serialized: true },
  handle: async (_call, _deps: FrameDeps) => ({ rows, meta: { per_page: 24, next_cursor: null } }),
});
const parsedList = route({
  ...readyList,
  path: "/parsed",
  request: {},
  response: { status: 200, data: z.array(Card) },
  handle: async (_call, _deps: FrameDeps) => ({ data: cards }),
});
const takeCheckout = route({
  method: "POST",
  path: "/checkout",
  summary: "A checkout that does nothing",
  access: anyone,
  request: { body: CheckoutInput },
  response: { status: 201, data: z.object({ email: z.string() }) },
  handle: async ({ body }, _deps: FrameDeps) => ({ data: { email: body.email } }),
});

const context = aContext();
const deps = { mediaBaseUrl: "https://media.example.com" };
const batch = 2_000;

export async function dispatchSection(): Promise<Section> {
  const framed = serve(asResource(readyList, parsedList, takeCheckout), () => deps);
  const body = JSON.stringify(aCheckout());
  const list = () => anEvent("GET /api/v1/ready", { query: { page: "1" } });
  const parsedCards = () => anEvent("GET /api/v1/parsed");
  const checkout = () => anEvent("POST /api/v1/checkout", { body });
  const parser = middy<APIGatewayProxyEventV2>()
    .use(httpJsonBodyParser())
    .handler(async () => undefined);
  const plain = middy<APIGatewayProxyEventV2>().handler(async () => undefined);
  const shape = z.array(Card);
  const text = JSON.stringify({ data: cards });
  const parsedBody: unknown = JSON.parse(body);

  const whole: [string, () => unknown, () => unknown][] = [
    ["GET, 24 cards as serialized rows", () => framed(list(), context), () => ({ body: text })],
    [
      "GET, 24 cards parsed by their schema",
      () => framed(parsedCards(), context),
      () => ({ body: JSON.stringify({ data: cards }) }),
    ],
    [
      "POST, a checkout's body",
      () => framed(checkout(), context),
      () => ({
        body: JSON.stringify({ data: { email: (JSON.parse(body) as { email: string }).email } }),
      }),
    ],
  ];
  const parts: [string, () => unknown][] = [
    ["part: making the event (the bench's own)", checkout],
    ["part: Middy without middlewares", () => plain(checkout(), context)],
    ["part: Middy's JSON body parser", () => parser(checkout(), context)],
    ["part: JSON.parse of the same body", () => JSON.parse(body) as unknown],
    ["part: zod on a checkout's body", () => CheckoutInput.parse(parsedBody)],
    ["part: zod on 24 cards going out", () => shape.parse(cards)],
    ["part: JSON.stringify of 24 cards", () => JSON.stringify(cards)],
    ["part: ETag of 24 cards", () => hash("sha256", text, "base64url")],
    ["part: media addresses of 24 cards", () => withMediaUrls(cards, deps.mediaBaseUrl)],
  ];
  const rows: (string | number | null)[][] = [];
  for (const [what, work, bare] of whole) {
    rows.push([
      what,
      await cpuMicroseconds(work, batch),
      await cpuMicroseconds(async () => bare(), batch),
    ]);
  }
  const timed: [string, number][] = [];
  for (const [what, work] of parts) timed.push([what, await cpuMicroseconds(work, batch)]);
  rows.push(
    ...timed.toSorted(([, one], [, other]) => other - one).map(([what, us]) => [what, us, null]),
  );
  return {
    title: "Dispatch",
    note: "CPU time of the HTTP framework per request: routing, validation, serialization and Middy. The bare function returns the same bytes. The parts are sorted by cost, the most expensive first.",
    columns: ["what", "µs", "bare function µs"],
    rows,
  };
}
