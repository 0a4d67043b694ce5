import { type Signal, effect, signal } from "@preact/signals";
import { type Problem, type Schemas, createShopClient } from "furniture-storefront-client";

/** A value that outlives the visit. */
export function kept<Value>(key: string, initial: Value): Signal<Value> {
  const text = localStorage.getItem(key);
  const value = signal<Value>(text === null ? initial : (JSON.parse(text) as Value));
  effect(() => localStorage.setItem(key, JSON.stringify(value.value)));
  return value;
}

/** The signed-in customer. */
export const session = kept<{ token: string; customer: Schemas["Customer"] } | null>("session", null);
/** Names a guest's cart. A customer's cart belongs to the account. */
export const cartToken = kept<string | null>("cart", null);
/** The tokens that open the orders which were placed here, by the order's id. */
export const orderTokens = kept<Record<string, string>>("orders", {});

export const shop = createShopClient({
  baseUrl: location.origin,
  token: () => session.value?.token,
});
shop.use({
  onRequest({ request }) {
    if (cartToken.value !== null) request.headers.set("x-cart-token", cartToken.value);
  },
  onResponse({ response }) {
    const issued = response.headers.get("x-cart-token");
    if (issued !== null) cartToken.value = issued;
    // The session has ended elsewhere: the account's password was changed, for example.
    if (response.status === 401) session.value = null;
  },
});

/** The proof that an order was placed here; customers need none. */
export const orderProof = (id: string) => {
  const token = orderTokens.value[id];
  return token === undefined ? {} : { "x-order-token": token };
};

/** What the shop refused. */
export class Refusal extends Error {
  readonly status: number;
  /** Sentences by the path of the member of the body, such as `shipping_address.city`. */
  readonly fields: Readonly<Record<string, readonly string[]>>;

  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.status = status;
    this.fields = ("errors" in problem ? problem.errors : undefined) ?? {};
  }
}

/** The members of a call's result. */
export interface Result<Data> {
  data?: Data;
  error?: Problem;
  response: Response;
}

/** @returns the answer's body @throws Refusal */
export async function answerOf<Data>(call: Result<Data> | Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (error !== undefined) throw new Refusal(response.status, error);
  return data as Data;
}

/** @returns the sentence that the shop answers with */
export const messageOf = async (call: Promise<Result<{ data: { message: string } }>>) =>
  (await answerOf(call)).data.message;

/** A sentence about anything that went wrong. */
export function explain(problem: unknown): string {
  // `fetch` throws a TypeError if it gets no answer.
  if (!(problem instanceof Error) || problem instanceof TypeError)
    return "The shop cannot be reached. Check the connection and try again.";
  return problem.message;
}

/** What every page needs; loaded once per visit, before the first page. */
export const bootstrap = signal<Schemas["Bootstrap"] | null>(null);

export async function start(): Promise<void> {
  bootstrap.value = (await answerOf(shop.GET("/api/v1/bootstrap"))).data;
}
