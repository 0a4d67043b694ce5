import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { orderLinkToken } from "#shared/auth/order-link.ts";
import { CheckoutAnswer, ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import { Order } from "#shared/domain/order/view/buyer-order.ts";
import { joinGuestOrders } from "#shared/storage/order/customer-orders.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aPassword, type Member, aMember } from "#test/support/people/members.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table } = await useShop();

const linkKeys = openKeys({ keys: environment.LINK_KEYS, secret: undefined });

/** An endpoint of one order. `status` calls it and returns the response's status. */
interface Way {
  readonly name: string;
  readonly route: string;
  /** Whether the call ends the order. */
  readonly ends?: true;
  status(): Promise<number>;
}

const api = "/api/v1";
const ask = async (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<number> => {
  const reply = await clientOf(baseUrl).send(method, api + path, {
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return reply.status;
};

/** A guest's order, and every endpoint that a guest can call for it. */
async function aGuestsOrder() {
  const { sku } = await plantProduct(table);
  const shopper = await aShopper(baseUrl, [{ sku, quantity: 1 }]);
  const body = aCheckout(aPerson());
  const key = { "idempotency-key": randomUUID() };
  const placed = await clientOf(baseUrl).post<Data<CheckoutAnswer> & Problem>("/checkout", body, {
    ...shopper.headers,
    ...key,
  });
  expect(placed.status).toBe(201);
  const { order, order_access_token } = placed.body.data;
  const stored = await openOrders(table).find(order.id);
  const link = stored && (await orderLinkToken(stored.order, linkKeys));
  const proofs = {
    "the cart's token": shopper.headers,
    "its own token": { "x-order-token": order_access_token ?? "" },
    "the mailed link": { "x-order-token": link ?? "" },
  };
  const ways: Way[] = [
    {
      name: "checking out the same cart again",
      route: `POST ${api}/checkout`,
      status: () => ask("POST", "/checkout", shopper.headers, body),
    },
    {
      name: "checking out with the same key again",
      route: `POST ${api}/checkout`,
      status: () => ask("POST", "/checkout", { ...shopper.headers, ...key }, body),
    },
    ...Object.entries(proofs).flatMap(([name, proof]) => waysWith(order.id, name, proof)),
  ];
  return { order, email: String(body["email"]), ways };
}

const waysWith = (id: string, name: string, proof: Record<string, string>): Way[] => [
  {
    name: `confirming by ${name}`,
    route: `POST ${api}/checkout/{order}/confirm`,
    status: () => ask("POST", `/checkout/${id}/confirm`, proof),
  },
  {
    name: `paying by ${name}`,
    route: `POST ${api}/checkout/{order}/payment`,
    status: () =>
      ask("POST", `/checkout/${id}/payment`, proof, { payment_method: "bank_transfer" }),
  },
  {
    name: `reading by ${name}`,
    route: `GET ${api}/orders/{id}`,
    status: () => ask("GET", `/orders/${id}`, proof),
  },
  {
    name: `choosing a slot by ${name}`,
    route: choosing,
    status: () =>
      ask("PUT", `/orders/${id}/slot`, proof, { date: "2026-11-28", window: "morning" }),
  },
  {
    name: `cancelling by ${name}`,
    route: `POST ${api}/orders/{id}/cancel`,
    ends: true,
    status: () => ask("POST", `/orders/${id}/cancel`, proof),
  },
];

/** The endpoints that a signed-in customer can call for an order. */
const waysOf = ({ headers }: Member, id: string): Way[] => waysWith(id, "signing in", headers);

const answers = async (ways: readonly Way[]): Promise<[string, number][]> => {
  const statuses: [string, number][] = [];
  for (const { name, status } of ways) statuses.push([name, await status()]);
  return statuses;
};
const all = (ways: readonly Way[], statusOf: (way: Way) => number) =>
  ways.map((way): [string, number] => [way.name, statusOf(way)]);

const harmless = (ways: readonly Way[]) => ways.filter(({ ends }) => !ends);
const choosing = `PUT ${api}/orders/{id}/slot`;
/** The order has no slot to choose, which only its buyer is told. */
const shown = ({ route }: Way) =>
  route === `POST ${api}/checkout` ? 201 : route === choosing ? 409 : 200;
const hidden = () => 404;

test("an order can be accessed by the guest until it is added to an account, then only in that account's session, and by nobody once the account is deleted", async () => {
  const { order, email, ways } = await aGuestsOrder();
  const [member, stranger] = await Promise.all([aMember(baseUrl, { email }), aMember(baseUrl)]);
  const [own, others] = [waysOf(member, order.id), waysOf(stranger, order.id)];

  expect(await answers(harmless(ways))).toEqual(all(harmless(ways), shown));
  expect(await answers([...own, ...others])).toEqual(all([...own, ...others], hidden));

  await joinGuestOrders(table, { id: member.id, email });
  expect(await answers(ways)).toEqual(all(ways, hidden));
  expect(await answers(others)).toEqual(all(others, hidden));
  expect(await answers(harmless(own))).toEqual(all(harmless(own), shown));

  expect(await ask("DELETE", "/account", member.headers, { password: aPassword })).toBe(204);
  expect(await answers(ways)).toEqual(all(ways, hidden));
  expect(await answers(others)).toEqual(all(others, hidden));
  expect(await answers(own)).toEqual(all(own, () => 401));
});

test("a guest's order is cancelled by each proof, and each shows that it is cancelled", async () => {
  for (const proof of ["the cart's token", "its own token", "the mailed link"]) {
    const { ways } = await aGuestsOrder();
    const cancelling = ways.filter(({ name }) => name === `cancelling by ${proof}`);
    const reading = ways.filter(({ name }) => name.startsWith("reading by"));
    expect([cancelling, reading].map(({ length }) => length)).toEqual([1, 3]);
    const calls = [...cancelling, ...cancelling, ...reading];
    expect(await answers(calls)).toEqual(all(calls, shown));
  }
});

test("a customer's repeated checkout returns the order only until the account is deleted", async () => {
  const { sku } = await plantProduct(table);
  const member = await aMember(baseUrl);
  await member.client.post("/cart", { items: [{ sku, quantity: 1 }] }, member.headers);
  const key = { "idempotency-key": randomUUID() };
  const body = aCheckout();
  const placed = () => ask("POST", "/checkout", { ...member.headers, ...key }, body);
  expect([await placed(), await placed()]).toEqual([201, 201]);
  expect(await ask("DELETE", "/account", member.headers, { password: aPassword })).toBe(204);
  expect(await placed()).toBe(401);
});

test("these tests cover every route that returns an order to its buyer", async () => {
  const { order, ways } = await aGuestsOrder();
  const tried = new Set(
    [...ways, ...waysOf(await aMember(baseUrl), order.id)].map(({ route }) => route),
  );
  const shapes = new Set<unknown>([Order, CheckoutAnswer, ConfirmAnswer]);
  const showing = everyRoute.filter(({ route }) => shapes.has(route.response.data));
  expect(showing.map(({ key }) => key).toSorted()).toEqual([...tried].toSorted());
});
