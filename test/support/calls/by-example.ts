import type { Route } from "#shared/http/route.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { type Data, mark } from "../back-office/catalog.ts";
import { everyRoute, paramsOf } from "../http/every-route.ts";
import type { CallInput } from "./interface-calls.ts";
import type { Shop } from "./shop.ts";

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
