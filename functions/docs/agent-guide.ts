import { plainText } from "#shared/domain/base/plain-text.ts";
import { type Category, categoryTree } from "#shared/domain/catalog/category.ts";
import {
  type StorefrontSettings,
  pageAddress,
} from "#shared/domain/settings/storefront-address.ts";

/** The data of the shop that the guide contains. */
export interface ShopFacts extends StorefrontSettings {
  readonly categories: readonly Category[];
}

/** The members of an OpenAPI document that the guide shows. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}
type Reference = { readonly $ref: string };
type Schema = { readonly example?: unknown; readonly examples?: readonly unknown[] };
type Parameter = { readonly in: string; readonly name: string };
interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema | Reference }>>;
  };
}

/** The steps of a purchase, and the operations of each. */
const steps = [
  {
    title: "Search",
    operations: [
      "GET /api/v1/search",
      "GET /api/v1/products",
      "GET /api/v1/products/{slug}",
      "GET /api/v1/sofas",
      "GET /api/v1/sofas/{slug}",
    ],
  },
  { title: "Price", operations: ["POST /api/v1/sofas/{slug}/price", "GET /api/v1/shipping/quote"] },
  {
    title: "Fill a cart",
    operations: ["POST /api/v1/cart", "PATCH /api/v1/cart/items", "GET /api/v1/cart"],
  },
  {
    title: "Check out",
    operations: ["POST /api/v1/checkout", "POST /api/v1/checkout/{order}/confirm"],
  },
  {
    title: "Follow or cancel the order",
    operations: [
      "GET /api/v1/orders/{id}",
      "POST /api/v1/orders/{id}/cancel",
      "GET /api/v1/orders/track/{number}",
    ],
  },
] as const;

/** Query parameters that the guide leaves out, because they only control the size of responses. */
const unmentioned = new Set(["page", "per_page", "include"]);

/**
 * The text of `/llms.txt`: what the shop sells, and how a program buys there. Its format is that of
 * https://llmstxt.org.
 *
 * @param document the OpenAPI document
 * @throws Error when the document lacks an operation of the guide
 */
export function agentGuide(document: string, shop: ShopFacts): string {
  // The document is our own, built from the route declarations.
  const description = JSON.parse(document) as Description;
  const { store, seo } = shop;
  const about = seo.default_description ?? `${store.name} sells furniture.`;
  return [
    `# ${store.name}`,
    `> ${about} Prices are in ${store.currency}. No account and no key is needed to buy.`,
    "## What the shop sells",
    categoryLinks(shop),
    "## How to buy",
    "Paths are relative to the address of this file. Requests and responses are JSON. The result is in `data`. " +
      "Money is an integer in minor units of the `currency` beside it. An error has a `message` for people and a `code`; " +
      "a 422 also names each invalid member in `errors`. Checkout places a binding order, so confirm the total with the buyer first.",
    ...steps.flatMap(({ title, operations }, position) => [
      `### ${position + 1}. ${title}`,
      operations.map((name) => operationLine(name, description)).join("\n"),
    ]),
    "## Further documents",
    [
      "- [OpenAPI document](/docs/api.json): every operation with its schemas and errors",
      "- [Product feed](/feeds/google-products.xml): every SKU with its price and availability",
      "- [Sitemap](/sitemap.xml): every page of the storefront",
    ].join("\n"),
    "",
  ].join("\n\n");
}

function categoryLinks(shop: ShopFacts): string {
  const roots = categoryTree(shop.categories, "category", () => 0);
  return roots
    .map(({ name, slug, description_html, children }) => {
      const below = children.map((child) => child.name).join(", ");
      const notes = [below, plainText(description_html)].filter((text) => text !== "").join(". ");
      return `- [${name}](${pageAddress(shop, "category", slug)})${notes && `: ${notes}`}`;
    })
    .join("\n");
}

function operationLine(name: string, description: Description): string {
  const [method = "", path = ""] = name.split(" ");
  const operation = description.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The OpenAPI document has no operation ${name}.`);
  const { schemas, parameters } = description.components;
  const sent = (operation.parameters ?? []).map((each) => resolved(each, parameters));
  const query = sent.flatMap((each) =>
    each.in === "query" && !unmentioned.has(each.name) ? `\`${each.name}\`` : [],
  );
  const body = operation.requestBody?.content["application/json"]?.schema;
  const example = body && exampleOf(resolved(body, schemas));
  return [
    `- \`${name}\`: ${operation.summary}.`,
    operation.description,
    query.length > 0 && `Query: ${query.join(", ")}.`,
    example !== undefined && `Body: \`${JSON.stringify(example)}\``,
  ]
    .filter(Boolean)
    .join(" ");
}

const exampleOf = ({ example, examples }: Schema): unknown => example ?? examples?.[0];

/** @throws Error when the document does not contain what a reference names */
function resolved<Part extends object>(
  part: Part | Reference,
  components: Readonly<Record<string, Part>>,
): Part {
  if (!("$ref" in part)) return part;
  const found = components[part.$ref.slice(part.$ref.lastIndexOf("/") + 1)];
  if (!found) throw new Error(`The OpenAPI document has no component ${part.$ref}.`);
  return found;
}
