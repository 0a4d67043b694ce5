import { textInSentences } from "#shared/domain/base/plain-text.ts";
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
interface Schema {
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly enum?: readonly (string | number)[];
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
}
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly schema?: Schema | Reference;
}
type Schemas = Description["components"]["schemas"];
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
    operations: [
      "GET /api/v1/bootstrap",
      "POST /api/v1/checkout",
      "POST /api/v1/checkout/{order}/confirm",
    ],
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

/** Parameters that the guide leaves out, because a purchase needs none of them. */
const unmentioned = new Set([
  "page",
  "per_page",
  "include",
  "preview",
  "if-match",
  "if-none-match",
  "idempotency-key",
]);

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
    "Bodies are examples: take SKUs, slugs, codes and ids from responses. Send these headers to use a guest's cart and order:",
    headerLines(description),
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
      const notes = [below, textInSentences(description_html)]
        .filter((text) => text !== "")
        .join(". ");
      return `- [${name}](${pageAddress(shop, "category", slug)})${notes && `: ${notes}`}`;
    })
    .join("\n");
}

function operationLine(name: string, description: Description): string {
  const operation = operationOf(name, description);
  const { schemas } = description.components;
  const sent = parametersOf(operation, description);
  const query = sent.filter((each) => each.in === "query").map((each) => queryText(each));
  const headers = sent.filter((each) => each.in === "header").map((each) => headerName(each));
  const body = operation.requestBody?.content["application/json"]?.schema;
  return [
    `- \`${name}\`: ${operation.summary}.`,
    operation.description,
    ...sent.map((each) => variableText(each)),
    query.length > 0 && `Query: ${query.join(", ")}.`,
    headers.length > 0 && `Headers: ${headers.join(", ")}.`,
    body && bodyText(resolved(body, schemas), schemas),
  ]
    .filter(Boolean)
    .join(" ");
}

/** @throws Error when the document lacks the operation */
function operationOf(name: string, { paths }: Description): Operation {
  const [method = "", path = ""] = name.split(" ");
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The OpenAPI document has no operation ${name}.`);
  return operation;
}

const parametersOf = ({ parameters = [] }: Operation, { components }: Description): Parameter[] =>
  parameters
    .map((each) => resolved(each, components.parameters))
    .filter(({ name }) => !unmentioned.has(name));

/** The name of a query parameter. If its value has a syntax of its own, also its description and an example. */
function queryText({ name, description, schema = {} }: Parameter): string {
  const syntax = "pattern" in schema && `${description ?? ""}: \`${String(exampleOf(schema))}\``;
  return syntax ? `\`${name}\` (${syntax})` : `\`${name}\``;
}

const variableText = ({ in: place, name, description }: Parameter): string | undefined =>
  place === "path" && description !== undefined ? `\`{${name}}\`: ${description}.` : undefined;

/** The name of a header in its usual case, such as `X-Cart-Token`. */
const headerName = ({ name }: Parameter): string =>
  `\`${name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}\``;

/** The headers of the guide's operations, each with its description. */
function headerLines(description: Description): string {
  const headers = steps
    .flatMap(({ operations }) => operations.map((name) => operationOf(name, description)))
    .flatMap((operation) => parametersOf(operation, description))
    .filter((each) => each.in === "header");
  return [
    ...new Set(headers.map((each) => `- ${headerName(each)}: ${each.description ?? ""}`)),
  ].join("\n");
}

/** The example of a body without the parts of ids that differ in every shop, and the codes that its members accept. */
function bodyText(body: Schema, schemas: Schemas): string | undefined {
  const example = exampleOf(body);
  if (example === undefined) return undefined;
  const shown = JSON.stringify(example).replaceAll(/\b([a-z]+_)[0-9A-HJKMNP-TV-Z]{26}\b/g, "$1…");
  const codes = Object.entries(body.properties ?? {}).flatMap(([name, member]) => {
    const values = resolved(member, schemas).enum;
    return values
      ? [`\`${name}\` is one of ${values.map((value) => `\`${value}\``).join(", ")}.`]
      : [];
  });
  return [`Body: \`${shown}\`.`, ...codes].join(" ");
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
