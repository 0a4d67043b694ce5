import { describe, expect, test } from "vitest";
import { type ShopFacts, agentGuide } from "#functions/docs/agent-guide.ts";
import { description } from "#functions/docs/description.ts";
import { resources } from "#infra/generated/entries/docs.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { PaymentMethod } from "#shared/domain/settings/settings.ts";
import type { DepsOf } from "#shared/http/resource.ts";
import { serve } from "#shared/http/serve.ts";
import { aContext, anEvent } from "#test/support/http/in-process.ts";
import { aCategory, someCategories } from "#test/support/shop/builders.ts";
import { aStore, anId } from "#test/support/shop/commerce.ts";

const document = await description();
const shop = (overrides: Partial<ShopFacts> = {}): ShopFacts => ({
  store: aStore(),
  seo: { ...defaultSettings.seo, default_description: "Chairs for long evenings." },
  categories: someCategories,
  ...overrides,
});

describe("the documentation", () => {
  const answer = (path: string, isDocsOpen: boolean, params = {}) => {
    const deps = { isDocsOpen, everyRoute: [], openapi: async () => document, shopFacts: shop };
    const handler = serve(resources, () => deps as unknown as DepsOf<typeof resources>);
    return handler(anEvent(`GET ${path}`, { params }), aContext());
  };

  test.each([
    ["/docs/api.json", {}, "application/json; charset=utf-8"],
    ["/docs/api", {}, "text/html; charset=utf-8"],
    ["/docs/api/{asset}", { asset: "start.js" }, "text/javascript; charset=utf-8"],
    ["/docs/api/{asset}", { asset: "swagger-ui.css" }, "text/css; charset=utf-8"],
    ["/docs/api/{asset}", { asset: "favicon-32x32.png" }, "image/png"],
    ["/llms.txt", {}, "text/plain; charset=utf-8"],
  ])("%s %j is %s, or not found where it is not public", async (path, params, type) => {
    const [open, closed] = [await answer(path, true, params), await answer(path, false, params)];
    expect([open.statusCode, open.headers["Content-Type"]]).toEqual([200, type]);
    expect(closed.statusCode).toBe(404);
  });
});

describe("the guide for agents", () => {
  const guide = agentGuide(document, shop());

  test("begins with the shop's name and a summary, as llms.txt requires", () => {
    expect(guide).toMatch(/^# Teak & Thread\n\n> Chairs for long evenings\. Prices are in INR\./);
  });

  test("lists what the shop sells, with links to the storefront", () => {
    expect(guide).toContain(
      "- [Seating](https://shop.example.com/categories/seating): Chairs, Sofas",
    );
    expect(guide).not.toContain("living-room");
  });

  test("shows how to search, price, fill a cart and check out, with the bodies to send", () => {
    const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, object>> };
    const named = [...guide.matchAll(/- `(GET|POST|PATCH) (\/api\/v1\/[^`]+)`/g)];
    for (const [, method = "", path = ""] of named)
      expect(paths[path]?.[method.toLowerCase()], path).toBeDefined();
    expect(named.length).toBeGreaterThan(8);
    expect(guide).toMatch(/`GET \/api\/v1\/products`: .*Query: `q`, /);
    for (const post of ["/sofas/{slug}/price", "/cart", "/checkout"])
      expect(guide).toMatch(
        new RegExp(`\`POST /api/v1${post.replaceAll(/[{}]/g, "\\$&")}\`: .*Body: \`\\{"`),
      );
  });

  const lineOf = (operation: string) =>
    guide.split("\n").find((line) => line.startsWith(`- \`${operation}\``)) ?? "";

  test("names each header that a purchase needs, says where its value comes from, and where it is sent", () => {
    expect(guide).toMatch(/^- `X-Cart-Token`: .*`token` in the response that created the cart/m);
    expect(guide).toMatch(/^- `X-Order-Token`: `order_access_token` of the checkout/m);
    for (const operation of [
      "GET /api/v1/cart",
      "PATCH /api/v1/cart/items",
      "POST /api/v1/checkout",
    ])
      expect(lineOf(operation)).toMatch(/Headers: `X-Cart-Token`/);
    for (const operation of [
      "POST /api/v1/checkout/{order}/confirm",
      "GET /api/v1/orders/{id}",
      "POST /api/v1/orders/{id}/cancel",
    ])
      expect(lineOf(operation)).toMatch(/Headers: .*`X-Order-Token`/);
  });

  test("names the payment methods, and the operation that says which of them the shop offers", () => {
    const codes = PaymentMethod.options.map((code) => `\`${code}\``).join(", ");
    expect(lineOf("POST /api/v1/checkout")).toContain(`\`payment_method\` is one of ${codes}.`);
    expect(lineOf("GET /api/v1/bootstrap")).toContain("`payment_methods`");
  });

  test("says what the variables of paths stand for, and how items are written in a query", () => {
    for (const [operation, variable] of [
      ["POST /api/v1/checkout/{order}/confirm", "{order}"],
      ["GET /api/v1/orders/{id}", "{id}"],
      ["POST /api/v1/orders/{id}/cancel", "{id}"],
    ] as const)
      expect(lineOf(operation)).toContain(
        `\`${variable}\`: \`id\` of the order, not its \`number\``,
      );
    expect(lineOf("GET /api/v1/shipping/quote")).toMatch(
      /`items` \(.*`:quantity`.*: `ACH-KAVERI-LOUNGE-OAT:2,saanjh-sofa`\)/,
    );
  });

  test("shows no id as if the shop had a record with it", () => {
    expect(lineOf("PATCH /api/v1/cart/items")).toContain('{"id":"line_…","quantity":3}');
    expect(guide).not.toMatch(/_[0-9A-HJKMNP-TV-Z]{26}/);
  });

  test("has fewer than 10,000 characters, even with many categories", () => {
    const many = Array.from({ length: 30 }, (_, number) =>
      aCategory({ id: anId("cat", 100 + number), slug: `kind-${number}`, name: `Kind ${number}` }),
    );
    expect(agentGuide(document, shop({ categories: many })).length).toBeLessThan(10_000);
  });

  test("cannot be made if the OpenAPI document lacks one of its operations", () => {
    const { paths, ...rest } = JSON.parse(document) as { paths: Record<string, object> };
    const { "/api/v1/cart": _cart, ...others } = paths;
    expect(() => agentGuide(JSON.stringify({ ...rest, paths: others }), shop())).toThrow(
      "has no operation POST /api/v1/cart",
    );
  });
});
