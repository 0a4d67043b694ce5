// @module-tag slow
import { openSettings } from "#shared/storage/settings/settings.ts";
import { aShop } from "#test/support/shop/parts.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import { advanceOrder } from "#shared/application/payment/advance-order.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { isLive } from "#shared/domain/delivery/slot-hold.ts";
import { isSamePlace } from "#shared/domain/delivery/delivery-slot.ts";
import { liveHolds } from "#shared/domain/delivery/place-count.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { PlaceCounts, PlannedDeliveries } from "#shared/storage/delivery/delivery-places.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { update } from "#shared/storage/writes.ts";
import { failing } from "#test/support/emulators/dynamodb-proxy.ts";
import { clientOf } from "#test/support/http/client.ts";
import { asking } from "#test/support/people/people.ts";
import { aCheckout, plantProduct, tableOf } from "#test/support/shop/plant.ts";
import {
  type Choice,
  type SlotShopper,
  aSlotShopper,
  bySlot,
  openPlaces,
  slotDestination,
  zone,
} from "#test/support/shop/slots.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, table, staffAs } = await useShop();

const staff = await staffAs("owner");
const { sku } = await plantProduct(table, { units: 5_000 });
let service: ProxiedService;
let places: readonly [Choice, Choice];
beforeAll(async () => {
  service = await startProxiedService(environment);
  const open = openPlaces(baseUrl, staff, "faults");
  places = [await open(200), await open(200)];
});
afterAll(() => service.stop());

/** A buyer with a cart, and perhaps an order. */
interface Subject extends SlotShopper {
  readonly checkout: Record<string, unknown>;
  readonly order?: Order;
}
interface Answer {
  readonly status: number;
}

async function aBuyer(): Promise<Subject> {
  const checkout = aCheckout({ ...bySlot, payment_method: "cod" });
  return { ...(await aSlotShopper(baseUrl, table, [{ sku, quantity: 1 }])), checkout };
}
async function aHolder(): Promise<Subject> {
  const one = await aBuyer();
  await one.hold(places[0]);
  return one;
}
async function ordering(one: Subject, payment_method = "cod"): Promise<Subject> {
  const { status, body, text } = await one.checkOut({ ...one.checkout, payment_method });
  if (status !== 201) throw new Error(text);
  return { ...one, order: body.data.order };
}

/** A call at the service behind the proxy, with the buyer's proof. */
const at = ({ headers }: Subject) => ({
  put: (path: string, body: unknown) => clientOf(service.baseUrl).put(path, body, headers),
  post: (path: string, body: unknown) => clientOf(service.baseUrl).post(path, body, headers),
});
const hold = (one: Subject, choice: Choice | { date: null }) =>
  at(one).put("/cart/slot", { ...choice, ...(choice.date && slotDestination) });

/** The tested steps: how the buyer gets there, the step, and in which place the buyer then holds or has booked. */
const steps: Record<
  string,
  {
    prepare(): Promise<Subject>;
    act(one: Subject): Promise<Answer>;
    then: { held: 0 | 1 | null; booked: 0 | 1 | null };
  }
> = {
  hold: { prepare: aBuyer, act: (one) => hold(one, places[0]), then: { held: 0, booked: null } },
  move: { prepare: aHolder, act: (one) => hold(one, places[1]), then: { held: 1, booked: null } },
  release: {
    prepare: aHolder,
    act: (one) => hold(one, { date: null }),
    then: { held: null, booked: null },
  },
  checkout: {
    prepare: aHolder,
    act: (one) => at(one).post("/checkout", one.checkout),
    then: { held: null, booked: 0 },
  },
  choice: {
    prepare: async () => ordering(await aBuyer()),
    act: (one) => at(one).put(`/orders/${one.order?.id}/slot`, places[0]),
    then: { held: null, booked: 0 },
  },
  change: {
    prepare: async () => ordering(await aHolder()),
    act: (one) => at(one).put(`/orders/${one.order?.id}/slot`, places[1]),
    then: { held: null, booked: 1 },
  },
  "plan by staff": {
    prepare: async () => ordering(await aHolder()),
    act: (one) =>
      asking(service.baseUrl, staff.token)("PATCH", `/admin/orders/${one.order?.id}`, {
        slot: places[1],
      }),
    then: { held: null, booked: 1 },
  },
  cancellation: {
    prepare: async () => ordering(await aHolder()),
    act: (one) => at(one).post(`/orders/${one.order?.id}/cancel`, {}),
    then: { held: null, booked: null },
  },
  expiry: {
    async prepare() {
      const one = await ordering(await aHolder(), "bank_transfer");
      const expires_at = new Date(Date.now() - 1_000).toISOString();
      await table.write(update(Orders, { id: one.order!.id }, { set: { expires_at } }));
      return one;
    },
    act: async (one) => ({ status: await expired(one.order!.id) }),
    then: { held: null, booked: null },
  },
};

/** Runs the scheduled check of an order through the proxy. */
async function expired(id: string): Promise<number> {
  const through = tableOf({ ...environment, DYNAMODB_ENDPOINT: service.endpoint });
  const deps = {
    table: through,
    gateways: { configured: async () => null },
    settings: openSettings(through),
  };
  return advanceOrder(aShop<Parameters<typeof advanceOrder>[0]>(deps), id, new Date()).then(
    () => 200,
    () => 503,
  );
}

const pick = ({ date, window }: Choice): Choice => ({ date, window });

const countsNow = async () =>
  Promise.all(
    places.map(async (place) => {
      const count = await table.get(PlaceCounts, { zone, ...place });
      const holds = new Set(liveHolds(count, new Date()).map(([holder]) => holder));
      return { booked: count?.booked ?? 0, holds };
    }),
  );
type Counts = Awaited<ReturnType<typeof countsNow>>;

/** The places that the buyer's cart holds and the buyer's order has, by their own rows. */
async function ownSlots({ token }: Subject) {
  const cart = await table.get(Carts, { owner: { kind: "guest", tokenHash: hashOf(token) } });
  const order = cart?.order_id ? await table.get(Orders, { id: cart.order_id }) : undefined;
  const hold = cart?.slot_hold ?? null;
  const isHeld = cart?.status === "active" && hold !== null && isLive(hold, new Date());
  return { held: isHeld ? hold.slot : null, booked: order?.slot ?? null, order };
}

/** Asserts that the counts of both places and the day's run agree with the buyer's cart and order. */
async function expectAgreement(one: Subject, others: Counts): Promise<void> {
  const { held, booked, order } = await ownSlots(one);
  const counts = await countsNow();
  for (const [index, choice] of places.entries()) {
    const place = { zone, ...choice };
    expect(counts[index]!.holds.has(one.cart.id!)).toBe(held !== null && isSamePlace(held, place));
    const isBooked = booked !== null && isSamePlace(booked, place);
    expect(counts[index]!.booked - others[index]!.booked).toBe(isBooked ? 1 : 0);
    if (!order) continue;
    const { records } = await table.page(PlannedDeliveries, {
      partition: `DELIVERIES#${choice.date}`,
    });
    expect(records.some(({ order_id }) => order_id === order.id)).toBe(isBooked);
  }
}

const cases = Object.keys(steps).flatMap((name) =>
  (["server-error", "answer-lost"] as const).map((fault) => [name, fault] as const),
);
test.each(cases)(
  "a %s during which any storage call fails is stored whole or not at all, and its repeat succeeds (fault: %s)",
  async (name, fault) => {
    const { prepare, act, then } = steps[name]!;
    // Ends with the first run that makes fewer calls than the position of the fault.
    for (let position = 1, isReached = true; isReached; position++) {
      const before = await countsNow();
      const one = await prepare();
      const { calls } = await service.proxy.disturb(failing(position, fault), () => act(one));
      isReached = new Set(calls.map(({ invocation }) => invocation)).size >= position;
      expect(isReached || position > 2).toBe(true);
      await expectAgreement(one, before);
      expect([position, Math.floor((await act(one)).status / 100)]).toEqual([position, 2]);
      await expectAgreement(one, before);
      const { held, booked } = await ownSlots(one);
      const wanted = (index: 0 | 1 | null) => (index === null ? null : places[index]);
      expect([position, held && pick(held), booked && pick(booked)]).toEqual([
        position,
        wanted(then.held),
        wanted(then.booked),
      ]);
    }
  },
);
