import { explorerAssets } from "#functions/docs/explorer.ts";
import type { StackEnvironment } from "#infra/local/stack.ts";
import { type Route, apiPrefix, fullPath } from "#shared/http/route.ts";
import { type Client, clientOf } from "#test/support/client.ts";
import { everyRoute, paramsOf, pathOf } from "#test/support/every-route.ts";
import { aMember, bearer } from "#test/support/members.ts";
import { signedIn, worldOf } from "#test/support/people.ts";
import { aCheckout, plantProduct, tableOf } from "#test/support/plant.ts";
import type { ProxiedService } from "#test/support/proxied-service.ts";
import { type StorageCost, costOf } from "./storage-costs.ts";

type Headers = Record<string, string>;

/** Variables of paths whose list does not tell what they may be. */
const values: Record<string, string> = {
  "/pages/{slug}": "shipping",
  "/admin/settings/{group}": "store",
  "/admin/exports/{type}": "orders",
  "/docs/api/{asset}": explorerAssets[0] ?? "",
};

/** Routes by name, as budgets have them: method and path without the prefix that all share. */
export const nameOf = ({ method, path }: Pick<Route, "method" | "path">): string =>
  `${method} ${path}`;

/**
 * Calls every endpoint that only reads, of anybody, of a customer with an order and of staff, on warm functions over
 * the demo shop. Those of whose variables the shop's lists show no example are left out.
 */
export async function measureReadingCosts(
  service: ProxiedService,
  environment: StackEnvironment,
): Promise<StorageCost[]> {
  const client = clientOf(service.baseUrl);
  const headersOf = await everybody(service, environment);
  const reading = everyRoute.map(({ route }) => route).filter(({ method }) => method === "GET");
  const found = await Promise.all(
    reading.map(async (route) => {
      const headers = headersOf(route);
      const path = await addressOf(client, route, headers);
      return path === undefined ? [] : [{ route, path, headers }];
    }),
  );
  const calls = found.flat();
  const ask = ({ path, headers }: (typeof calls)[number]) => client.send("GET", path, { headers });
  // What is read for the first time is not what a call costs.
  const warm = await Promise.all(calls.map(ask));
  const costs: StorageCost[] = [];
  for (const [at, call] of calls.entries()) {
    if ((warm[at]?.status ?? 500) >= 400) continue;
    costs.push((await costOf(service, nameOf(call.route), () => ask(call))).cost);
  }
  return costs;
}

/** Somebody new of each kind. @returns what a call of a route carries */
async function everybody(service: ProxiedService, environment: StackEnvironment) {
  const { token } = await signedIn(worldOf(environment), "staff");
  const member = await aMember(service.baseUrl);
  const { sku, product } = await plantProduct(tableOf(environment));
  const { client, headers } = member;
  await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
  await client.post("/checkout", aCheckout(), headers);
  await client.post("/addresses", anAddressBody, headers);
  await client.post("/wishlist", { product_id: product.id }, headers);
  return ({ access }: Route): Headers => {
    if (access.guard === "staff") return bearer(token);
    return access.guard === "customer" ? headers : {};
  };
}

const anAddressBody = {
  name: "Asha Rao",
  phone: "+919812345678",
  line1: "4 Church Street",
  city: "Bengaluru",
  postal_code: "560001",
  country: "IN",
};

/** The address of a route, with variables of the first thing in the list that stands before them. */
async function addressOf(
  client: Client,
  route: Route,
  headers: Headers,
): Promise<string | undefined> {
  const [variable] = paramsOf(route);
  if (variable === undefined) return fullPath(route);
  const known = values[route.path];
  if (known !== undefined) return pathOf(route, () => known);
  const list = apiPrefix + route.path.slice(0, route.path.indexOf("/{"));
  const { body } = await client.send<{ data?: unknown }>("GET", list, { headers });
  const first: unknown = Array.isArray(body?.data) ? body.data[0] : undefined;
  const value = (first as Record<string, unknown> | undefined)?.[variable];
  return typeof value === "string" ? pathOf(route, () => value) : undefined;
}
