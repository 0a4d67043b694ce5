import { randomInt, randomUUID } from "node:crypto";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { type Client, type Reply, clientOf } from "../http/client.ts";
import { aCheckout, plantCoupon, plantProduct, plantSofa } from "./plant.ts";
import type { Problem } from "../http/answers.ts";
import type { Table } from "#shared/storage/table.ts";
import { everyRoute } from "../http/every-route.ts";
import type { Visit } from "../calls/walk.ts";

export type Data<Content> = { data: Content };

/** A guest with a separate cart. */
export interface Shopper {
  readonly client: Client;
  readonly token: string;
  /** The cart in the response that created it. */
  readonly cart: Cart;
  readonly headers: { "x-cart-token": string };
  read(query?: string): Promise<Cart>;
  /** Each call uses another IP address, so that no rate limit is reached unintentionally. */
  checkOut(
    overrides?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<Reply<Data<CheckoutAnswer> & Problem>>;
}

/** Creates a cart with these items. */
export async function aShopper(
  baseUrl: string,
  items: readonly object[],
  coupon?: string,
): Promise<Shopper> {
  const client = clientOf(baseUrl);
  const made = await client.post<Data<Cart>>("/cart", { items, ...(coupon && { coupon }) });
  const token = made.body.data?.token;
  if (made.status !== 201 || token === undefined) throw new Error(made.text);
  const headers = { "x-cart-token": token };
  return {
    client,
    token,
    cart: made.body.data,
    headers,
    read: async (query = "") => (await client.get<Data<Cart>>(`/cart${query}`, headers)).body.data,
    checkOut: (overrides = {}, more = {}) =>
      clientOf(baseUrl).post("/checkout", aCheckout(overrides), { ...headers, ...more }),
  };
}

/** A unique email, and a phone that is very likely unique. */
export function aPerson(): { email: string; phone: string } {
  const digits = randomInt(1e8).toString().padStart(8, "0");
  return { email: `ravi.${randomUUID()}@example.com`, phone: `+9197${digits}` };
}

/** The same Indian phone number without country code and in other common formats. */
export function otherwiseTyped(phone: string): [string, ...string[]] {
  const national = phone.slice("+91".length);
  return [
    national,
    `0${national}`,
    phone.slice(1),
    `00${phone.slice(1)}`,
    phone.slice(0, 8) + " " + phone.slice(8),
    // As phones' contacts copy it, and as Indian scripts write it.
    `\u202a${phone.slice(0, 3)} ${phone.slice(3, 8)}\u2011${phone.slice(8)}\u202c`,
    phone.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit))),
  ];
}

/** The number of responses by status and code. */
export function tally(replies: readonly Reply<Partial<Problem>>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const name = body?.code ? `${status} ${body.code}` : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The stock of a product. It is too large for the public to learn the exact number. */
export const secretUnits = 73;

/** A buyer's calls from the cart to order tracking, with the responses, including refusals. */
export async function visitShopping(baseUrl: string, table: Table): Promise<Visit[]> {
  const [chair, rare, { sofa }, coupon] = await Promise.all([
    plantProduct(table),
    plantProduct(table, { units: secretUnits }),
    plantSofa(table),
    plantCoupon(table, { max_uses: 5 }),
  ]);
  const visits: Visit[] = [];
  const client = clientOf(baseUrl);
  const { headers } = await aShopper(baseUrl, [{ sku: chair.sku, quantity: 1 }]);
  const recorded = (key: string, path: string, reply: Reply) => {
    const route = everyRoute.find((each) => each.key === key)?.route;
    if (!route) throw new Error(`${key} is not declared`);
    visits.push({ route, path, reply });
    return reply;
  };
  const post = async (path: string, body: unknown, more = headers) =>
    recorded(`POST /api/v1${path}`, path, await client.post(path, body, more));
  const patch = async (items: readonly object[]) =>
    recorded(
      "PATCH /api/v1/cart/items",
      "/cart/items",
      await client.patch("/cart/items", { items }, headers),
    );
  const get = async (path: string) => {
    const [bare = ""] = path.split("?");
    return recorded(`GET /api/v1${bare}`, path, await client.get(path, headers));
  };

  await patch([{ sku: rare.sku, quantity: 99 }]);
  await patch([{ sku: "NO-SUCH-THING", quantity: 1 }]);
  await patch([{ sofa: sofa.slug, quantity: 1 }]);
  await post("/checkout/coupon", { code: coupon.code });
  await post("/checkout/coupon", { code: "NOSUCHCOUPON" });
  await get("/shipping/quote?postal_code=560001");
  await get("/cart?postal_code=560001&shipping_method=standard");
  await post("/checkout", {});
  await post("/checkout", aCheckout({ expected_total: 1 }));

  const short = await aShopper(baseUrl, [{ sku: rare.sku, quantity: secretUnits }]);
  const taker = await aShopper(baseUrl, [{ sku: rare.sku, quantity: 1 }]);
  await taker.checkOut();
  await post("/checkout", aCheckout(), short.headers);

  const { body } = await post("/checkout", aCheckout());
  const { order } = (body as Data<CheckoutAnswer>).data;
  const confirm = `/checkout/${order.id}/confirm`;
  recorded(
    "POST /api/v1/checkout/{order}/confirm",
    confirm,
    await client.send("POST", `/api/v1${confirm}`, { headers }),
  );
  const tracked = `/orders/track/${order.number}`;
  recorded("GET /api/v1/orders/track/{number}", tracked, await client.get(tracked));
  return visits;
}
