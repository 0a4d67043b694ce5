import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { place } from "#shared/application/checkout/place-order.ts";
import type { OrderDraft } from "#shared/domain/checkout/order-draft.ts";
import { withHold } from "#shared/domain/delivery/place-count.ts";
import type { SlotHold } from "#shared/domain/delivery/slot-hold.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import { Carts, convertCart } from "#shared/storage/cart/carts.ts";
import { PlaceCounts, releaseWrites } from "#shared/storage/delivery/delivery-places.ts";
import { put } from "#shared/storage/writes.ts";
import { aPricedLine, aStoredCart, anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import { aDraft } from "#test/support/shop/placed-orders.ts";
import { aHold, aSlot, aSlotShop } from "#test/support/shop/settings.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
beforeAll(async () => {
  shop = await startTestTable();
});
afterAll(() => shop.stop());

const slot = aSlot();
const settings = { ...defaultSettings, ...someSettings(aSlotShop()) };
const later = aSlot({ date: "2026-11-25" });

/** A cart that holds `slot`, as stored, and a checkout that has read it. */
async function aCheckout(number: number) {
  const id = anId("cart", number);
  const owner = { kind: "guest" as const, tokenHash: `hash-${number}` };
  const cart = aStoredCart({ id, slot_hold: aHold({ holder: id }) });
  const hold = cart.slot_hold!;
  const count = withHold({ place: slot, before: undefined, capacity: 9, now: noon }, hold);
  await shop.table.transact([put(Carts, { ...cart, owner }), put(PlaceCounts, count!)]);
  const draft: OrderDraft = {
    ...aDraft({}, { lines: [aPricedLine({ sku: null })], settings }),
    slot: { kind: "held", slot: hold.slot!, hold },
    converts: { cart_id: id, quotes: [] },
  };
  const orderId = anId("ord", number);
  const placing = {
    id: orderId,
    settings,
    gatewayReady: false,
    limits: { openOrders: 0, conflicts: 3, opening: () => null },
    converts: [convertCart(owner, cart, { orderId, email: "asha@example.com", now: noon })],
    changedError: (cause: Error) => new AppError("cart_changed", { cause }),
    answer: async ({ order }: OrderRecord) => ({ answer: order, writes: [] }),
    now: noon,
  };
  const parts = { table: shop.table, randomBytes };
  return { owner, cart, place: () => place(draft, placing, parts) };
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
