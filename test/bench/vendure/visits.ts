import { randomInt } from "node:crypto";
import type { Send, Target, Visit } from "../scenarios.ts";

/** The API of the shop, or of its staff. */
type Api = "shop-api" | "admin-api";

interface Answer {
  readonly data: Record<string, unknown>;
  /** The token of the session, if the call has begun one. */
  readonly token: string | undefined;
}

/**
 * Sends an operation to Vendure.
 *
 * @throws Error when the answer has an error, or a result that is an error
 */
export async function ask(
  send: Send,
  api: Api,
  query: string,
  { variables = {}, token }: { variables?: object; token?: string | undefined } = {},
): Promise<Answer> {
  const { status, headers, body } = await send({
    method: "POST",
    path: `/${api}`,
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  if (status !== 200 || body.includes('"errorCode"') || body.includes('"errors"'))
    throw new Error(`${query.slice(0, 60)}: ${status} ${body.slice(0, 300)}`);
  const begun = headers["vendure-auth-token"];
  return {
    data: (JSON.parse(body) as { data: Record<string, unknown> }).data,
    token: typeof begun === "string" ? begun : undefined,
  };
}

const problem = "... on ErrorResult { errorCode message }";
const card = `productId productName slug productAsset { id preview } currencyCode inStock
  priceWithTax { ... on PriceRange { min max } ... on SinglePrice { value } }`;
const listOf = (more = "") =>
  `query List($input: SearchInput!) { search(input: $input) { totalItems items { ${card} } ${more} } }`;
const facetCounts = "facetValues { count facetValue { id code name facet { id name } } }";
const order = `... on Order { id code state totalQuantity subTotalWithTax shippingWithTax totalWithTax currencyCode
  lines { id quantity unitPriceWithTax linePriceWithTax featuredAsset { preview } productVariant { id name sku } } }`;

const search = (input: object) => ({
  variables: { input: { groupByProduct: true, take: 24, skip: 0, ...input } },
});

/** The ids of facet values by their names, read once. */
let facetIds: Promise<Map<string, string>> | undefined;
async function readFacetIds(send: Send): Promise<Map<string, string>> {
  const { data } = await ask(send, "shop-api", "{ facets { items { values { id name } } } }");
  const { items } = data["facets"] as { items: { values: { id: string; name: string }[] }[] };
  return new Map(items.flatMap(({ values }) => values).map(({ id, name }) => [name, id]));
}
async function anyOf(send: Send, ...names: readonly string[]) {
  const ids = await (facetIds ??= readFacetIds(send));
  return { or: names.map((name) => ids.get(name)) };
}

const addItem = `mutation Add($variant: ID!) {
  addItemToOrder(productVariantId: $variant, quantity: 1) { ${order} ${problem} } }`;

const addItems = `mutation Add($inputs: [AddItemInput!]!) {
  addItemsToOrder(inputs: $inputs) { order { ${order} } errorResults { ${problem} } } }`;

const aVariant = ({ skus }: Target) => skus[randomInt(skus.length)];

/** A new cart with a line. */
async function fillCart(send: Send, target: Target) {
  const variables = { variant: aVariant(target) };
  const { token, data } = await ask(send, "shop-api", addItem, { variables });
  const { lines } = data["addItemToOrder"] as { lines: { id: string }[] };
  return { token, line: lines[0]?.id };
}

/** Carts that no visit uses at the moment. */
const idleCarts: Awaited<ReturnType<typeof fillCart>>[] = [];

async function checkOut(send: Send, target: Target): Promise<void> {
  const inputs = [0, 1].map(() => ({ productVariantId: aVariant(target), quantity: 1 }));
  const { token } = await ask(send, "shop-api", addItems, { variables: { inputs } });
  const call = (query: string, variables: object = {}) =>
    ask(send, "shop-api", query, { variables, token });
  const { data } = await call("{ eligibleShippingMethods { id name priceWithTax } }");
  const [method] = data["eligibleShippingMethods"] as { id: string }[];
  await call(
    `mutation Customer($input: CreateCustomerInput!) {
      setCustomerForOrder(input: $input) { ... on Order { id } ${problem} } }`,
    {
      input: { firstName: "Asha", lastName: "Rao", emailAddress: `a${randomInt(1e9)}@example.com` },
    },
  );
  await call(
    `mutation Address($input: CreateAddressInput!) {
      setOrderShippingAddress(input: $input) { ... on Order { id } ${problem} } }`,
    {
      input: {
        fullName: "Asha Rao",
        streetLine1: "4 Church Street",
        city: "Bengaluru",
        postalCode: "560001",
        countryCode: "IN",
      },
    },
  );
  await call(
    `mutation Method($ids: [ID!]!) { setOrderShippingMethod(shippingMethodId: $ids) { ${order} ${problem} } }`,
    { ids: [method?.id] },
  );
  await call(
    `mutation { transitionOrderToState(state: "ArrangingPayment") {
      ... on Order { id state } ... on OrderStateTransitionError { errorCode message transitionError } } }`,
  );
  await call(
    `mutation { addPaymentToOrder(input: { method: "transfer", metadata: {} }) { ${order} ${problem} } }`,
  );
}

/** The visits of `scenarios` that Vendure has too, by the same names. */
export const vendureVisits: Readonly<Record<string, Visit>> = {
  async list(send) {
    const facetValueFilters = [await anyOf(send, "grey", "blue"), await anyOf(send, "teak", "oak")];
    await ask(send, "shop-api", listOf(), search({ facetValueFilters, sort: { price: "ASC" } }));
  },
  async facets(send) {
    const facetValueFilters = [await anyOf(send, "grey", "blue")];
    const input = search({ facetValueFilters, sort: { price: "ASC" } });
    await ask(send, "shop-api", listOf(facetCounts), input);
  },
  async search(send) {
    // It does not find words with a typo.
    await ask(send, "shop-api", listOf(), search({ term: "teak chair" }));
  },
  async detail(send, { slug }) {
    const query = `query Detail($slug: String!) { product(slug: $slug) { id name slug description
      featuredAsset { id preview } assets { id preview } facetValues { id name facet { name } } collections { id slug name }
      variants { id name sku priceWithTax currencyCode stockLevel options { id name group { name } } } } }`;
    await ask(send, "shop-api", query, { variables: { slug } });
  },
  async "new cart with a line"(send, target) {
    await fillCart(send, target);
  },
  async "change a line"(send, target) {
    const cart = idleCarts.pop() ?? (await fillCart(send, target));
    const query = `mutation Change($line: ID!, $quantity: Int!) {
      adjustOrderLine(orderLineId: $line, quantity: $quantity) { ${order} ${problem} } }`;
    const variables = { line: cart.line, quantity: randomInt(1, 9) };
    await ask(send, "shop-api", query, { variables, token: cart.token });
    idleCarts.push(cart);
  },
  async "staff's order list"(send, { staffToken }) {
    const query = `query Orders($options: OrderListOptions) { orders(options: $options) { totalItems items {
      id code state orderPlacedAt totalWithTax currencyCode totalQuantity
      customer { id firstName lastName emailAddress } shippingLines { shippingMethod { name } } } } }`;
    const options = {
      take: 24,
      skip: 0,
      sort: { orderPlacedAt: "DESC" },
      filter: { active: { eq: false } },
    };
    await ask(send, "admin-api", query, { variables: { options }, token: staffToken });
  },
  "whole checkout": checkOut,
};
