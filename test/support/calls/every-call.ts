import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Route } from "#shared/http/route.ts";
import { type Client, type Reply, clientOf } from "../http/client.ts";
import { paramsOf, pathOf, everyRoute } from "../http/every-route.ts";
import { type CallInput, interfaceCalls } from "./interface-calls.ts";
import { catalogCalls, marketingCalls, type Calls, openShop, type Shop } from "./shop.ts";
import { contentCalls } from "./content.ts";
import { enquiryCalls, messageCalls } from "./enquiries.ts";
import { orderCalls } from "./orders.ts";
import { peopleCalls } from "./people.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { type Data, mark } from "../back-office/catalog.ts";

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

type Body = Readonly<Record<string, unknown>>;

/** The example of a route's body. */
export const exampleOf = ({ request }: Route): Body | undefined =>
  request.body?.meta()?.["example"] as Body | undefined;

/** Members that must differ between records, each with a function that makes its value unique. */
const distinct: Readonly<Record<string, (value: string) => string>> = {
  slug: (value) => `${value}-${mark()}`,
  from: (value) => `${value}-${mark()}`,
  title: (value) => `${value} ${mark()}`,
  name: (value) => `${value} ${mark()}`,
};

const unique = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === "string" ? (distinct[name]?.(value) ?? value) : value,
    ]),
  );

/** The path of the list that contains the record of a route. */
const listPathOf = ({ path }: Route): string => path.replace(/\/\{\w+\}$/, "");

/**
 * A call of a route, made from the examples in its declaration. The record that it reads or changes is created from
 * the example of its list's POST; a public route reads the first record of its list.
 */
export async function callByExample({ owner }: Shop, route: Route): Promise<CallInput> {
  const example = exampleOf(route);
  const body = example && (route.method === "PATCH" ? example : unique(example));
  const [variable, ...others] = paramsOf(route);
  if (variable === undefined) return { ...(body && { body }) };
  if (others.length > 0) return {};
  const list = listPathOf(route);
  const creation = everyRoute.find(({ key }) => key === `POST ${apiPrefix}${list}`)?.route;
  const creating = creation && exampleOf(creation);
  if (creating && creation.access.guard === "staff") {
    const { status, text, headers } = await owner.post(list, unique(creating));
    if (status !== 201) throw new Error(`The example of POST ${list} fails: ${status} ${text}`);
    const value = decodeURIComponent(headers.get("location")?.split("/").at(-1) ?? "");
    const kept = body && variable in body ? { ...body, [variable]: value } : body;
    return { params: { [variable]: value }, ...(kept && { body: kept }) };
  }
  if (route.method !== "GET" || route.access.guard !== "none") return {};
  const { body: listed } = await owner.get<Data<Body[]>>(list);
  const value = Array.isArray(listed.data) ? listed.data[0]?.[variable] : undefined;
  if (typeof value !== "string") throw new Error(nothingListed(list));
  return { params: { [variable]: value } };
}

/** The error message if a list contains no record that a test could read. */
export const nothingListed = (list: string): string =>
  `The demo shop has nothing that GET ${list} lists: plant a record in infra/local/demo/plant.ts.`;
