// @module-tag slow
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { liveHolds } from "#shared/domain/delivery/place-count.ts";
import { PlaceCounts } from "#shared/storage/delivery/delivery-places.ts";
import type { Reply } from "#test/support/http/client.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import {
  type Choice,
  type SlotShopper,
  aSlotShopper,
  bySlot,
  openPlaces,
  zone,
} from "#test/support/shop/slots.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, staffAs } = await useShop();

const staff = await staffAs("owner");
const { sku } = await plantProduct(table, { units: 5_000 });
const open = openPlaces(baseUrl, staff, "sequences");
const places = [await open(1), await open(2)] as const;

const buyers = 3;
const Step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("hold" as const),
      by: fc.nat(buyers - 1),
      at: fc.nat(1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("release" as const), by: fc.nat(buyers - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("expire" as const), by: fc.nat(buyers - 1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("checkout" as const), by: fc.nat(buyers - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("change" as const), which: fc.nat(9), at: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), which: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("lower" as const), at: fc.nat(1), to: fc.nat(2) }),
  },
);
type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never;

interface Placed {
  readonly id: string;
  readonly shopper: SlotShopper;
  slot: Choice | null;
}

/** The shop as a plain model, which predicts whether a place can be had. */
function aModel() {
  const capacity = [1, 2];
  const holds: (number | null)[] = Array.from({ length: buyers }, () => null);
  const begun = Array.from({ length: buyers }, () => 0);
  const orders: Placed[] = [];
  const booked = (at: number) =>
    orders.filter(({ slot }) => slot?.date === places[at]!.date).length;
  const held = (at: number) => holds.filter((each) => each === at).length;
  const isFree = (at: number) => booked(at) + held(at) < capacity[at]!;
  return { capacity, holds, begun, orders, booked, held, isFree };
}

async function setCapacity(at: number, to: number): Promise<void> {
  const body = { capacities: { morning: to } };
  const { status, text } = await staff.put(
    `/admin/delivery-days/${zone}/${places[at]!.date}`,
    body,
  );
  if (status !== 200) throw new Error(text);
}

const aBuyer = () => aSlotShopper(baseUrl, table, [{ sku, quantity: 1 }]);
const cancel = ({ id, shopper }: Placed) =>
  shopper.client.post(`/orders/${id}/cancel`, {}, shopper.headers);

/** Leaves the places empty for the next sequence. */
async function freeAll(orders: readonly Placed[], shoppers: readonly SlotShopper[]): Promise<void> {
  for (const order of orders) await cancel(order);
  for (const shopper of shoppers) await shopper.hold({ date: null });
}

test("in any sequence of steps, bookings are the orders that have the place, and never more than the capacity at the time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 6, maxLength: 16 }), async (steps) => {
      const model = aModel();
      for (const at of [0, 1]) await setCapacity(at, model.capacity[at]!);
      const shoppers = await Promise.all(Array.from({ length: buyers }, aBuyer));
      await using _end = { [Symbol.asyncDispose]: () => freeAll(model.orders, shoppers) };
      const judge = (reply: Reply<Partial<Problem>>, isFree: boolean) =>
        expect([reply.status, reply.body.code]).toEqual(
          isFree ? [200, undefined] : [409, "slot_taken"],
        );

      for (const step of steps) {
        switch (step.kind) {
          case "hold": {
            const { by, at } = step;
            const isFree = model.holds[by] === at || model.isFree(at);
            // A third hold of a cart has to wait.
            if (model.holds[by] === null && model.begun[by]! >= 2) break;
            judge(await shoppers[by]!.hold(places[at]!), isFree);
            if (!isFree) break;
            if (model.holds[by] === null) model.begun[by]! += 1;
            model.holds[by] = at;
            break;
          }
          case "release":
            expect((await shoppers[step.by]!.hold({ date: null })).status).toBe(200);
            // The hold's time goes on, so that the next hold is none more.
            if (model.holds[step.by] !== null) model.begun[step.by]! -= 1;
            model.holds[step.by] = null;
            break;
          case "expire": {
            const at = model.holds[step.by];
            if (at === null || at === undefined) break;
            await shoppers[step.by]!.endHold(places[at]!);
            model.holds[step.by] = null;
            break;
          }
          case "checkout": {
            const at = model.holds[step.by];
            const shopper = shoppers[step.by]!;
            const { slot } = await shopper.read();
            const reply = await shopper.checkOut({
              ...aCheckout(),
              ...bySlot,
              payment_method: "cod",
            });
            if (at === null && slot !== null) {
              expect([reply.status, reply.body.code]).toEqual([409, "slot_expired"]);
              break;
            }
            expect(reply.status).toBe(201);
            const chosen = at === null || at === undefined ? null : places[at]!;
            expect(reply.body.data.order.slot?.date).toBe(chosen?.date);
            model.orders.push({ id: reply.body.data.order.id, shopper, slot: chosen });
            model.holds[step.by] = null;
            model.begun[step.by] = 0;
            shoppers[step.by] = await aBuyer();
            break;
          }
          case "change": {
            const order = model.orders[step.which % Math.max(1, model.orders.length)];
            if (!order) break;
            const to = places[step.at]!;
            const isFree = order.slot?.date === to.date || model.isFree(step.at);
            const path = `/orders/${order.id}/slot`;
            const { client, headers } = order.shopper;
            judge(await client.put<Partial<Problem>>(path, to, headers), isFree);
            if (isFree) order.slot = to;
            break;
          }
          case "cancel": {
            const order = model.orders[step.which % Math.max(1, model.orders.length)];
            if (!order) break;
            expect((await cancel(order)).status).toBe(200);
            model.orders.splice(model.orders.indexOf(order), 1);
            break;
          }
          case "lower":
            await setCapacity(step.at, step.to);
            model.capacity[step.at] = step.to;
        }
        for (const [at, place] of places.entries()) {
          const count = await table.get(PlaceCounts, { zone, ...place });
          const live = liveHolds(count, new Date()).length;
          expect([at, count?.booked ?? 0, live]).toEqual([at, model.booked(at), model.held(at)]);
        }
      }
    }),
    { numRuns: 12 },
  );
});
