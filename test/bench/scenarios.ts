import { randomInt } from "node:crypto";

export interface Outgoing {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}
export type Send = (request: Outgoing) => Promise<Reply>;

export interface Target {
  readonly slug: string;
  /** Slug of a made-to-order sofa. */
  readonly sofa: string;
  readonly skus: readonly string[];
  /** The token of a staff user who may view orders. */
  readonly staffToken: string;
}

/** Sends the calls of one visit. Throws if any of them fails. */
export type Visit = (send: Send, target: Target) => Promise<void>;

const api = "/api/v1";

async function succeed(send: Send, request: Outgoing): Promise<Reply> {
  const reply = await send(request);
  if (reply.status >= 400)
    throw new Error(`${request.path}: ${reply.status} ${reply.body.slice(0, 200)}`);
  return reply;
}

const read =
  (path: (target: Target) => string): Visit =>
  async (send, target) => {
    await succeed(send, { method: "GET", path: api + path(target) });
  };

function write(
  path: string,
  body: object,
  headers: Record<string, string> = {},
  method: "POST" | "PATCH" = "POST",
): Outgoing {
  return {
    method,
    path: api + path,
    headers: { "content-type": "application/json", "x-forwarded-for": anAddress(), ...headers },
    body: JSON.stringify(body),
  };
}

/** Every write uses a new IP address, so that no rate limit refuses it. */
const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

const aLine = ({ skus }: Target) => ({ sku: skus[randomInt(skus.length)], quantity: 1 });

/**
 * The most frequent operations by name. `goal` is the CPU time of a visit in ms, summed over all processes on an idle
 * machine. Without it, the goal is the CPU time of the visit's calls to DynamoDB alone, plus 0.25 ms per HTTP request.
 */
export const scenarios: Record<
  string,
  {
    goal?: number;
    calls: number;
    visit: Visit;
  }
> = {
  list: {
    goal: 0.25,
    calls: 1,
    visit: read(() => "/products?color=grey,blue&material=teak,oak&sort=price"),
  },
  facets: {
    goal: 0.4,
    calls: 1,
    visit: read(() => "/products?color=grey,blue&sort=price&include=facets"),
  },
  search: { goal: 0.28, calls: 1, visit: read(() => "/products?q=teak%20chiar") },
  detail: { goal: 0.3, calls: 1, visit: read(({ slug }) => `/products/${slug}`) },
  "new cart with a line": {
    calls: 1,
    async visit(send, target) {
      await succeed(send, write("/cart", { items: [aLine(target)] }));
    },
  },
  bootstrap: { goal: 0.2, calls: 1, visit: read(() => "/bootstrap") },
  "price of a sofa": {
    goal: 0.5,
    calls: 1,
    async visit(send, { sofa }) {
      await succeed(send, write(`/sofas/${sofa}/price`, { configuration: {} }));
    },
  },
  "change a line": { calls: 1, visit: changeLine },
  "staff's order list": {
    calls: 1,
    async visit(send, { staffToken }) {
      const headers = { authorization: `Bearer ${staffToken}` };
      await succeed(send, { method: "GET", path: `${api}/admin/orders`, headers });
    },
  },
  "whole checkout": { calls: 5, visit: checkOut },
};

interface FilledCart {
  readonly token: string;
  /** The id of the cart's only line. */
  readonly line: string | undefined;
}
/**
 * Carts that no visit uses at the moment, by the staff token of their stack. A visit takes one of them or creates one,
 * and puts it back at its end.
 */
const idleCarts = new Map<string, FilledCart[]>();

function idleCartsOf({ staffToken }: Target): FilledCart[] {
  const known = idleCarts.get(staffToken);
  if (known) return known;
  const carts: FilledCart[] = [];
  idleCarts.set(staffToken, carts);
  return carts;
}

async function changeLine(send: Send, target: Target): Promise<void> {
  const idle = idleCartsOf(target);
  const cart = idle.pop() ?? (await fillCart(send, target));
  const items = [{ id: cart.line, quantity: randomInt(1, 9) }];
  await succeed(send, write("/cart/items", { items }, { "x-cart-token": cart.token }, "PATCH"));
  idle.push(cart);
}

async function fillCart(send: Send, target: Target): Promise<FilledCart> {
  const { headers, body } = await succeed(send, write("/cart", { items: [aLine(target)] }));
  const { items } = (JSON.parse(body) as { data: { items: { id: string }[] } }).data;
  return { token: String(headers["x-cart-token"]), line: items[0]?.id };
}

async function checkOut(send: Send, target: Target): Promise<void> {
  const cart = await succeed(send, write("/cart", { items: [aLine(target), aLine(target)] }));
  const token = { "x-cart-token": String(cart.headers["x-cart-token"]) };
  const place = "postal_code=560001&country=IN";
  await succeed(send, { method: "GET", path: `${api}/shipping/quote?${place}`, headers: token });
  await succeed(send, {
    method: "GET",
    path: `${api}/cart?${place}&shipping_method=standard`,
    headers: token,
  });
  const person = randomInt(1e9).toString().padStart(9, "0");
  const buyer = {
    name: "Asha Rao",
    email: `asha.${person}@example.com`,
    phone: `+919${person}`,
    shipping_address: {
      line1: "4 Church Street",
      city: "Bengaluru",
      postal_code: "560001",
      country: "IN",
    },
    shipping_method: "standard",
    payment_method: "bank_transfer",
  };
  const placed = await succeed(
    send,
    write("/checkout", buyer, { ...token, "idempotency-key": person }),
  );
  const { order } = (JSON.parse(placed.body) as { data: { order: { id: string } } }).data;
  await succeed(send, write(`/checkout/${order.id}/confirm`, {}, token));
}
