import { describe, expect, test } from "vitest";
import { orderLinkToken } from "#shared/auth/order-link.ts";
import type { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { OrderAction, type Order } from "#shared/domain/order/view/buyer-order.ts";
import type { OrderStatus } from "#shared/domain/order/status/order-states.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { joinGuestOrders } from "#shared/storage/order/customer-orders.ts";
import { OrderShipments, OrderTimeline, Orders, openOrders } from "#shared/storage/order/orders.ts";
import { Outbox } from "#shared/storage/outbox.ts";
import { put } from "#shared/storage/writes.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMember, bearer } from "#test/support/people/members.ts";
import { aShipment } from "#test/support/shop/order-record.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { type Data, aPerson, aShopper } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, inbox, staffAs } = await useShop({ effects: ["mail"] });

const linkKeys = openKeys({ keys: environment.LINK_KEYS, secret: undefined });
const owner = await staffAs("owner");

type Headers = Record<string, string>;
type One = Data<Order> & Problem;
const read = (id: string, headers: Headers = {}) =>
  clientOf(baseUrl).get<One>(`/orders/${id}`, headers);
const cancel = (id: string, headers: Headers = {}) =>
  clientOf(baseUrl).send<One>("POST", `/api/v1/orders/${id}/cancel`, { headers });
const by = (token: string): Headers => ({ "x-order-token": token });

/** A guest's order by bank transfer, with its tokens. */
async function guestsOrder(overrides: Record<string, unknown> = {}) {
  const { sku, stock } = await plantProduct(table, { units: 5 });
  const { email, phone } = aPerson();
  const shopper = await aShopper(baseUrl, [{ sku, quantity: 2 }]);
  const reply = await shopper.checkOut({ email, phone, ...overrides });
  if (reply.status !== 201) throw new Error(reply.text);
  const { order, order_access_token } = reply.body.data;
  const stored = await openOrders(table).find(order.id);
  if (!stored || order_access_token === null) throw new Error("The order has no token");
  return {
    order,
    id: order.id,
    email,
    stock,
    token: order_access_token,
    linkToken: (await orderLinkToken(stored.order, linkKeys)) ?? "",
    cartHeaders: shopper.headers,
  };
}

/** Replaces the whole order, so that its keys in the indexes fit. */
async function change(id: string, set: Partial<StoredOrder>): Promise<void> {
  const order = await table.get(Orders, { id });
  if (!order) throw new Error("The order is missing");
  await table.write(put(Orders, { ...order, ...set, version: order.version + 1 }));
}

/** Ends an order at a time. */
async function end(id: string, status: OrderStatus, at: Date): Promise<void> {
  const entry = { at: at.toISOString(), type: status, message: "It has ended.", public: true };
  await change(id, { status });
  await table.write(put(OrderTimeline, { order_id: id, version: 9, position: 0, ...entry }));
}

const asText = (record: unknown): string => JSON.stringify(record);
const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status);

describe("a guest's order", () => {
  test("is returned to the guest as checkout returned it, with its version", async () => {
    const { id, order, token, linkToken, cartHeaders } = await guestsOrder();
    for (const headers of [by(token), by(linkToken), cartHeaders]) {
      const reply = await read(id, headers);
      expect([reply.status, reply.body.data, reply.headers.get("etag")]).toEqual([
        200,
        order,
        '"v1"',
      ]);
      expect(reply.headers.get("cache-control")).toBe("private, no-store");
      for (const secret of [token, linkToken, "access_token"]) {
        expect(reply.text).not.toContain(secret);
      }
    }
  });

  test("is refused with 401 without any proof, like any route for customers, whether it exists or not", async () => {
    const { id } = await guestsOrder();
    const guarded = await clientOf(baseUrl).get<Problem>("/addresses");
    expect([guarded.status, guarded.body.message]).toEqual([401, "Unauthorized"]);
    for (const reply of [
      await read(id),
      await cancel(id),
      await read("ord_1"),
      await cancel("x"),
    ]) {
      expect([reply.status, reply.body.message]).toEqual([401, guarded.body.message]);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  test("does not exist for the proofs of another order, nor for changed or invented tokens", async () => {
    const [{ id, token, linkToken, cartHeaders, stock }, other] = await Promise.all([
      guestsOrder(),
      guestsOrder(),
    ]);
    const changed = (text: string) => text.slice(0, -2) + (text.endsWith("AA") ? "BB" : "AA");
    const wrong: Headers[] = [
      by(other.token),
      by(other.linkToken),
      other.cartHeaders,
      by(changed(token)),
      by(changed(linkToken)),
      by(`${linkToken}A`),
      by(linkToken.slice(1)),
      by(id),
      { "x-cart-token": token },
      { "x-cart-token": linkToken },
      { "x-order-token": cartHeaders["x-cart-token"] },
      (await aMember(baseUrl)).headers,
    ];
    for (const headers of wrong) {
      const replies = [await read(id, headers), await cancel(id, headers)];
      expect([headers, statusesOf(replies)]).toEqual([headers, [404, 404]]);
    }
    expect((await read("ord_none", by(token))).status).toBe(404);
    expect((await stock()).reserved).toBe(2);
  });

  test("is refused with 401 for an invalid session, even beside the right token", async () => {
    const { id, token } = await guestsOrder();
    for (const headers of [bearer("nonsense"), bearer(owner.token)]) {
      const replies = [await read(id, headers), await cancel(id, { ...headers, ...by(token) })];
      expect(statusesOf(replies)).toEqual([401, 401]);
    }
  });

  test("is returned to a signed-in customer who sends its token", async () => {
    const { id, token } = await guestsOrder();
    const { headers } = await aMember(baseUrl);
    expect((await read(id, { ...headers, ...by(token) })).status).toBe(200);
  });
});

describe("the link in the mail of a guest's order", () => {
  test("carries a token in its fragment that opens, pays and cancels this order alone", async () => {
    const [{ id, email, linkToken, token }, other] = await Promise.all([
      guestsOrder(),
      guestsOrder(),
    ]);
    const { text, html } = (await inbox.waitFor(email)).body;
    const mailed = new RegExp(`/orders/${id}#token=([\\w.-]+)`);
    const found = [text, html].map((part) => mailed.exec(part)?.[1] ?? "");
    expect(found).toEqual([linkToken, linkToken]);
    expect(text).not.toContain(token);
    expect(text + html).not.toContain("?token=");

    const link = by(linkToken);
    expect((await read(id, link)).status).toBe(200);
    const pay = (of: string) =>
      clientOf(baseUrl).post(`/checkout/${of}/payment`, { payment_method: "bank_transfer" }, link);
    expect((await pay(id)).status).toBe(200);
    const foreign = [await pay(other.id), await read(other.id, link), await cancel(other.id, link)];
    expect(statusesOf(foreign)).toEqual([404, 404, 404]);
    expect((await cancel(id, link)).body.data.status).toBe("cancelled");
  });

  test("has its token nowhere but in the buyer's mail: not in storage, nor in any answer", async () => {
    const { id, email, order, token, linkToken } = await guestsOrder();
    await inbox.waitFor(email);
    const answers = await Promise.all([
      owner.get(`/admin/orders/${id}`),
      owner.get(`/admin/orders?q=${order.number}`),
      clientOf(baseUrl).get(`/orders/track/${order.number}?email=${email}`),
      clientOf(baseUrl).post(`/checkout/${id}/confirm`, {}, by(linkToken)),
      cancel(id, by(linkToken)),
    ]);
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200]);
    const stored = [
      await openOrders(table).find(id),
      await table.get(Outbox, { id: `order_placed#${id}` }),
      await table.get(Outbox, { id: `order_cancelled#${id}` }),
    ];
    expect(stored).not.toContain(undefined);
    const [, , ...ofBuyer] = answers;
    for (const text of [...answers.map((each) => each.text), ...stored.map(asText)]) {
      expect(text).not.toContain(linkToken);
      expect(text).not.toContain(token);
    }
    for (const { text } of ofBuyer) expect(text).not.toContain("access_token_hash");
  });

  test.each(["completed", "cancelled", "expired", "returned"] as const)(
    "ends 30 days after the order was %s, when the token of the checkout still opens it",
    async (status) => {
      const days = (count: number) => new Date(Date.now() - count * 86_400_000 + 60_000);
      const [recent, old] = await Promise.all([guestsOrder(), guestsOrder()]);
      await end(recent.id, status, days(30));
      expect((await read(recent.id, by(recent.linkToken))).body.data.status).toBe(status);
      await end(old.id, status, new Date(days(30).getTime() - 120_000));
      const link = by(old.linkToken);
      expect(statusesOf([await read(old.id, link), await cancel(old.id, link)])).toEqual([
        404, 404,
      ]);
      expect((await read(old.id, by(old.token))).status).toBe(200);
    },
  );
});

describe("a guest's cancellation of an order", () => {
  test("happens or is refused with 404, but not both, while the order joins an account", async () => {
    const { id, email, token, stock } = await guestsOrder();
    const member = await aMember(baseUrl, { email });
    const [{ status }] = await Promise.all([cancel(id, by(token)), joinGuestOrders(table, member)]);
    expect([200, 404]).toContain(status);
    const seen = (await read(id, member.headers)).body.data;
    expect(seen.status).toBe(status === 200 ? "cancelled" : "pending_payment");
    expect((await stock()).reserved).toBe(status === 200 ? 0 : 2);
  });
});

/** The states of an order in which its actions differ, each with the actions that it allows. */
const invoice = { number: "FS/26-27/000001", issued_on: "2026-11-21" };
const aYear = 365 * 86_400_000;
const states: readonly {
  readonly state: string;
  readonly set?: Partial<StoredOrder>;
  readonly parcel?: "pending" | "packed";
  readonly allowed: readonly OrderAction[];
}[] = [
  { state: "awaiting a transfer", allowed: ["pay", "cancel"] },
  { state: "partly paid", set: { expires_at: null }, allowed: ["pay", "cancel"] },
  {
    state: "overdue, but not yet expired by the schedule",
    set: {
      placed_at: new Date(Date.now() - aYear).toISOString(),
      expires_at: new Date(Date.now() - 1_000).toISOString(),
    },
    allowed: ["cancel"],
  },
  { state: "confirmed", set: { status: "confirmed" }, allowed: ["cancel"] },
  {
    state: "confirmed, with a packed parcel",
    set: { status: "confirmed" },
    parcel: "packed",
    allowed: [],
  },
  { state: "shipped", set: { status: "shipped", invoice }, allowed: ["download_invoice"] },
];

const takeAnySlot = (id: string, proof: Headers) =>
  clientOf(baseUrl).put(`/orders/${id}/slot`, { date: "2099-01-01", window: "morning" }, proof);

const requestReturn = async (id: string, proof: Headers, kind: string) => {
  const { items } = (await clientOf(baseUrl).get<Data<Order>>(`/orders/${id}`, proof)).body.data;
  const item = { id: items[0]?.id, quantity: 1, reason: "wrong-item" };
  return clientOf(baseUrl).post(`/orders/${id}/returns`, { kind, items: [item] }, proof);
};

/** Takes an action by its route, which either accepts or refuses it. */
const take: Record<OrderAction, (id: string, proof: Headers) => Promise<Reply>> = {
  pay: (id, proof) =>
    clientOf(baseUrl).post<ConfirmAnswer>(
      `/checkout/${id}/payment`,
      { payment_method: "cod" },
      proof,
    ),
  cancel,
  choose_slot: takeAnySlot,
  change_slot: takeAnySlot,
  download_invoice: (id) => owner.get(`/admin/orders/${id}/invoice`),
  return: (id, proof) => requestReturn(id, proof, "return"),
  claim_warranty: (id, proof) => requestReturn(id, proof, "warranty"),
};
const refusals: Record<OrderAction, number> = {
  pay: 409,
  cancel: 409,
  choose_slot: 409,
  change_slot: 409,
  download_invoice: 404,
  return: 422,
  claim_warranty: 422,
};

describe.each(states)(
  "an order that is $state",
  { tags: "slow" },
  ({ set = {}, parcel, allowed }) => {
    async function anOrder() {
      const made = await guestsOrder();
      const { id } = made;
      if (parcel) {
        await table.write(put(OrderShipments, { order_id: id, ...aShipment({ status: parcel }) }));
      }
      // Whatever is due after the confirmation can be paid, so these orders are paid.
      const received = made.order.totals.grand_total;
      await change(id, set.status === undefined ? set : { paid: received, received, ...set });
      return made;
    }

    test(`allows exactly ${allowed.join(" and ") || "nothing"}, in every answer to its buyer`, async () => {
      const { id, token, email, order } = await anOrder();
      const { allowed_actions } = (await read(id, by(token))).body.data;
      expect(allowed_actions).toEqual(allowed);
      const confirmed = await clientOf(baseUrl).post<Data<ConfirmAnswer>>(
        `/checkout/${id}/confirm`,
        {},
        by(token),
      );
      expect(confirmed.body.data.order.allowed_actions).toEqual(allowed);
      const track = (query: string) =>
        clientOf(baseUrl).get<Data<{ allowed_actions: unknown }>>(
          `/orders/track/${order.number}${query}`,
        );
      expect((await track(`?email=${email}`)).body.data.allowed_actions).toEqual(allowed);
      expect((await track("")).body.data.allowed_actions).toBeNull();
      expect((await track("?email=other@example.com")).body.data.allowed_actions).toBeNull();
    });

    test.each(OrderAction.options)("accepts %s exactly if it lists it", async (action) => {
      const { id, token } = await anOrder();
      const { status } = await take[action](id, by(token));
      expect(status).toBe(allowed.includes(action) ? 200 : refusals[action]);
    });
  },
);
