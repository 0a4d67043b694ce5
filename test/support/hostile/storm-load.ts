import { randomUUID } from "node:crypto";
import type { StackEnvironment } from "#infra/local/stack.ts";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { is } from "#shared/storage/conditions.ts";
import { scheduleCheck } from "#shared/storage/order/due-orders.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { Refused, update } from "#shared/storage/writes.ts";
import { type Client, clientOf } from "../http/client.ts";
import { aKey } from "../back-office/orders.ts";
import { type PlantedProduct, aCheckout, tableOf } from "../shop/plant.ts";
import type { Data } from "../shop/shopping.ts";
import type { StaffClient } from "../people/people.ts";
import { stripeAt } from "../emulators/stripe.ts";
import { expect } from "vitest";
import type { Conversation } from "#shared/domain/inbox/conversation.ts";
import { type SentMessage, aNumber } from "../back-office/whatsapp.ts";

/** The separate customers and products of a storm. */
export interface StormGround {
  readonly baseUrl: string;
  readonly environment: StackEnvironment;
  readonly staff: StaffClient;
  readonly products: readonly PlantedProduct[];
  readonly coupon: string;
  readonly people: readonly { email: string; phone: string }[];
  readonly seed: number;
}

export interface Placed {
  readonly id: string;
  readonly total: number;
  readonly line: string;
  readonly clientSecret: string | null;
}

/** A checkout and its final response. */
export interface SentCheckout {
  readonly cartToken: string;
  /** The order's id; null if no response contained one. */
  readonly answered: string | null;
}

const mostTries = 3;

/** A Park–Miller random generator. One seed always gives the same numbers, so that a storm can be repeated. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

/** Random actions of buyers, staff, banks and the schedule. */
export function stormLoad({ staff, products, coupon, people, ...ground }: StormGround) {
  const { baseUrl, environment } = ground;
  const table = tableOf(environment);
  const stripe = stripeAt(environment.STRIPE_API_URL);
  const roll = dice(ground.seed);
  const oneOf = <Value>(values: readonly Value[]): Value => values[roll(values.length)]!;
  const placed: Placed[] = [];
  const checkouts: SentCheckout[] = [];
  const answers: { operation: string; status: number; text: string }[] = [];

  function note(operation: string, { status, text }: { status: number; text: string }): void {
    answers.push({ operation, status, text });
  }

  const someItems = () =>
    [...new Set([oneOf(products), oneOf(products)])].map(({ sku }) => ({
      sku,
      quantity: 1 + roll(3),
    }));

  async function place(): Promise<void> {
    const client = clientOf(baseUrl);
    const cart = await client.post<Data<Cart>>("/cart", { items: someItems() });
    if (cart.status !== 201) return note("cart", cart);
    const cartToken = cart.body.data.token ?? "";
    const order = await checkOut(client, cartToken);
    checkouts.push({ cartToken, answered: order?.id ?? null });
    if (order) placed.push(order);
  }

  /** Retries as storefronts do, if the response allows it. */
  async function checkOut(client: Client, cartToken: string): Promise<Placed | undefined> {
    const payment_method = oneOf(["cod", "bank_transfer", "gateway", "gateway"] as const);
    const body = aCheckout({ ...oneOf(people), payment_method, ...(roll(2) === 0 && { coupon }) });
    const headers = { "x-cart-token": cartToken, "idempotency-key": randomUUID() };
    for (let tries = 1 + roll(mostTries); tries > 0; tries--) {
      const reply = await client.post<Data<CheckoutAnswer>>("/checkout", body, headers);
      note("place", reply);
      if (reply.status === 201) return placedBy(reply.body.data);
      if (reply.status !== 503) return undefined;
    }
    return undefined;
  }

  async function pay({ id, total, clientSecret }: Placed): Promise<void> {
    if (clientSecret !== null) {
      const method = oneOf(["pm_card_visa", "pm_card_visa", "pm_card_chargeDeclined"]);
      await stripe.pay(clientSecret, method);
      return;
    }
    const amount = oneOf([total, total, Math.ceil(total / 2), total + 100]);
    const { "idempotency-key": reference } = aKey();
    const body = { amount, method: "bank_transfer", reference };
    note("pay", await staff.post(`/admin/orders/${id}/payments`, body, aKey()));
  }

  const cancel = async ({ id }: Placed) =>
    note("cancel", await staff.patch(`/admin/orders/${id}`, { status: "cancelled" }));

  async function refund({ id, line }: Placed): Promise<void> {
    const body = oneOf<object>([
      { amount: 1 + roll(1_500_000), reason: "Goodwill" },
      {
        items: [{ id: line, quantity: 1 }],
        restock: true,
        reason: "Sent back",
        reference: "UTR 1",
      },
    ]);
    note("refund", await staff.post(`/admin/orders/${id}/refunds`, body, aKey()));
  }

  /** Sets the order's expiry to the past, if it has one, and schedules its check. */
  async function expire({ id }: Placed): Promise<void> {
    const { expires_at, version } = (await table.get(Orders, { id })) ?? {};
    if (typeof expires_at !== "string" || version === undefined) return;
    const past = new Date(Date.now() - 60_000).toISOString();
    const set = { expires_at: past };
    try {
      await table.transact([
        update(Orders, { id }, { set, add: { version: 1 } }, is("version", version)),
        scheduleCheck(id, past),
      ]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  async function send({ id }: Placed): Promise<void> {
    note("send", await staff.patch(`/admin/orders/${id}`, { status: "ready_to_dispatch" }));
    const path = `/admin/orders/${id}/shipments`;
    const made = await staff.post<Data<{ shipment: { id: string } }>>(path, {});
    note("send", made);
    if (made.status !== 201) return;
    const { id: shipment } = made.body.data.shipment;
    for (const status of ["packed", "out_for_delivery", oneOf(["delivered", "delivery_failed"])]) {
      note("send", await staff.patch(`${path}/${shipment}`, { status }));
    }
  }

  /** Browses and fills a cart without paying. */
  async function browse(): Promise<void> {
    const client = clientOf(baseUrl);
    const { product } = oneOf(products);
    const paths = ["/products?include=facets", "/products?q=chair", `/products/${product.slug}`];
    note("browse", await client.get(oneOf([...paths, "/home", "/sofas?sort=price"])));
    const cart = await client.post<Data<Cart>>("/cart", { items: someItems() });
    note("browse", cart);
    if (cart.status !== 201) return;
    const headers = { "x-cart-token": cart.body.data.token ?? "" };
    note("browse", await client.patch("/cart/items", { items: someItems() }, headers));
    note("browse", await client.get("/cart?postal_code=560001&shipping_method=standard", headers));
  }

  async function operate(): Promise<void> {
    const chance = roll(100);
    if (chance < 35 || placed.length === 0) return place();
    const one = oneOf(placed);
    if (chance < 55) return pay(one);
    if (chance < 68) return cancel(one);
    if (chance < 82) return refund(one);
    if (chance < 94) return expire(one);
    return send(one);
  }

  return { roll, oneOf, placed, checkouts, answers, note, operate, browse };
}

function placedBy({ order, payment }: CheckoutAnswer): Placed {
  return {
    id: order.id,
    total: order.totals.grand_total,
    line: order.items[0]?.id ?? "",
    clientSecret:
      payment.action.type === "stripe_payment_intent" ? payment.action.client_secret : null,
  };
}

const talks = 4;

/** WhatsApp conversations during a storm. */
export async function openChat({
  environment: { WHATSAPP_API_URL: endpoint },
  staff,
}: Pick<StormGround, "environment" | "staff">) {
  const say = (method: string, path: string, body: object) =>
    fetch(endpoint + path, { method, body: JSON.stringify(body) });
  const numbers = Array.from({ length: talks }, aNumber);
  for (const from of numbers) await say("POST", "/inbound", { from });
  const { body } = await staff.get<Data<Conversation[]>>("/admin/inbox/conversations?per_page=100");
  const own = body.data.filter(({ phone }) => phone !== null && numbers.includes(phone.slice(1)));
  const taken: { text: string }[] = [];

  return {
    /** Staff reply to every conversation. */
    async write(): Promise<void> {
      for (const { id } of own) {
        const text = `It is on its way, ${aKey()["idempotency-key"]}`;
        const path = `/admin/inbox/conversations/${id}/messages`;
        const { status } = await staff.post(path, { text }, aKey());
        if (status === 201) taken.push({ text });
      }
    },
    /** Makes WhatsApp unavailable for the next `times` attempts of every conversation. */
    async away(times: number): Promise<void> {
      const answers = Array.from({ length: times }, () => ({ status: 503, code: 2 }));
      for (const number of numbers) await say("PUT", `/behaviour/${number}`, { answers });
    },
    /** Asserts that every accepted message reached WhatsApp once. */
    async expectSentOnce(): Promise<void> {
      expect(taken.length).toBeGreaterThan(0);
      const answer = await fetch(`${endpoint}/sent`);
      const sent = (await answer.json()) as SentMessage[];
      const texts = sent.flatMap(({ text }) => text?.body ?? []);
      const times = taken.map(({ text }) => texts.filter((each) => each === text).length);
      expect(times).toEqual(taken.map(() => 1));
    },
  };
}
