import type { Stack } from "#infra/local/stack.ts";
import { explorerAssets } from "#functions/docs/explorer.ts";
import { type Route, fullPath } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { type Call, everyCall, nameOf } from "#test/support/calls/every-call.ts";
import { type Client, clientOf } from "#test/support/http/client.ts";
import { everyRoute, paramsOf, pathOf, requiredGuard } from "#test/support/http/every-route.ts";
import { aMember, bearer } from "#test/support/people/members.ts";
import { signedIn, worldOf } from "#test/support/people/people.ts";
import { aCheckout, plantProduct, tableOf } from "#test/support/shop/plant.ts";
import type { ProxiedService } from "#test/support/stack/table.ts";
import type { StillClock } from "#test/support/stack/clock.ts";
import { storageBudgets } from "#test/support/calls/budgets.ts";
import { type StorageCost, costOf } from "./storage-costs.ts";

type Headers = Record<string, string>;

const batch = 10;

/** Values, by route path, of path parameters that cannot be taken from the first item of the route's parent list. */
const values: Record<string, string> = {
  "/pages/{slug}": "shipping",
  "/admin/settings/{group}": "store",
  "/admin/exports/{type}": "orders",
  "/docs/api/{asset}": explorerAssets[0] ?? "",
  "/sitemaps/{file}": "1.xml",
};

/**
 * Calls every route once with success: first those that read records from the shop's lists, then all others, each
 * with separate records.
 *
 * @param stack of the demo shop. Before a call is measured, the records that it needs are created in this stack and
 *   processed by its consumers
 * @param without names of routes to leave out
 */
export async function measureRoutes(
  service: ProxiedService,
  stack: Pick<Stack, "baseUrl" | "environment" | "settled"> & { clock: StillClock },
  without: ReadonlySet<string>,
): Promise<StorageCost[]> {
  const client = clientOf(service.baseUrl);
  const headersOf = await everybody(stack);
  const all = everyRoute.map(({ route }) => route).filter((route) => !without.has(nameOf(route)));
  const costs: StorageCost[] = [];

  /**
   * Measures a call right after one that has read the settings, because most calls find them in the cache.
   * The cheapest of several runs is used, because a busy machine may retry a call or delay concurrent requests.
   */
  async function measure(route: Route, ready: Call, more: () => Promise<Call>): Promise<void> {
    const cost = async (call: Call, revalidates: boolean) =>
      (await costOf(service, nameOf(route), () => call(service.baseUrl), { revalidates })).cost;
    const first = await cost(ready, false);
    const undisturbed = first.disturbed ? [] : [first];
    if (undisturbed.some(isWithinBudget)) {
      costs.push(first);
      return;
    }
    const [warming, ...counting] = [await more(), await more(), await more()];
    await stack.settled();
    const again: StorageCost[] = undisturbed;
    await stack.clock.still(async () => {
      await warming?.(service.baseUrl);
      for (const call of counting) again.push(await cost(call, true));
    });
    costs.push(...again.toSorted(byRequestsAndSteps).slice(0, 1));
  }

  const listed = await inBatches(all, async (route) => {
    if (route.method !== "GET") return [];
    const headers = headersOf(route);
    const path = await addressOf(client, route, headers);
    if (path === undefined) return [];
    const call: Call = (to) => clientOf(to).send("GET", path, { headers });
    // Called once before the measurement, because first reads are not part of a call's cost.
    return (await call(service.baseUrl)).status < 400 ? [{ route, call }] : [];
  });
  for (const { route, call } of listed.flat()) await measure(route, call, async () => call);

  const makeReady = await everyCall(stack.baseUrl, stack.environment);
  const known = new Set(listed.flat().map(({ route }) => route));
  const others = all.filter((route) => !known.has(route));
  const calls = await inBatches(others, async (route) => ({ route, call: await makeReady(route) }));
  await stack.settled();
  for (const { route, call } of calls) await measure(route, call, () => makeReady(route));
  return costs;
}

function isWithinBudget({ endpoint, requests, steps }: StorageCost): boolean {
  const [mostRequests = 0, mostSteps = 0] = storageBudgets[endpoint] ?? [];
  return requests <= mostRequests && steps <= mostSteps;
}

const byRequestsAndSteps = (one: StorageCost, other: StorageCost): number =>
  one.requests - other.requests || one.steps - other.steps;

/** Works on a few items at a time, because on a busy machine more concurrent calls would time out. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  of: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += batch) {
    results.push(...(await Promise.all(items.slice(start, start + batch).map(of))));
  }
  return results;
}

/**
 * Signs in a new user of each kind.
 *
 * @returns the credentials for a call of a route
 */
async function everybody({ baseUrl, environment }: Pick<Stack, "baseUrl" | "environment">) {
  const { token } = await signedIn(worldOf(environment), "staff");
  const { client, headers } = await aMember(baseUrl);
  const { sku } = await plantProduct(tableOf(environment));
  await client.post("/cart", { items: [{ sku, quantity: 1 }] }, headers);
  await client.post("/checkout", aCheckout(), headers);
  await client.post("/addresses", anAddressBody, headers);
  await client.post("/wishlist", { product: "kaveri-lounge-chair" }, headers);
  return (route: Route): Headers => {
    const guard = requiredGuard(route);
    if (guard === "staff") return bearer(token);
    return guard === "customer" ? headers : {};
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

/** The path of a route, with parameters from the first item of its parent list. */
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
