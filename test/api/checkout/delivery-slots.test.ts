import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Cart } from "#shared/domain/cart/cart.ts";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import type { PlannedDay } from "#shared/domain/delivery/planned-day.ts";
import type { Order } from "#shared/domain/order/view/buyer-order.ts";
import { PublishedProducts } from "#shared/storage/catalog/catalog.ts";
import { PlaceCounts } from "#shared/storage/delivery/delivery-places.ts";
import { remove, update } from "#shared/storage/writes.ts";
import { clientOf } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aMember, logIn } from "#test/support/people/members.ts";
import { aCheckout, plantProduct, plantSofa } from "#test/support/shop/plant.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import {
  type Choice,
  aSlotShopper,
  asQuery,
  bySlot,
  openPlaces,
  readSlots,
  slotDestination,
  zone,
} from "#test/support/shop/slots.ts";
import { addToCount } from "#shared/auth/rate-limit.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { inOneWindow } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, staffAs } = await useShop();

const owner = await staffAs("owner");
const { sku } = await plantProduct(table, { units: 500 });
const buyer = (from = clientOf(baseUrl)) =>
  aSlotShopper(baseUrl, table, [{ sku, quantity: 1 }], from);
const { days } = (await readSlots(baseUrl, `${asQuery}&items=${sku}`)).body.data;

/** Later than any day of the calendar. */
const quarterYear = { min_days: 90, max_days: 90 };
const aPlace = openPlaces(baseUrl, owner, "carts");
const countOf = (choice: Choice) => table.get(PlaceCounts, { zone, ...choice });
const held = async (choice: Choice) => Object.keys((await countOf(choice))?.holds ?? {});

describe("the calendar of delivery slots", () => {
  test("lists open days with their windows, and tells no numbers", async () => {
    const { status, body } = await readSlots(baseUrl, `${asQuery}&items=${sku}`);
    expect(status).toBe(200);
    expect(body.data.zone).toBe(zone);
    expect(body.data.earliest_on).toBe(body.data.days[0]?.date);
    expect(body.data.days.length).toBeGreaterThan(20);
    for (const { date, windows } of body.data.days) {
      expect(new Date(`${date}T00:00:00Z`).getUTCDay()).not.toBe(0);
      expect(windows.map(({ code }) => code)).toEqual(["morning", "afternoon"]);
      for (const window of windows) {
        expect(Object.keys(window).toSorted()).toEqual([
          "available",
          "code",
          "from",
          "label",
          "to",
        ]);
      }
    }
  });

  test("has no zone where no slot can be chosen, and no days for items that are made to order", async () => {
    const nowhere = { zone: null, earliest_on: null, days: [] };
    for (const query of [
      "postal_code=560001&shipping_method=standard",
      asQuery.replace("560001", "110001"),
    ]) {
      expect((await readSlots(baseUrl, `${query}&items=${sku}`)).body.data).toEqual(nowhere);
    }
    const { sofa } = await plantSofa(table);
    const later = await readSlots(baseUrl, `${asQuery}&items=${sku},${sofa.slug}`);
    expect(later.body.data).toEqual({ zone, earliest_on: null, days: [] });
  });

  test("shows a closed day no more, and a full window as not available, except to the cart that holds it", async () => {
    const place = await aPlace(1);
    const one = await buyer();
    await one.hold(place);
    const shown = async (headers = {}) =>
      (await readSlots(baseUrl, asQuery, headers)).body.data.days
        .find(({ date }) => date === place.date)
        ?.windows.map(({ available }) => available);
    expect(await shown()).toEqual([false, true]);
    expect(await shown(one.headers)).toEqual([true, true]);
    await owner.put(`/admin/delivery-days/${zone}/${place.date}`, { closed: true });
    expect(await shown()).toBeUndefined();
  });
});

describe("a slot of a cart", () => {
  test("is held for 15 minutes, moves without a new end, and can be released", async () => {
    const [place, other] = [await aPlace(2), await aPlace(2)];
    const one = await buyer();
    const { status, body } = await one.hold(place);
    expect(status).toBe(200);
    const { slot, version } = body.data;
    expect(slot).toMatchObject({ ...place, zone, label: "Morning", from: "09:00", to: "13:00" });
    const minutes = (Date.parse(slot!.held_until) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThanOrEqual(15);
    expect((await one.hold(place)).body.data).toMatchObject({ slot, version });
    const moved = (await one.hold(other)).body.data;
    expect(moved.slot).toEqual({ ...slot, date: other.date });
    expect([await held(place), await held(other)]).toEqual([[], [one.cart.id]]);
    expect((await one.read()).slot).toEqual(moved.slot);
    expect((await one.hold({ date: null })).body.data.slot).toBeNull();
    expect(await held(other)).toEqual([]);
    expect((await one.hold({ date: null })).status).toBe(200);
  });

  test("is booked by checkout, and freed by a cancellation", async () => {
    const place = await aPlace(1);
    const one = await buyer();
    await one.hold(place);
    const { status, body } = await one.checkOut(bySlot);
    expect(status).toBe(201);
    const { order, order_access_token } = body.data;
    expect(order.slot).toEqual({ ...place, zone, label: "Morning", from: "09:00", to: "13:00" });
    expect(await countOf(place)).toMatchObject({ booked: 1, holds: {} });
    const proof = { "x-order-token": order_access_token ?? "" };
    const cancelled = await one.client.post<Data<Order>>(`/orders/${order.id}/cancel`, {}, proof);
    expect(cancelled.body.data).toMatchObject({ status: "cancelled", slot: null });
    expect(await countOf(place)).toMatchObject({ booked: 0, holds: {} });
  });

  test("is refused where it is full, closed or too early, with the next three free ones", async () => {
    const [full, closed] = [await aPlace(1), await aPlace(0)];
    await (await buyer()).hold(full);
    const one = await buyer();
    for (const choice of [full, closed, { date: "2026-01-05", window: "morning" }]) {
      const { status, body } = await one.hold(choice);
      expect([status, body.code]).toEqual([409, "slot_taken"]);
      const { alternatives } = body.details;
      expect(alternatives).toHaveLength(3);
      const { date, window } = alternatives[0]!;
      expect((await one.hold({ date, window })).status).toBe(200);
    }
  });

  test("cannot be held for an empty cart, goods that are made to order, an unknown window or a zone without slots", async () => {
    const one = await buyer();
    const [choice] = [{ date: days[5]!.date, window: "morning" }];
    expect(await one.hold({ ...choice, window: "night" })).toMatchObject({
      status: 422,
      body: { errors: { window: expect.anything() } },
    });
    const unserved = await one.client.put<Problem>(
      "/cart/slot",
      { ...choice, postal_code: "110001", ...bySlot },
      one.headers,
    );
    expect(unserved.body.errors).toHaveProperty("shipping_method");
    const missing = await one.client.put<Problem>("/cart/slot", { date: choice.date }, one.headers);
    expect(Object.keys(missing.body.errors ?? {}).toSorted()).toEqual([
      "postal_code",
      "shipping_method",
      "window",
    ]);
    const { sofa } = await plantSofa(table);
    const later = await aSlotShopper(baseUrl, table, [{ sofa: sofa.slug, quantity: 1 }]);
    expect((await later.hold(choice)).body.errors).toHaveProperty("date");
    await one.client.delete(`/cart/items/${one.cart.items[0]!.id}`, one.headers);
    expect((await one.hold(choice)).body.code).toBe("cart_empty");
  });

  test("is not booked once its hold is over; then one more hold begins at once, and a third only later", async () => {
    const place = await aPlace(1);
    const one = await buyer();
    await one.hold(place);
    await one.endHold(place);
    expect((await one.read()).requirements).toMatchObject([{ code: "slot_expired" }]);
    const late = await one.checkOut(bySlot);
    expect([late.status, late.body.code]).toEqual([409, "slot_expired"]);
    expect(late.body.details).toMatchObject({ alternatives: [place, {}, {}] });
    expect((await one.hold(place)).status).toBe(200);
    await one.endHold(place);
    const third = await one.hold(place);
    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(840);
    expect(await countOf(place)).toMatchObject({ booked: 0 });
  });

  test("is not booked if its hold was cleared away between the cart's reading and the checkout", async () => {
    const place = await aPlace(1);
    const [one, two] = [await buyer(), await buyer()];
    await one.hold(place);
    const { version } = (await countOf(place))!;
    // Another cart holds the place, while this one still believes in its own hold.
    const ends = new Date(Date.now() + 60_000).toISOString();
    const set = { holds: { [String(two.cart.id)]: ends }, version: version + 1 };
    await table.write(update(PlaceCounts, { zone, ...place }, { set }));
    const { status, body } = await one.checkOut(bySlot);
    expect([status, body.code]).toEqual([409, "slot_expired"]);
    expect(body.details).toHaveProperty("alternatives");
    expect(await countOf(place)).toMatchObject({ booked: 0 });
  });

  test("is refused at checkout for another method or zone, or an item that is ready later, with the free ones that suit", async () => {
    const [place, slow] = [await aPlace(1), await plantProduct(table, { lead_time: quarterYear })];
    const one = await buyer();
    await one.hold(place);
    const elsewhere = { line1: "5 Marine Drive", city: "Mumbai", state: "Maharashtra" };
    const shipping_address = { ...elsewhere, postal_code: "400001", country: "IN" };
    for (const changes of [{ shipping_method: "standard" }, { ...bySlot, shipping_address }]) {
      const { status, body } = await one.checkOut(changes);
      expect([status, body.code, body.details]).toEqual([409, "slot_taken", { alternatives: [] }]);
      expect(body.message).toContain("No delivery time can be chosen");
    }
    const add = (quantity: number) =>
      one.client.patch("/cart/items", { items: [{ sku: slow.sku, quantity }] }, one.headers);
    await add(1);
    const message = expect.stringContaining("cannot be ready by");
    for (const query of ["", `?${asQuery}`]) {
      expect((await one.read(query)).requirements).toMatchObject([{ code: "slot_taken", message }]);
    }
    const late = await one.checkOut(bySlot);
    expect([late.status, late.body]).toMatchObject([409, { code: "slot_taken", message }]);
    const line = (await one.read()).items.find(({ sku: each }) => each === slow.sku);
    await one.client.delete(`/cart/items/${line?.id}`, one.headers);
    expect((await one.checkOut(bySlot)).body.data.order.slot).toMatchObject(place);
  });

  test("must be released once the cart has an item that is made to order, as the cart and checkout say", async () => {
    const [one, { sofa }] = [await buyer(), await plantSofa(table)];
    expect((await one.hold({ date: days[9]!.date, window: "afternoon" })).status).toBe(200);
    const items = [{ sofa: sofa.slug, quantity: 1 }];
    await one.client.patch("/cart/items", { items }, one.headers);
    const { message } = (await one.read()).requirements[0]!;
    expect(message).toContain("made to order");
    const { status, body } = await one.checkOut(bySlot);
    expect([status, body.code, body.message]).toEqual([409, "slot_taken", message]);
    expect(body.details).toEqual({ alternatives: [] });
    expect((await one.hold({ date: null })).body.data.requirements).toEqual([]);
    expect((await one.checkOut(bySlot)).body.data.order.slot).toBeNull();
  });

  test("is kept when the cart is replaced, and released when it is emptied", async () => {
    const place = await aPlace(1);
    const one = await buyer();
    await one.hold(place);
    const replaced = await one.client.post<Data<Cart>>(
      "/cart",
      { items: [{ sku, quantity: 3 }] },
      one.headers,
    );
    expect(replaced.body.data.slot).toMatchObject(place);
    await one.client.delete(`/cart/items/${replaced.body.data.items[0]!.id}`, one.headers);
    expect([(await one.read()).slot, await held(place)]).toEqual([null, []]);
    expect((await one.hold({ date: null })).status).toBe(200);
  });

  test("goes with the guest's cart into the customer's, which releases its own", async () => {
    const [own, place] = [await aPlace(1), await aPlace(1)];
    const member = await aMember(baseUrl);
    await member.client.post("/cart", { items: [{ sku, quantity: 1 }] }, member.headers);
    await member.client.put("/cart/slot", { ...own, ...slotDestination }, member.headers);
    const guest = await buyer();
    await guest.hold(place);
    expect((await logIn(baseUrl, member.email, undefined, guest.headers)).status).toBe(200);
    const merged = await member.client.get<Data<Cart>>("/cart", member.headers);
    expect(merged.body.data).toMatchObject({ slot: place, item_count: 2 });
    expect([await held(own), await held(place)]).toEqual([[], [guest.cart.id]]);
    const placed = await member.client.post<Data<CheckoutAnswer>>(
      "/checkout",
      aCheckout({ ...bySlot, email: member.email }),
      member.headers,
    );
    expect(placed.body.data.order.slot).toMatchObject(place);
    expect(await countOf(place)).toMatchObject({ booked: 1, holds: {} });
  });

  test("is released at sign-in if no line of the guest's cart is sold any more", async () => {
    const { product, sku: gone } = await plantProduct(table);
    const place = await aPlace(1);
    const guest = await aSlotShopper(baseUrl, table, [{ sku: gone, quantity: 1 }]);
    await guest.hold(place);
    await table.write(remove(PublishedProducts, product));
    const member = await aMember(baseUrl);
    expect((await logIn(baseUrl, member.email, undefined, guest.headers)).status).toBe(200);
    const merged = await member.client.get<Data<Cart>>("/cart", member.headers);
    expect(merged.body.data).toMatchObject({ slot: null, item_count: 0 });
    expect(await held(place)).toEqual([]);
  });

  test("that a cart holds can be booked after staff have closed its day, and nobody else can hold it", async () => {
    const place = await aPlace(2);
    const [one, two] = [await buyer(), await buyer()];
    await one.hold(place);
    const day = `/admin/delivery-days/${zone}/${place.date}`;
    await owner.put(day, { closed: true });
    expect((await two.hold(place)).body.code).toBe("slot_taken");
    expect((await one.checkOut(bySlot)).body.data.order.slot).toMatchObject(place);
    const planned = await owner.get<Data<PlannedDay>>(day);
    expect(planned.body.data.over_booked).toEqual(["morning"]);
  });

  test("is limited to twelve at a time for one IPv6 network of 56 bits", async () => {
    const statuses = await inOneWindow(limits.slot_holds.seconds, async () => {
      const site = `2001:db8:${randomInt(0x10000).toString(16)}`;
      const place = await aPlace(6);
      const rates = openRateCounters(table, { error: () => undefined });
      const counter = { limit: "slot_holds", caller: `${site}:1200::/56`, by: 11 } as const;
      await addToCount(rates, counter, new Date());
      const held: number[] = [];
      for (const subnet of ["1201", "1202", "1302"]) {
        const one = await buyer(clientOf(baseUrl, `${site}:${subnet}::1`));
        held.push((await one.hold(place)).status);
      }
      return held;
    });
    expect(statuses).toEqual([200, 429, 200]);
  });

  test("is limited to three at a time for one IP address", async () => {
    const place = await aPlace(6);
    const from = clientOf(baseUrl);
    const buyers = await Promise.all(Array.from({ length: 4 }, () => buyer(from)));
    const replies = [];
    for (const each of buyers) replies.push(await each.hold(place));
    expect(tally(replies)).toEqual({ "200": 3, "429 too_many_requests": 1 });
    expect(Number(replies[3]!.headers.get("retry-after"))).toBeGreaterThan(780);
    // A place that is released or booked is no longer held.
    await buyers[0]!.hold({ date: null });
    expect((await buyers[3]!.hold(place)).status).toBe(200);
    expect((await buyers[0]!.hold(place)).status).toBe(429);
    await buyers[1]!.checkOut(bySlot);
    expect((await buyers[0]!.hold(place)).status).toBe(200);
    expect(await held(place)).toHaveLength(3);
  });
});

test(
  "100 buyers of 10 places book exactly 10 after five holds have expired",
  { tags: "slow" },
  async () => {
    const place = await aPlace(10);
    const buyers = await Promise.all(Array.from({ length: 100 }, () => buyer()));
    const first = await Promise.all(buyers.map(({ hold }) => hold(place)));
    expect(tally(first)).toEqual({ "200": 10, "409 slot_taken": 90 });
    const holders = buyers.filter((_, index) => first[index]?.status === 200);
    const expired = holders.slice(0, 5);
    await Promise.all(expired.map(({ endHold }) => endHold(place)));
    const replies = await Promise.all(
      buyers.map(async ({ hold, checkOut }, index) => {
        if (first[index]?.status !== 200) await hold(place);
        return checkOut(bySlot);
      }),
    );
    const booked = replies.filter(({ body }) => body.data?.order.slot);
    expect(booked).toHaveLength(10);
    expect(await countOf(place)).toMatchObject({ booked: 10, holds: {} });
    for (const each of expired) {
      const reply = replies[buyers.indexOf(each)];
      expect([reply?.status, reply?.body.code]).toEqual([409, "slot_expired"]);
    }
  },
);
