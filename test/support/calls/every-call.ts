import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Route } from "#shared/http/route.ts";
import { type Client, type Reply, clientOf } from "../http/client.ts";
import { paramsOf, pathOf } from "../http/every-route.ts";
import { type CallInput, interfaceCalls } from "./interface-calls.ts";
import { callByExample } from "./by-example.ts";
import { catalogCalls } from "./catalog.ts";
import { contentCalls } from "./content.ts";
import { enquiryCalls } from "./enquiries.ts";
import { marketingCalls } from "./marketing.ts";
import { messageCalls } from "./messages.ts";
import { orderCalls } from "./orders.ts";
import { peopleCalls } from "./people.ts";
import { type Calls, openShop } from "./shop.ts";

/** Sends a call to a service, from a new IP address. */
export type Call = (baseUrl: string) => Promise<Reply>;

/**
 * Creates what a call of any route needs to succeed, in a separate shop, because some calls change shared records.
 *
 * @returns a function that prepares the next call of a route
 */
export async function everyCall(
  baseUrl: string,
  environment: StackEnvironment,
): Promise<(route: Route) => Promise<Call>> {
  const prepare = await everyCallInput(baseUrl, environment);
  return async (route) => {
    const { input, proof } = await prepare(route);
    return (to) => send(clientOf(to), route, input, proof);
  };
}

/** Like `everyCall`, but returns the call's input and the caller's credentials, so that tests can change them. */
export async function everyCallInput(
  baseUrl: string,
  environment: StackEnvironment,
): Promise<
  (route: Route) => Promise<{ input: CallInput; proof: Readonly<Record<string, string>> }>
> {
  const [known, shop] = await Promise.all([
    interfaceCalls(baseUrl, environment),
    openShop(baseUrl, environment),
  ]);
  const further: Calls = {
    ...peopleCalls(shop),
    ...contentCalls(shop),
    ...catalogCalls(shop),
    ...orderCalls(shop),
    ...enquiryCalls(shop),
    ...marketingCalls(shop),
    ...messageCalls(shop),
  };
  const proofs: Record<string, Readonly<Record<string, string>>> = known.proofs;
  return async (route) => {
    const name = nameOf(route);
    const declared = further[name] ?? (known.has(name) ? () => known.inputOf(name) : undefined);
    const input = await (declared?.() ?? callByExample(shop, route));
    const missing = paramsOf(route).find((param) => input.params?.[param] === undefined);
    if (missing !== undefined) {
      throw new Error(
        `No record for {${missing}}: add a call of ${name} to test/support/calls, or give an ` +
          "example to the POST of its list, from which the call is made",
      );
    }
    return { input, proof: proofs[route.access.guard] ?? {} };
  };
}

/** The name of a route in the budgets: its method, and its path without the API prefix. */
export const nameOf = ({ method, path }: Pick<Route, "method" | "path">): string =>
  `${method} ${path}`;

/** @param proof the caller's credentials; headers of `input` take precedence */
export function send(
  client: Client,
  route: Route,
  { params = {}, query, body, headers }: CallInput,
  proof: Readonly<Record<string, string>>,
): Promise<Reply> {
  const path = pathOf(route, (name) => params[name] ?? "nothing");
  return client.send(route.method, query === undefined ? path : `${path}?${query}`, {
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...proof,
      ...headers,
    },
  });
}
