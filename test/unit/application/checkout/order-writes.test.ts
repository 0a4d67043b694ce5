import { afterAll, beforeAll, expect, test } from "vitest";
import { orderWrites } from "#shared/application/checkout/order-writes.ts";
import { withHold } from "#shared/domain/delivery/place-count.ts";
import type { SlotHold } from "#shared/domain/delivery/slot-hold.ts";
import { Carts, convertCart } from "#shared/storage/cart/carts.ts";
import { PlaceCounts, releaseWrites } from "#shared/storage/delivery/delivery-places.ts";
import { put } from "#shared/storage/writes.ts";
import { aPricedLine, aStoredCart, anId, noon } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { aHold, aSlot } from "#test/support/shop/settings.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
beforeAll(async () => {
  shop = await startTestTable();
});
afterAll(() => shop.stop());

const slot = aSlot();
const later = aSlot({ date: "2026-11-25" });

/** A cart that holds `slot`, as stored, and a checkout that has read it. */
async function aCheckout(number: number) {
  const id = anId("cart", number);
  const owner = { kind: "guest" as const, tokenHash: `hash-${number}` };
  const cart = aStoredCart({ id, slot_hold: aHold({ holder: id }) });
  const count = withHold(
    { place: slot, before: undefined, capacity: 9, now: noon },
    cart.slot_hold!,
  );
  await shop.table.transact([put(Carts, { ...cart, owner }), put(PlaceCounts, count!)]);
  const order = {
    ...aPlacedOrder(),
    id: anId("ord", number),
    number: `FS-AAAA-AAAA-AAA${number + 1}`,
    slot: { ...slot, confirm_by: noon.toISOString(), has_left: false },
  };
  const writes = orderWrites({
    order,
    timeline: [],
    conversions: [
      convertCart(owner, cart, { orderId: order.id, email: "asha@example.com", now: noon }),
    ],
    lines: [aPricedLine({ sku: null })],
    coupon: null,
    isPromised: false,
    request: {},
    binding: [],
    holder: id,
    maxOpenOrders: 0,
    opening: null,
    now: noon,
  });
  return { owner, cart, place: () => shop.table.transact(writes) };
}

test("a checkout whose cart moves its hold meanwhile is refused because the cart has changed, not because its slot has expired", async () => {
  const { owner, cart, place } = await aCheckout(1);
  const slot_hold: SlotHold = { ...cart.slot_hold!, slot: { ...later, method: "standard" } };
  await shop.table.transact([
    put(Carts, { ...cart, slot_hold, version: cart.version + 1, owner }),
    ...releaseWrites(cart.slot_hold, later, noon),
  ]);
  await expect(place()).rejects.toMatchObject({ code: "cart_changed" });
});

test("a checkout whose place was lost while its cart stayed the same is refused because the slot has expired", async () => {
  const { cart, place } = await aCheckout(2);
  await shop.table.transact(releaseWrites(cart.slot_hold, null, noon));
  await expect(place()).rejects.toMatchObject({ code: "slot_expired" });
});

test("a checkout of an unchanged cart books its place", async () => {
  const { place } = await aCheckout(3);
  await place();
  expect(await shop.table.get(PlaceCounts, slot)).toMatchObject({ booked: 1, holds: {} });
});
