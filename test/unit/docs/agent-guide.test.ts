import { describe, expect, test } from "vitest";
import { type ShopFacts, agentGuide } from "#functions/docs/agent-guide.ts";
import { description } from "#functions/docs/description.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { aCategory, someCategories } from "#test/support/shop/builders.ts";
import { aStore, anId } from "#test/support/shop/commerce.ts";

const document = await description();
const shop = (overrides: Partial<ShopFacts> = {}): ShopFacts => ({
  store: aStore(),
  seo: { ...defaultSettings.seo, default_description: "Chairs for long evenings." },
  categories: someCategories,
  ...overrides,
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
