import type { Stack } from "#infra/local/stack.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { type Client, type Reply, clientOf } from "../http/client.ts";
import {
  type Described,
  type Description,
  type Judge,
  jsonBodyOf,
  judgeBy,
} from "../http/description.ts";
import { type CallerName, type FuzzRequest, callers } from "./fuzz-requests.ts";
import { bearer } from "../people/members.ts";
import { type World, signedIn, worldOf } from "../people/people.ts";
import { aCheckout, plantCoupon, plantProduct } from "../shop/plant.ts";
import { type Data, aShopper } from "../shop/shopping.ts";
import type { Vocabulary } from "../http/schemas.ts";
import { type Problem, faultOf } from "../http/answers.ts";

type Headers = Readonly<Record<string, string>>;

/** Names of records, such as ids and slugs, that occurred in the service's responses. */
export interface Learnt {
  /** Names by the path of the list that contained them. */
  readonly lists: ReadonlyMap<string, Vocabulary>;
  /** Names by the member that contained them, such as `sku`. */
  readonly members: ReadonlyMap<string, Vocabulary>;
}

export interface FuzzCallers {
  /** The caller's credentials. An operation that ends the session gets a separate caller. */
  headersFor(request: Pick<FuzzRequest, "caller" | "described">): Promise<Headers>;
  /** Signs in a new caller, unless the operation refuses callers of this kind anyway. */
  renewFor(request: Pick<FuzzRequest, "caller" | "described">): Promise<void>;
  learn(operations: readonly Described[]): Promise<Learnt>;
}

const ending = /\/logout$|^DELETE \/api\/v1\/account$/;
const names = new Set(["id", "slug", "sku", "code", "number", "version", "key", "group"]);

/** Callers of every kind in a separate shop, and the names that they see there. */
export async function fuzzCallers({ baseUrl, environment }: Stack): Promise<FuzzCallers> {
  const world: World = worldOf(environment);
  const proofs = new Map<CallerName, Headers>();
  const chair = await plantProduct(world.table, { units: 1_000_000 });
  await plantCoupon(world.table);

  const line = { sku: chair.sku, quantity: 1 };

  async function somebody(caller: CallerName): Promise<Headers> {
    if (caller === "guest") return (await aShopper(baseUrl, [line])).headers;
    if (caller === "customer") return aCustomer();
    const role = caller === "owner" ? "owner" : "analyst";
    return bearer((await signedIn(world, "staff", { role })).token);
  }
  const renew = async (caller: CallerName) => {
    proofs.set(caller, await somebody(caller));
  };

  /** A customer with an address, a wishlist entry, an order and a cart. */
  async function aCustomer(): Promise<Headers> {
    const headers = bearer((await signedIn(world, "customer")).token);
    const client: Client = clientOf(baseUrl);
    const { shipping_address: place, name, phone, ...checkout } = aCheckout();
    const address = { ...(place as object), name, phone };
    await client.post("/addresses", { ...address, label: "Home" }, headers);
    await client.post("/wishlist", { product: chair.product.slug }, headers);
    await client.post<Data<Cart>>("/cart", { items: [line] }, headers);
    const order = { ...checkout, name, phone, shipping_address: place };
    await client.post<Data<CheckoutAnswer>>("/checkout", order, headers);
    await client.post<Data<Cart>>("/cart", { items: [line] }, headers);
    return headers;
  }

  async function learn(operations: readonly Described[]): Promise<Learnt> {
    const known = new Map<string, Vocabulary>();
    const members = new Map<string, Vocabulary>();
    const add = (to: Map<string, Vocabulary>, key: string, names: Vocabulary) =>
      to.set(key, [...new Set([...(to.get(key) ?? []), ...names])]);
    const reads = operations.filter(({ method }) => method === "GET");
    const ask = async (path: string, address: string) => {
      const caller = path.startsWith("/api/v1/admin/") ? "owner" : "customer";
      const reply: Reply = await clientOf(baseUrl).send("GET", address, {
        headers: proofs.get(caller) ?? {},
      });
      if (reply.status !== 200) return;
      const names = namesIn(reply.body);
      add(
        known,
        path,
        names.map(({ name }) => name),
      );
      for (const { member, name } of names) add(members, member, [name]);
    };
    for (const { path } of reads.filter((each) => !each.path.includes("{"))) {
      await ask(path, path);
    }
    for (const { path } of reads) {
      const [list = "", rest] = path.split(/\/\{\w+\}/);
      if (rest === undefined || /\{\w+\}.*\{/.test(path)) continue;
      for (const name of (known.get(list) ?? []).slice(0, 4)) {
        await ask(path, path.replace(/\{\w+\}/, encodeURIComponent(name)));
      }
    }
    return { lists: known, members };
  }

  await Promise.all(callers.map(renew));
  return {
    headersFor: async ({ caller, described: { name } }) =>
      ending.test(name) ? somebody(caller) : (proofs.get(caller) ?? {}),
    async renewFor({ caller, described: { operation } }) {
      const guard = { guest: "none", customer: "customer", owner: "staff", colleague: "staff" }[
        caller
      ];
      if ((operation.security ?? []).some((each) => guard in each)) await renew(caller);
    },
    learn,
  };
}

/** The names in a response, outermost first. */
function namesIn(value: unknown): { member: string; name: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.entries(value).flatMap(([member, name]: [string, unknown]) =>
    (names.has(member) || /_(?:id|slug)$/.test(member)) && /^(?:string|number)$/.test(typeof name)
      ? [{ member, name: String(name) }]
      : [],
  );
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

/**
 * Checks responses against the OpenAPI document only.
 *
 * @returns a short text that is equal for equal errors; undefined if the response is valid
 */
export function answersBy(description: Description) {
  const judge = judgeBy(description);

  return (request: FuzzRequest, reply: Reply): string | undefined => {
    const { described, headers } = request;
    const { status } = reply;
    if (status >= 500) return `${status}`;
    const { responses } = described.operation;
    const declared =
      responses[String(status)] ?? (status >= 400 ? responses["default"] : undefined);
    if (isTurnedAway(request, reply)) return undefined;
    if (!declared) return `${status} ${codeOf(reply)} is not described`;
    if (status >= 400) return refusal(judge, declared, reply);
    if (status === 304) return headers["if-none-match"] === undefined ? "304" : undefined;
    return success(judge, declared, reply) ?? took(judge, request);
  };
}

type Declared = Description["paths"][string][string]["responses"][string];

const codeOf = ({ body }: Reply): string => (body as Problem | undefined)?.code ?? "without a code";

/** Whether API Gateway itself refused the call, because it had no token. */
const isTurnedAway = ({ described, caller }: FuzzRequest, { status, body }: Reply): boolean =>
  status === 401 &&
  caller === "guest" &&
  (described.operation.security ?? []).length > 0 &&
  JSON.stringify(body) === '{"message":"Unauthorized"}';

function refusal(judge: Judge, { description, content }: Declared, reply: Reply) {
  const schema = content?.["application/json"]?.schema;
  const difference = schema ? judge(schema, reply.body) : "the document has no schema for it";
  if (difference !== undefined) return `${reply.status} is not a documented error: ${difference}`;
  const code = codeOf(reply);
  if (!description.includes(`\`${code}\``)) return `${reply.status} ${code} is not described`;
  // A message that is no sentence is accepted, because it may start with a name that the caller sent.
  const fault = faultOf(reply);
  return fault?.startsWith("no sentence") ? undefined : fault?.slice(0, 60);
}

function success(judge: Judge, { content }: Declared, { status, body, text }: Reply) {
  const schema = content?.["application/json"]?.schema;
  if (!schema) return text === "" ? undefined : `${status} with a body`;
  const difference = judge(schema, body);
  return difference === undefined
    ? undefined
    : `${status} differs from the document: ${difference}`;
}

/** What is wrong with a request body that the service accepted; undefined if the body is valid. */
function took(judge: Judge, { described, body }: FuzzRequest): string | undefined {
  const schema = jsonBodyOf(described.operation);
  if (!schema || body === undefined) return undefined;
  const difference = judge(schema, JSON.parse(body));
  return difference && `accepted a request body that the document does not allow: ${difference}`;
}
